// Reads facts: one by its name from the leader, sparse ones in one request, many through an ordered
// reading. A copy may lag, so an answer counts only if it holds a fact that is known to be there.
import { Fault } from '#record/fault'
import { isName } from '#record/names'
import { covering, covers } from '#record/pattern'
import type { Fact } from '#ports/log'
import { messageOf, messagesOf, streamInfo } from '../nats/api.ts'
import type { Stored } from '../nats/message.ts'
import { OrderedReading, type ReadingOptions } from '../nats/reading.ts'
import type { Requests } from '../nats/requests.ts'
import type { Era } from './eras.ts'

const lagTriesMax = 14
const lagMsMin = 1
const lagMsMax = 1_000
/** A copy that gives nothing for so long is passed over. */
const silentMsMax = 2_000
/** As many are taken from the leader before the copy is tried again, so many at once. */
const leaderFactsMax = 10_000
const askedMax = 500

export interface Sentinel {
  readonly name: string
  readonly position: number
}

export interface EraSpan {
  readonly era: Era
  readonly from: number
  readonly to: number
}

/** The fact of that name, by the leader of its stream. */
export async function namedFact(
  requests: Requests,
  era: Era,
  name: string,
): Promise<Fact | undefined> {
  if (!isName(name)) return undefined
  return factOf(await messageOf(requests, era.log, { last_by_subj: name }))
}

/** The fact at that position, by the leader; undefined if there is none. */
export async function factAt(
  requests: Requests,
  era: Era,
  position: number,
): Promise<Fact | undefined> {
  return factOf(await messageOf(requests, era.log, { seq: position }))
}

/** What the server added to it on its way is no part of a fact. */
function factOf(found: Fact | null): Fact | undefined {
  if (found === null) return undefined
  const { name, bytes, position, appendedAt } = found
  return { name, bytes, position, appendedAt }
}

/** All facts of the span, in order; from the log itself where its copy is silent. */
export async function* readAll(
  requests: Requests,
  { era, from, to }: EraSpan,
): AsyncGenerator<Fact, void, void> {
  let next = from
  while (next <= to) {
    const began = next
    for await (const fact of fromCopy(requests, era, next)) {
      if (fact.position !== next) throw gap(era.mirror, next)
      yield fact
      next += 1
      if (next > to) return
    }
    for await (const fact of fromLeader(requests, era, next)) {
      yield fact
      next += 1
      if (next > to) return
    }
    if (next === began) throw gap(era.log, next)
  }
}

/** In order from that position on, until the copy is silent or cannot be read. */
async function* fromCopy(
  requests: Requests,
  { mirror }: Era,
  from: number,
): AsyncGenerator<Stored, void, void> {
  try {
    if (!(await copyHas(requests, mirror, from))) return
    yield* inOrder(requests, { stream: mirror, from, filters: [] }, silentMsMax)
  } catch (error) {
    if (error instanceof Fault && error.retry === 'soon') return
    throw error
  }
}

/** Whether the copy has come to that position; it is empty for a while when all servers died. */
export async function copyHas(
  requests: Requests,
  mirror: string,
  position: number,
): Promise<boolean> {
  const info = await streamInfo(requests, mirror)
  return info !== null && info.state.last_seq >= position
}

/**
 * In order from that position on, up to the end or a limit, one by one from the log itself: what a
 * copy does not give while it is made again after the death of servers.
 */
export async function* fromLeader(
  requests: Requests,
  era: Era,
  from: number,
): AsyncGenerator<Fact, void, void> {
  for (let first = from; first < from + leaderFactsMax; first += askedMax) {
    const positions = Array.from({ length: askedMax }, (_, index) => first + index)
    const facts = positions.map((position) => factAt(requests, era, position))
    for (const fact of await Promise.all(facts)) {
      if (fact === undefined) return
      yield fact
    }
  }
}

/**
 * The facts of the span that the patterns cover, in order. `sentinel` stands at its end or after.
 */
export async function* readNamed(
  requests: Requests,
  span: EraSpan,
  names: readonly string[],
  sentinel: Sentinel,
): AsyncGenerator<Fact, void, void> {
  const { era, from, to } = span
  const covered = covering(names)
  const isWanted = ({ position, name }: Stored): boolean =>
    position >= from && position <= to && covered(name)
  const found = await sparse(requests, span, names, sentinel)
  if (found !== null) {
    for (const stored of found) if (isWanted(stored)) yield stored
    return
  }
  const filters = disjoint(names, sentinel.name)
  for await (const stored of inOrder(requests, { stream: era.mirror, from, filters })) {
    if (isWanted(stored)) yield stored
    if (stored.position >= sentinel.position) return
  }
}

/** Reads on and on, and anyone who reads knows when it is enough; or until it is silent so long. */
async function* inOrder(
  { link }: Requests,
  options: ReadingOptions,
  silentMs?: number,
): AsyncGenerator<Stored, void, void> {
  const reading = await OrderedReading.open(link, options)
  const next = (): Promise<readonly Stored[] | null> => {
    const late = silentMs === undefined ? undefined : setTimeout(() => reading.stop(), silentMs)
    return reading.page().finally(() => clearTimeout(late))
  }
  try {
    for (let page = await next(); page !== null; page = await next()) yield* page
    throw new Fault('log_unreachable', `reading \`${options.stream}\` broke off`)
  } finally {
    reading.stop()
  }
}

/** What one request finds, in order; null if that is too much for one. */
async function sparse(
  requests: Requests,
  { era, from }: EraSpan,
  names: readonly string[],
  sentinel: Sentinel,
): Promise<readonly Stored[] | null> {
  const which = { multi_last: [...names, sentinel.name], seq: from }
  for (let attempt = 0; attempt < lagTriesMax; attempt += 1) {
    const found = await messagesOf(requests, era.mirror, which)
    if (found === null) return null
    const isCaughtUp = found.some(({ position }) => position === sentinel.position)
    if (isCaughtUp) return found.toSorted((a, b) => a.position - b.position)
    const delay = Math.min(lagMsMin * 2 ** attempt, lagMsMax)
    await new Promise((resolve) => setTimeout(resolve, delay))
  }
  const message = `the mirror \`${era.mirror}\` lags behind position ${sentinel.position}`
  throw new Fault('log_unreachable', message)
}

/** Patterns that a server takes together: none may meet another. None at all reads everything. */
function disjoint(names: readonly string[], sentinel: string): readonly string[] {
  const all = names.some((name) => covers(name, sentinel)) ? names : [...names, sentinel]
  const apart = all.every((one, index) => all.slice(index + 1).every((each) => !meet(one, each)))
  return apart ? all : []
}

/** Whether some name is covered by both. */
function meet(one: string, other: string): boolean {
  const [ours, theirs] = [one.split('.'), other.split('.')]
  for (let index = 0; ; index += 1) {
    const [a, b] = [ours[index], theirs[index]]
    if (a === '>' || b === '>') return a !== undefined && b !== undefined
    if (a === undefined || b === undefined) return a === b
    if (a !== '*' && b !== '*' && a !== b) return false
  }
}

function gap(mirror: string, next: number): Fault {
  return new Fault('log_tampered', `position ${next} is missing in \`${mirror}\``)
}
