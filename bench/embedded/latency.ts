// How long an agent waits from publishing to its verdict: one at a time, against one durable insert
// of the driver by itself; and on a schedule that does not wait for answers.
import { join } from 'node:path'
import type { Runtime } from '#runtime/engine/runtime'
import { answerAll, deploy, inFolder, messages } from '../deployment.ts'
import { inRounds, percentiles, sized, timed, type Bench } from '../harness.ts'
import { openLoop } from '../open-loop.ts'
import { insertTimes } from './raw.ts'

const rates = [100, 1_000, 2_000]
const rounds = 5
const secondsEach = 2
const aloneCount = sized(200)
const warmUpCount = sized(8_000)

const bare = 'one bare durable insert'
const alone = 'one at a time'
const openly = (rate: number): string => `${rate} a second, open loop`

export const bench: Bench = {
  title: 'Publish to verdict, in one process',
  run: () =>
    inFolder(async (folder) => {
      const runtime = await deploy(join(folder, 'log.db'))
      await answerAll(runtime, messages(runtime, warmUpCount), 256)
      const ran = await inRounds(rounds, async (round) => {
        const rows = [...messages(runtime, aloneCount)]
        let sample = {
          ...percentiles(alone, await oneByOne(runtime)),
          ...percentiles(bare, insertTimes(join(folder, `bare-${round}.db`), rows)),
        }
        for (const rate of rates) {
          const entries = [...messages(runtime, sized(rate * secondsEach))]
          const times = await openLoop(runtime, entries, rate)
          sample = { ...sample, ...percentiles(openly(rate), times) }
        }
        return sample
      })
      await runtime.stop()
      return [...ran.times(alone, bare), ...rates.flatMap((rate) => ran.times(openly(rate)))]
    }),
}

async function oneByOne(runtime: Runtime): Promise<readonly number[]> {
  const times: number[] = []
  for (const entry of messages(runtime, aloneCount)) {
    times.push(await timed(() => answerAll(runtime, [entry], 1)))
  }
  return times
}
