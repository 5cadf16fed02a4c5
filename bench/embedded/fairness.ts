// How long a polite agent waits for its verdicts while another has very many intents outstanding,
// against the same agent alone, on one embedded log.
import { join } from 'node:path'
import type { Runtime } from '#runtime/engine/runtime'
import { answerAll, deploy, inFolder, messages } from '../deployment.ts'
import { ratioAtMost, inRounds, percentiles, sized, type Bench } from '../harness.ts'
import { openLoop } from '../open-loop.ts'

const perSecond = 5
const count = sized(200)
const outstanding = sized(20_000)
const warmUpCount = sized(4_000)

const alone = 'a polite agent alone'
const crowded = 'while another has 20 000 open'

export const bench: Bench = {
  title: 'A polite agent beside one that floods, in one process',
  run: async () => {
    const ran = await inRounds(1, () =>
      inFolder(async (folder) => {
        const runtime = await deploy(join(folder, 'log.db'))
        await answerAll(runtime, messages(runtime, warmUpCount), 256)
        const quiet = await polite(runtime)
        const stop = await flooded(runtime)
        const beside = await polite(runtime)
        stop()
        await runtime.stop(0)
        return { ...percentiles(alone, quiet), ...percentiles(crowded, beside) }
      }),
    )
    const p99 = { against: `${alone}, p99`, aims: ratioAtMost(5) }
    return [
      ran.figure(`${crowded}, p50`, 'ms', { against: `${alone}, p50` }),
      ran.figure(`${crowded}, p99`, 'ms', p99),
    ]
  },
}

function polite(runtime: Runtime): Promise<readonly number[]> {
  return openLoop(runtime, [...messages(runtime, count, ['polite'])], perSecond)
}

/** Keeps so many intents of the other agent without a verdict, until it is stopped. */
async function flooded({ log, follower, place }: Runtime): Promise<() => void> {
  const entries = messages({ place }, Number.MAX_SAFE_INTEGER, ['bot'])
  const publish = async (): Promise<void> => {
    const next = entries.next()
    if (next.done !== true) await log.append(next.value)
  }
  const stop = follower.listen(({ name }, { parts }) => {
    if (parts?.kind === 'verdict' && name.includes('.verdict.bot.')) void publish()
  })
  await Promise.all(Array.from({ length: outstanding }, publish))
  return stop
}
