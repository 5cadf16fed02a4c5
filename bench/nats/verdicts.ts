// Verdicts a second on a NATS server, with all stages in one process, against the library alone
// that publishes the very same three facts a verdict into a stream configured alike.
import { answerAll, factsAbout, messages } from '../deployment.ts'
import {
  atLeast,
  atMost,
  ratioAtLeast,
  cpuOf,
  inRounds,
  sized,
  timed,
  type Aim,
  type Bench,
  type Figure,
} from '../harness.ts'
import { openRaw, publishSeconds } from './raw.ts'
import { deployThere, makeLogOn, makeStreamOn, onServer, rawPlace } from './server.ts'

const rounds = 5
const outstanding = 1_000
const rawOutstanding = 256
const library = 'the library publishes the same facts'

export const bench: Bench = {
  title: 'Verdicts on NATS, with all stages in one process',
  needs: 'nats',
  run: async () => [
    ...(await measured(false, sized(6_000), ratioAtLeast(0.5), atMost(130))),
    // Fewer where each publish of the library by itself waits for the disk.
    ...(await measured(true, sized(3_000), atLeast(3_000), atMost(150))),
  ],
}

function measured(
  syncAlways: boolean,
  count: number,
  rateAims: readonly Aim[],
  cpuAims: readonly Aim[],
): Promise<readonly Figure[]> {
  const what = syncAlways ? 'verdicts, every fact synced' : 'verdicts, 1 000 outstanding'
  return onServer({ syncAlways }, async (server) => {
    await makeLogOn(server)
    await makeStreamOn(server, rawPlace)
    const runtime = await deployThere(server)
    const raw = await openRaw(server.url)
    const [cpu, rawCpu] = [`CPU of this process, ${what}`, 'CPU, three bare publishes']
    const ran = await inRounds(rounds, async () => {
      const { position } = runtime.follower.state
      const entries = [...messages(runtime, count)]
      let ms = 0
      const used = await cpuOf(async () => {
        ms = await timed(() => answerAll(runtime, entries, outstanding))
      })
      const facts = await factsAbout(runtime, position + 1)
      let seconds = 0
      const rawUsed = await cpuOf(async () => {
        seconds = await publishSeconds(raw, facts, rawOutstanding)
      })
      return {
        [what]: (count * 1_000) / ms,
        [library]: count / seconds,
        [cpu]: used / count,
        [rawCpu]: rawUsed / count,
      }
    })
    await raw.connection.close()
    await runtime.stop()
    return [
      ran.figure(what, '/s', { against: library, aims: rateAims }),
      ran.figure(cpu, 'µs', { against: rawCpu, aims: cpuAims }),
    ]
  })
}
