// A realm as one that is asked: the logs of all its cells are read as one, and each row comes from
// the cell that decides about it.
import type { Stage } from '#stages/stage'
import type { State } from '#state/state'
import type { CallbackRunner } from '#ports/callbacks'
import type { Fact, LogReader } from '#ports/log'
import type { ForgedAllows } from '#replay/verdicts/forged'
import { positionsIn, positionsOf, type LogPositions } from '#schemas/console/positions'
import type { Page } from '#schemas/operations/operation'
import type { AttentionCounts } from './attention/counted.ts'
import type { MeantOptions } from './finding/filter.ts'
import { assert, Fault } from '#record/fault'

/** One of its logs. */
export interface RealmLog {
  readonly log: LogReader
  /** As it is folded, or as it was at the moment that is asked about. */
  readonly state: State
  /** Which cell it is of; absent where there is one log. */
  readonly cell?: number
  /** What runs the callbacks of its rules, where its door lets code of a log run. */
  readonly callbacks?: CallbackRunner
  /** Which allows among facts count for nothing, where that is at hand; else it is folded. */
  readonly weigh?: (facts: readonly Fact[]) => Promise<ForgedAllows>
  /** The last call that people agreed to, of those before a position, where that is kept. */
  readonly lastApproved?: (
    agent: string,
    capability: string,
    before?: number,
  ) => Promise<AgreedCall | null>
  /** Counts what people made of questions, where that is kept; else it is folded. */
  readonly countAttention?: (counts: AttentionCounts, meant: MeantOptions) => Promise<number>
}

/** A call that people agreed to. */
export interface AgreedCall {
  readonly intent: string
  readonly position: number
  readonly decidedAt: number
  readonly confirmedBy: readonly string[]
  /** The name of the review that people agreed to. */
  readonly review: string
}

export interface Realm {
  /** The only one, or those of all cells in their order. */
  readonly logs: readonly RealmLog[]
  /** Milliseconds since 1970. */
  readonly now: number
  /** By which an allow in a log is derived again before it is shown as one. */
  readonly stages: () => Promise<readonly Stage[]>
  /** So many bytes of facts a page holds where its door takes no more. */
  readonly pageBytesMax?: number
}

/** Who asks. */
export interface Asker {
  /** Null for who has opened the log. */
  readonly principal: string | null
  /** Whether what is the business of others is shown too. */
  readonly readsAll: boolean
  /** Whose keys are at hand, for what each sees of oneself alone; of a door, that principal. */
  readonly holds?: readonly string[]
}

/** That which has what all cells share, as each has. */
export function firstLogOf({ logs }: Realm): RealmLog {
  const [first] = logs
  assert(first !== undefined, 'a realm has a log')
  return first
}

/** Each log with where its names live. */
export function logPlaces({ logs }: Realm) {
  return logs.map(({ log, state: { place } }) => ({ log, place }))
}

/** Of which cell a row is; nothing where there is one log. */
export function ofLog({ cell }: Pick<RealmLog, 'cell'>): { readonly cell?: number } {
  return cell === undefined ? {} : { cell }
}

/** What every answer begins with. */
export function answeredNow(realm: Realm): {
  readonly position: LogPositions
  readonly now: string
} {
  return {
    position: positionsAcross(realm, ({ state }) => state.position),
    now: instant(realm.now),
  }
}

export function instant(ms: number): string {
  return new Date(ms).toISOString()
}

export function positionsAcross(
  { logs }: Realm,
  positionIn: (at: RealmLog) => number,
): LogPositions {
  return positionsOf(logs.map((at) => ({ ...ofLog(at), position: positionIn(at) })))
}

/** Something of one of the logs, and when it was appended there. */
export interface PlacedRow {
  readonly at: RealmLog
  readonly position: number
  readonly appendedAt: number
}

export interface PageAsked {
  readonly cursor?: string | undefined
  readonly limit: number
}

/**
 * A page of what the logs have, by time, and in each log by position. Throws a Fault `usage` for a
 * cursor that no page gave.
 */
export async function pageByTime<T extends PlacedRow, Row>(
  realm: Realm,
  all: readonly T[],
  asked: PageAsked & { readonly newestFirst?: boolean },
  row: (one: T) => Row | Promise<Row>,
): Promise<Page<Row>> {
  const isForwards = asked.newestFirst !== true
  const ends = cursorIn(asked.cursor)
  const reached = new Map(realm.logs.map((at) => [at, ends(at) ?? (isForwards ? 0 : endOfAny)]))
  const left = realm.logs.map((at) => {
    const end = reached.get(at) ?? 0
    return all
      .filter((one) => one.at === at && (isForwards ? one.position > end : one.position < end))
      .toSorted((one, other) => (isForwards ? 1 : -1) * (one.position - other.position))
  })
  const page: T[] = []
  while (page.length < asked.limit) {
    const next = firstOf(left, isForwards)
    if (next === undefined) break
    page.push(next)
    reached.set(next.at, next.position)
  }
  return {
    ...answeredNow(realm),
    count: all.length,
    rows: await Promise.all(page.map(row)),
    next: left.flat().length === 0 ? null : positionsAcross(realm, (at) => reached.get(at) ?? 0),
  }
}

/** No log has so many. */
const endOfAny = 999_999_999_999_999

/** Takes the first of all in the order of time: each log keeps its own. */
function firstOf<T extends PlacedRow>(left: readonly T[][], isForwards: boolean): T | undefined {
  const heads = left.flatMap((list) => list.slice(0, 1).map((one) => ({ list, one })))
  const [first] = heads.toSorted((one, other) => {
    return (isForwards ? 1 : -1) * (one.one.appendedAt - other.one.appendedAt)
  })
  return first?.list.shift()
}

export function cursorIn(text: string | undefined): (at: RealmLog) => number | null {
  if (text === undefined) return () => null
  const found = positionsIn(text)
  if (found !== null) return ({ cell }) => found.get(cell) ?? null
  throw new Fault('usage', `\`${text.slice(0, 64)}\` is no \`next\` of a page`)
}

/** The same of what is sorted already, and named by its own words. */
export function pageByName<T, Row>(
  realm: Realm,
  all: readonly T[],
  { cursor, limit }: PageAsked,
  by: { readonly name: (one: T) => string; readonly row: (one: T) => Row },
): Page<Row> {
  const before = cursor === undefined ? -1 : all.findIndex((one) => by.name(one) === cursor)
  if (cursor !== undefined && before === -1) {
    throw new Fault('usage', `\`${cursor.slice(0, 64)}\` is no \`next\` of a page`)
  }
  const left = all.slice(before + 1)
  const rows = fitting(left.slice(0, limit).map(by.row), realm.pageBytesMax)
  const last = left[rows.length - 1]
  return {
    ...answeredNow(realm),
    count: all.length,
    rows,
    next: rows.length === left.length || last === undefined ? null : by.name(last),
  }
}

/** As many as a page takes, and at least one. */
export function fitting<T>(all: readonly T[], bytesMax = Infinity): T[] {
  let bytes = 0
  const end = all.findIndex((one, index) => {
    bytes += JSON.stringify(one).length
    return bytes > bytesMax && index > 0
  })
  return end === -1 ? [...all] : all.slice(0, end)
}
