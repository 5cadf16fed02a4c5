// Measures how long an agent waits from publishing to its verdict: open loop, on a schedule that
// does not wait for answers, and alone, against one durable insert of the driver by itself.
import { join } from 'node:path'
import { setImmediate as turn, setTimeout as after } from 'node:timers/promises'
import { assert } from '#core/fault'
import { answerAll, deploy, inFolder, messages, type Deployment } from './deployment.ts'
import { median, quantile, type Report } from './figures.ts'
import { insertTimes } from './raw.ts'

const rates = [200, 1_000, 2_000]
const secondsEach = 5
const aloneRounds = 5
const aloneCount = 200
const warmUpCount = 8_000
/** A verdict that takes longer than this is not waited for. */
const waitMsMax = 30_000

export function benchLatency(): Promise<Report> {
  return inFolder(async (folder) => {
    const deployment = await deploy(join(folder, 'log.db'))
    await answerAll(deployment, messages(deployment, warmUpCount), 256)
    const alone: number[] = []
    const bare: number[] = []
    for (let round = 0; round < aloneRounds; round += 1) {
      alone.push(...(await closedLoop(deployment)))
      const rows = [...messages(deployment, aloneCount)]
      bare.push(...insertTimes(join(folder, `bare-${round}.db`), rows))
    }
    const rows = [
      ['one bare durable insert', ...figures(bare)],
      ['one at a time', ...figures(alone)],
    ]
    for (const rate of rates) {
      rows.push([`${rate} a second`, ...figures(await openLoop(deployment, rate))])
    }
    await deployment.runtime.stop()
    const inserts = (median(alone) / median(bare)).toFixed(1)
    return {
      title: 'publish to verdict, milliseconds',
      head: ['intents', 'p50', 'p99', 'longest'],
      rows,
      notes: [
        `one at a time: ${aloneRounds} rounds of ${aloneCount}, in turn with as many bare inserts`,
        `a verdict is three durable appends one after the other, and takes ${inserts} bare inserts`,
        `a second: open loop of ${secondsEach} s, measured from the moment that the schedule says`,
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
  const entries = [...messages(deployment, rate * secondsEach)]
  const due = new Map<string, number>()
  const times: number[] = []
  const stop = runtime.follower.listen((_, { parts }) => {
    const scheduled = parts?.kind === 'verdict' ? due.get(parts.address ?? '') : undefined
    if (scheduled !== undefined) times.push(performance.now() - scheduled)
  })
  const start = performance.now()
  for (const [index, entry] of entries.entries()) {
    const scheduled = start + (index * 1_000) / rate
    // A timer would come up to a millisecond late, and its lateness would be counted.
    while (performance.now() < scheduled) await turn()
    due.set(entry.name.split('.').slice(3).join('.'), scheduled)
    void runtime.log.append(entry)
  }
  const end = performance.now() + waitMsMax
  while (times.length < entries.length && performance.now() < end) await after(1)
  stop()
  assert(times.length === entries.length, 'every intent has its verdict')
  return times
}
