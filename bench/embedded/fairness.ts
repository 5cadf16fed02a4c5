// Measures how long a polite agent waits for its verdicts while another has very many intents
// outstanding, against the same agent alone in the same run, on one embedded log.
import { join } from 'node:path'
import { answerAll, deploy, inFolder, messages, type Deployment } from '../nats/deployment.ts'
import { median, quantile, type Report } from '../figures.ts'
import { openLoop, pipelineOf } from './latency.ts'

const perSecond = 5
const seconds = 40
const outstanding = 20_000
const warmUpCount = 4_000
const ratioMax = 5

export function benchFairness(): Promise<Report> {
  return inFolder(async (folder) => {
    const deployment = await deploy(join(folder, 'log.db'))
    await answerAll(deployment, messages(deployment, warmUpCount), 256)
    const quiet = await polite(deployment)
    const flood = await flooded(deployment)
    const crowded = await polite(deployment)
    const perSecondOfOther = flood.answered() / ((performance.now() - flood.began) / 1_000)
    flood.stop()
    await deployment.runtime.stop(0)
    const ratio = quantile(crowded, 0.99) / quantile(quiet, 0.99)
    return {
      title: `a polite agent while another has ${outstanding} intents outstanding, milliseconds`,
      head: ['', 'p50', 'p99', 'longest'],
      rows: [
        ['alone', ...figures(quiet)],
        ['crowded', ...figures(crowded)],
      ],
      notes: [
        `${perSecond} intents a second for ${seconds} s, open loop, from publishing to the verdict`,
        `the other agent got ${Math.round(perSecondOfOther)} verdicts a second meanwhile`,
      ],
      targets: [
        {
          claim: `p99 at most ${ratioMax} times that of the agent alone`,
          met: ratio <= ratioMax,
          figures: `${ratio.toFixed(1)} times`,
        },
      ],
    }
  })
}

function figures(times: readonly number[]): string[] {
  return [median(times), quantile(times, 0.99), quantile(times, 1)].map((time) => time.toFixed(2))
}

function polite(deployment: Deployment): Promise<readonly number[]> {
  const entries = [...messages(deployment, perSecond * seconds, null, ['polite'])]
  return openLoop(pipelineOf(deployment), entries, perSecond)
}

/** Keeps so many intents of the other agent without a verdict, until it is stopped. */
async function flooded(deployment: Deployment) {
  const { runtime } = deployment
  const entries = messages(deployment, Number.MAX_SAFE_INTEGER, null, ['bot'])
  let answered = 0
  const publish = async (): Promise<void> => {
    const next = entries.next()
    if (next.done !== true) await runtime.log.append(next.value)
  }
  const stop = runtime.follower.listen(({ name }, { parts }) => {
    if (parts?.kind !== 'verdict' || !name.includes('.verdict.bot.')) return
    answered += 1
    void publish()
  })
  await Promise.all(Array.from({ length: outstanding }, publish))
  const before = answered
  return { stop, began: performance.now(), answered: () => answered - before }
}
