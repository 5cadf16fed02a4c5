// Asking over HTTP against the same ask in the process of the log, and against a bare server of the
// same library, eight at once, caller and server in one process.
import { randomUUID } from 'node:crypto'
import { connect } from '#client/connect'
import { inFolder } from '../deployment.ts'
import { cpuOf, inLanes, inRounds, percentiles, sized, timed, type Bench } from '../harness.ts'
import { bareServer, lookingBy, posted, served } from './served.ts'

const rounds = 5
const inRound = sized(200)
const lanes = 8

const over = 'asked over HTTP'
const inside = 'asked in the process of the log'
const bare = 'a bare server of the same library'

export const bench: Bench = {
  title: 'Asking over HTTP, durable before the answer',
  run: () =>
    inFolder(async (folder) => {
      const { runtime, url, token, close } = await served(folder, lookingBy('bot'))
      const agent = await connect({ as: 'bot', runtime })
      const plain = await bareServer('/v1/intents', 600)
      const asked = (n: string) => ({ tool: 'look', args: { n }, justification: 'it was asked' })
      const post = (to: string) => (n: string) =>
        posted(`${to}/v1/intents`, token, JSON.stringify(asked(n)))
      const ran = await inRounds(rounds, async () => ({
        ...(await measured(inside, (n) => agent.ask(asked(n)))),
        ...(await measured(bare, post(plain.url))),
        ...(await measured(over, post(url))),
      }))
      plain.cut()
      await agent.close()
      await close()
      return [
        ran.figure(over, '/s', { against: inside }),
        ran.figure(`${over}, CPU`, 'µs an ask', { against: `${bare}, CPU` }),
        ...ran.times(over, bare),
      ]
    }),
}

async function measured(name: string, ask: (n: string) => Promise<unknown>) {
  const all = Array.from({ length: inRound }, () => randomUUID())
  let [ms, times]: [number, readonly number[]] = [0, []]
  const cpu = await cpuOf(async () => {
    ms = await timed(async () => (times = await inLanes(all, lanes, ask)))
  })
  return {
    [name]: (inRound * 1_000) / ms,
    [`${name}, CPU`]: cpu / inRound,
    ...percentiles(name, times),
  }
}
