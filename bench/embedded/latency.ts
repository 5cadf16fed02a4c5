// Measures how long an agent waits from publishing to its verdict: open loop, on a schedule that
// does not wait for answers, and alone, against one durable insert of the driver by itself.
import { join } from 'node:path'
import { setImmediate as turn, setTimeout as after } from 'node:timers/promises'
import { assert } from '#core/kernel/fault'
import type { Entry } from '#ports/log'
import { answerAll, deploy, inFolder, messages, type Deployment } from '../nats/deployment.ts'
import { median, quantile, type Report } from '../figures.ts'
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
      const entries = [...messages(deployment, rate * secondsEach)]
      const times = await openLoop(pipelineOf(deployment), entries, rate)
      rows.push([`${rate} a second`, ...figures(times)])
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

/** What takes messages, and says of each when it is through. */
export interface Pipeline {
  readonly publish: (entry: Entry) => void
  /** Receives the address of each that is through, until the returned function is called. */
  readonly listen: (through: (address: string) => void) => () => void
}

/** Through is what has its verdict. */
export function pipelineOf({ runtime }: Deployment): Pipeline {
  return {
    publish: (entry) => void runtime.log.append(entry),
    listen: (through) =>
      runtime.follower.listen((_, { parts }) => {
        if (parts?.kind === 'verdict') through(parts.address ?? '')
      }),
  }
}

/** How long each takes from the moment that the schedule says, which does not wait for answers. */
export async function openLoop(
  { publish, listen }: Pipeline,
  entries: readonly Entry[],
  rate: number,
): Promise<readonly number[]> {
  const due = new Map<string, number>()
  const times: number[] = []
  const stop = listen((address) => {
    const scheduled = due.get(address)
    if (scheduled !== undefined) times.push(performance.now() - scheduled)
  })
  const start = performance.now()
  for (const [index, entry] of entries.entries()) {
    const scheduled = start + (index * 1_000) / rate
    // A timer would come up to a millisecond late, and its lateness would be counted.
    while (performance.now() < scheduled) await turn()
    due.set(addressIn(entry), scheduled)
    publish(entry)
  }
  const end = performance.now() + waitMsMax
  while (times.length < entries.length && performance.now() < end) await after(1)
  stop()
  assert(times.length === entries.length, 'every intent is through')
  return times
}

function addressIn({ name }: Entry): string {
  return name.split('.').slice(3).join('.')
}
