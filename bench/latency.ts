// Measures how long an agent waits from publishing to its verdict: open loop, on a schedule that
// does not wait for answers, and alone, against one durable append of the driver by itself.
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { answerAll, deploy, inFolder, messages, type Deployment } from './deployment.ts'
import { median, quantile, type Report } from './figures.ts'
import { insertTimes } from './raw.ts'

const rates = [200, 1_000, 2_000]
const secondsEach = 5
const aloneCount = 1_000
const warmUpCount = 5_000

export function benchLatency(): Promise<Report> {
  return inFolder(async (folder) => {
    const deployment = await deploy(join(folder, 'log.db'))
    await answerAll(deployment, messages(deployment, warmUpCount), 256)
    const rows: (number | string)[][] = []
    const alone = await closedLoop(deployment)
    const bare = insertTimes(join(folder, 'bare.db'), messages(deployment, aloneCount))
    rows.push(['one at a time', ...figures(alone)])
    for (const rate of rates) {
      rows.push([`${rate} a second`, ...figures(await openLoop(deployment, rate))])
    }
    await deployment.runtime.stop()
    const legs = (median(alone) / median(bare)).toFixed(1)
    return {
      title: 'publish to verdict, milliseconds',
      head: ['intents', 'p50', 'p99', 'longest'],
      rows: [...rows, ['(one bare durable insert)', ...figures(bare)]],
      notes: [
        `open loop, ${secondsEach} s each, measured from the moment that the schedule says`,
        `alone, a verdict is three durable appends one after the other: ${legs} bare inserts`,
      ],
      targets: [],
    }
  })
}

function figures(times: readonly number[]): string[] {
  return [median(times), quantile(times, 0.99), quantile(times, 1)].map((time) => time.toFixed(2))
}

async function closedLoop(deployment: Deployment): Promise<readonly number[]> {
  const times: number[] = []
  for (const entry of messages(deployment, aloneCount)) {
    const start = performance.now()
    await answerAll(deployment, [entry], 1)
    times.push(performance.now() - start)
  }
  return times
}

async function openLoop(deployment: Deployment, rate: number): Promise<readonly number[]> {
  const { runtime } = deployment
  const entries = messages(deployment, rate * secondsEach)
  const due = new Map<string, number>()
  const times: number[] = []
  const stop = runtime.follower.listen((_, { parts }) => {
    const scheduled = parts?.kind === 'verdict' ? due.get(parts.address ?? '') : undefined
    if (scheduled !== undefined) times.push(performance.now() - scheduled)
  })
  const start = performance.now()
  for (let next = 0; next < entries.length;) {
    const now = performance.now() - start
    for (; next < entries.length && (next * 1_000) / rate <= now; next += 1) {
      const entry = entries[next]
      if (entry === undefined) break
      due.set(entry.name.split('.').slice(3).join('.'), start + (next * 1_000) / rate)
      void runtime.log.append(entry)
    }
    await after(1)
  }
  while (times.length < entries.length) await after(1)
  stop()
  return times
}
