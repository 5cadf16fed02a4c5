// Facts of all logs of a realm by time, from the newest back or from the oldest on: each log in its
// own order. Reading goes in steps that grow, for a first page that is wanted at once; it ends once
// it has looked at so much, and goes on from there later.
import { setImmediate as turn } from 'node:timers/promises'
import { isShared } from '#record/names'
import type { Fact, LogReader, Range } from '#ports/log'
import type { LogPositions } from '#schemas/console/positions'
import { cursorIn, positionsAcross, type Realm, type RealmLog } from '../realm.ts'

export interface FoundIn {
  /** The log that has it. */
  readonly at: RealmLog
  readonly fact: Fact
}

export interface ByTime {
  readonly facts: AsyncIterable<FoundIn>
  /** Where to go on from; null where all was read. */
  next(): LogPositions | null
  /** Whether it ended because it had looked at enough. */
  hasStopped(): boolean
}

export interface LookedFor {
  readonly newestFirst: boolean
  /** `next` of the page before: logs that it does not name are not read. */
  readonly cursor: string | undefined
  /** Patterns of names; undefined for all. */
  readonly names: (at: RealmLog) => readonly string[] | undefined
  /** What may be meant lies within. */
  readonly within?: (at: RealmLog) => Promise<Required<Range>>
  /** So many facts are read, and a step of one log more. */
  readonly lookedMax?: number
}

const lookedMaxDefault = 100_000
/** What is passed over for its name is not free either. */
const passedToOne = 16

interface Reading {
  readonly at: RealmLog
  readonly steps: AsyncIterator<Step>
  /** Read last, and how many of them are given. */
  read: readonly Fact[]
  given: number
  /** What is left to read begins here; null where nothing is. */
  left: number | null
  /** What is left to give begins behind this. */
  reached: number
}

/** Throws a Fault `usage` for a cursor that no page gave. */
export async function factsByTime(realm: Realm, looked: LookedFor): Promise<ByTime> {
  const ends = cursorIn(looked.cursor)
  const reading: Reading[] = []
  for (const at of realm.logs) {
    const end = ends(at)
    if (end === null && looked.cursor !== undefined) continue
    reading.push(await readingOf(at, end, looked))
  }
  const [first] = realm.logs
  const on = { reading, first, looked, stopped: false }
  return {
    facts: merged(on),
    next() {
      const open = reading.filter((one) => one.left !== null || headOf(one) !== undefined)
      if (open.length === 0) return null
      const logs = open.map(({ at }) => at)
      const reached = new Map(open.map((one) => [one.at, one.reached]))
      return positionsAcross({ ...realm, logs }, (at) => reached.get(at) ?? 0)
    },
    hasStopped: () => on.stopped,
  }
}

async function readingOf(at: RealmLog, end: number | null, looked: LookedFor): Promise<Reading> {
  const { newestFirst, names, within } = looked
  const { position } = at.state
  const { from, to } = (await within?.(at)) ?? { from: 1, to: position }
  const range = newestFirst
    ? { from, to: Math.min(to, position, (end ?? position + 1) - 1) }
    : { from: Math.max(from, (end ?? 0) + 1), to: Math.min(to, position) }
  const isEmpty = range.from > range.to
  const steps = inSteps(at.log, { ...range, newestFirst, names: names(at) })
  const left = newestFirst ? range.to : range.from
  return {
    at,
    steps: steps[Symbol.asyncIterator](),
    read: [],
    given: 0,
    left: isEmpty ? null : left,
    reached: newestFirst ? left + 1 : left - 1,
  }
}

interface Merging {
  readonly reading: readonly Reading[]
  readonly first: RealmLog | undefined
  readonly looked: LookedFor
  stopped: boolean
}

async function* merged(on: Merging): AsyncGenerator<FoundIn, void, void> {
  const { reading, looked } = on
  const { newestFirst, lookedMax = lookedMaxDefault } = looked
  const begun = new Set<Reading>()
  let count = 0
  for (;;) {
    for (const one of reading) {
      while (headOf(one) === undefined && one.left !== null) {
        // Of each log a step is read, so that every page goes on.
        if (count >= lookedMax && begun.has(one)) {
          on.stopped = true
          return
        }
        begun.add(one)
        count += await readOn(one, on)
      }
    }
    const next = nextOf(reading, newestFirst)
    const fact = next === null ? undefined : headOf(next)
    if (next === null || fact === undefined) return
    next.given += 1
    next.reached = fact.position
    yield { at: next.at, fact }
    if (headOf(next) === undefined) next.reached = endOfRead(next, newestFirst)
  }
}

/** Reads one step; what all cells share is given once, from the first. Returns how much it was. */
async function readOn(one: Reading, { first, looked }: Merging): Promise<number> {
  const { newestFirst } = looked
  // Others are answered meanwhile.
  await turn()
  const step = await one.steps.next()
  if (step.done === true) {
    one.left = null
    return 0
  }
  const { facts, from, to, isLast } = step.value
  const { realm } = one.at.state.place
  one.given = 0
  one.read = one.at === first ? facts : facts.filter(({ name }) => !isShared(name, realm))
  one.left = isLast ? null : newestFirst ? from - 1 : to + 1
  if (one.read.length === 0) one.reached = newestFirst ? from : to
  return facts.length + Math.ceil((to - from + 1) / passedToOne)
}

/** Once all of a step was given, nothing of it is read again. */
function endOfRead({ left, reached }: Reading, newestFirst: boolean): number {
  if (left === null) return reached
  return newestFirst ? left + 1 : left - 1
}

function nextOf(reading: readonly Reading[], newestFirst: boolean): Reading | null {
  let next: Reading | null = null
  for (const one of reading) {
    const head = headOf(one)
    const other = next === null ? undefined : headOf(next)
    if (head === undefined) continue
    const isFirst =
      other === undefined ||
      (newestFirst ? head.appendedAt > other.appendedAt : head.appendedAt < other.appendedAt)
    if (isFirst) next = one
  }
  return next
}

function headOf(one: Reading): Fact | undefined {
  return one.read[one.given]
}

const stepMin = 512
const stepMax = 16_384

interface Step extends Required<Range> {
  readonly facts: readonly Fact[]
  readonly isLast: boolean
}

interface SteppedThrough extends Required<Range> {
  readonly newestFirst: boolean
  readonly names: readonly string[] | undefined
}

/** A range of one log in steps that grow, each in the order that is asked for. */
export async function* inSteps(
  log: Pick<LogReader, 'read'>,
  { from, to, newestFirst, names }: SteppedThrough,
): AsyncGenerator<Step, void, void> {
  let [low, high] = [from, to]
  for (let step = stepMin; low <= high; step = Math.min(step * 2, stepMax)) {
    const range = newestFirst
      ? { from: Math.max(low, high - step + 1), to: high }
      : { from: low, to: Math.min(high, low + step - 1) }
    const facts: Fact[] = []
    for await (const fact of log.read(range, names)) facts.push(fact)
    if (newestFirst) high = range.from - 1
    else low = range.to + 1
    yield { ...range, facts: newestFirst ? facts.toReversed() : facts, isLast: low > high }
  }
}
