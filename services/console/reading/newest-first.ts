// Facts of all logs from the newest back: each log in its own order, and among the logs by time.
// Who reads may stop anywhere, and goes on from there later.
import { isShared } from '#record/names'
import type { Fact } from '#ports/log'
import type { LogPositions } from '#schemas/console/positions'
import { readBackwards } from '#client/reading/log/backwards'
import type { ConsoleOn } from '../console.ts'
import { positionsAmong, positionsNamed } from '../logs.ts'

export interface FoundIn {
  /** The console on the log that has it. */
  readonly at: ConsoleOn
  readonly fact: Fact
}

export interface NewestFirst {
  /** Each fact; null whenever more of a log is to be read, for who has looked long enough. */
  readonly facts: AsyncIterable<FoundIn | null>
  /** What to go on from; null where all logs were read to their beginning. */
  next(): LogPositions | null
}

export interface LookedFor {
  /** `next` of the page before: logs that it does not name are not read. */
  readonly before: LogPositions | undefined
  /** Patterns of names; undefined for all. */
  readonly names: (at: ConsoleOn) => readonly string[] | undefined
}

interface ReadBack {
  readonly at: ConsoleOn
  readonly steps: AsyncIterator<{ readonly from: number; readonly facts: readonly Fact[] }>
  /** Read last, and how many of them are given. */
  read: readonly Fact[]
  given: number
  /** All from here on was read. */
  from: number
  /** All from here on was given. */
  before: number
}

export function newestFirst({ logs }: ConsoleOn, { before, names }: LookedFor): NewestFirst {
  const said = before === undefined ? null : positionsNamed(before)
  const reading = logs.map((at): ReadBack => {
    const { log, follower } = at.runtime
    const end = said === null ? follower.state.position + 1 : (said(at) ?? 1)
    const steps = readBackwards(log, { before: end, names: names(at) })[Symbol.asyncIterator]()
    return { at, steps, read: [], given: 0, from: end, before: end }
  })
  return {
    facts: byTime(reading),
    next() {
      const left = reading.filter((one) => one.from > 1 || headOf(one) !== undefined)
      if (left.length === 0) return null
      const befores = new Map(left.map((one) => [one.at, one.before]))
      return positionsAmong([...befores.keys()], (at) => befores.get(at) ?? 1)
    },
  }
}

async function* byTime(reading: readonly ReadBack[]): AsyncGenerator<FoundIn | null> {
  const begun = new Set<ReadBack>()
  for (;;) {
    for (const one of reading) {
      while (headOf(one) === undefined && one.from > 1) {
        one.before = one.from
        if (begun.has(one)) yield null
        begun.add(one)
        await readOn(one, one === reading[0])
      }
    }
    const newest = newestOf(reading)
    const fact = newest === null ? undefined : headOf(newest)
    if (newest === null || fact === undefined) return
    newest.given += 1
    newest.before = fact.position
    yield { at: newest.at, fact }
  }
}

/** What all cells share is given once, from the first. */
async function readOn(one: ReadBack, isFirst: boolean): Promise<void> {
  const step = await one.steps.next()
  const { from, facts } = step.done === true ? { from: 1, facts: [] } : step.value
  one.from = from
  const { realm } = one.at.runtime.place
  one.given = 0
  one.read = isFirst ? facts : facts.filter(({ name }) => !isShared(name, realm))
}

function newestOf(reading: readonly ReadBack[]): ReadBack | null {
  let newest: ReadBack | null = null
  for (const one of reading) {
    const head = headOf(one)
    const other = newest === null ? undefined : headOf(newest)
    if (head === undefined) continue
    if (other === undefined || head.appendedAt > other.appendedAt) newest = one
  }
  return newest
}

function headOf(one: ReadBack): Fact | undefined {
  return one.read[one.given]
}
