// How long an agent waits from publishing to its verdict on a NATS server, open loop, against
// one bare publish of the library that is awaited; a verdict is three facts, one after the
// other.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Runtime } from '#runtime/engine/runtime'
import { answerAll, messages } from '../deployment.ts'
import { atMost, cpuOf, inRounds, percentiles, sized, type Bench } from '../harness.ts'
import { openLoop } from '../open-loop.ts'
import { openRaw, publishTimes } from './raw.ts'
import { deployThere, makeLogOn, makeStreamOn, onServer, rawPlace } from './server.ts'

const rates = [100, 1_000]
const rounds = 5
const secondsEach = 2
const warmUpCount = sized(6_000)

const bare = 'one awaited publish of the library'
const bareCount = sized(500)
const ours = (rate: number): string => `${rate} a second`
const cpu = 'CPU of this process, 100 a second'
const pacedMs = 10
const pacedCount = sized(400)

export const bench: Bench = {
  title: 'Publish to verdict on NATS, open loop',
  needs: 'nats',
  run: () =>
    onServer({}, async (server) => {
      await makeLogOn(server)
      await makeStreamOn(server, rawPlace)
      const runtime = await deployThere(server)
      const raw = await openRaw(server.url)
      await answerAll(runtime, messages(runtime, warmUpCount), 256)
      const ran = await inRounds(rounds, async () => {
        const times = await publishTimes(raw, [...messages(runtime, bareCount)])
        let sample: Readonly<Record<string, number>> = percentiles(bare, times)
        for (const rate of rates) {
          const entries = [...messages(runtime, sized(rate * secondsEach))]
          const own = await openLoop(runtime, entries, rate)
          sample = { ...sample, ...percentiles(ours(rate), own) }
        }
        return { ...sample, [cpu]: (await cpuOf(() => paced(runtime))) / pacedCount }
      })
      await raw.connection.close()
      await runtime.stop()
      return [
        ...rates.flatMap((rate) => ran.times(ours(rate), bare)),
        ran.figure(cpu, 'µs a verdict', { aims: atMost(500) }),
      ]
    }),
}

/** By a timer, so that who waits for the next uses no CPU. */
async function paced(runtime: Runtime): Promise<void> {
  const answered: Promise<void>[] = []
  for (const entry of messages(runtime, pacedCount)) {
    answered.push(answerAll(runtime, [entry], 1))
    await sleep(pacedMs)
  }
  await Promise.all(answered)
}
