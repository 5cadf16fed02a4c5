// Reads facts: one by its name from the leader, sparse ones in one request, many through an ordered
// reading. A copy may lag, so an answer counts only if it holds a fact that is known to be there.
import { Fault } from '#core/kernel/fault'
import { isName } from '#core/kernel/names'
import { covering, covers } from '#core/kernel/pattern'
import type { Fact } from '#ports/log'
import { messageOf, messagesOf } from '../nats/api.ts'
import type { Stored } from '../nats/message.ts'
import { OrderedReading } from '../nats/reading.ts'
import type { Requests } from '../nats/requests.ts'
import type { Era } from './eras.ts'

const lagTriesMax = 14
const lagMsMin = 1
const lagMsMax = 1_000

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
  const found = await messageOf(requests, era.log, { last_by_subj: name })
  return found ?? undefined
}

/** The fact at that position, by the leader; undefined if there is none. */
export async function factAt(
  requests: Requests,
  era: Era,
  position: number,
): Promise<Fact | undefined> {
  const found = await messageOf(requests, era.log, { seq: position })
  return found ?? undefined
}

/** All facts of the span, in order. */
export async function* readAll(
  requests: Requests,
  { era, from, to }: EraSpan,
): AsyncGenerator<Fact, void, void> {
  let next = from
  for await (const fact of inOrder(requests, era.mirror, from, [])) {
    if (fact.position !== next) throw gap(era.mirror, next)
    yield fact
    next += 1
    if (next > to) return
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
  for await (const stored of inOrder(requests, era.mirror, from, filters)) {
    if (isWanted(stored)) yield stored
    if (stored.position >= sentinel.position) return
  }
}

/** Reads on and on; anyone who reads knows when it is enough. */
async function* inOrder(
  { link }: Requests,
  stream: string,
  from: number,
  filters: readonly string[],
): AsyncGenerator<Stored, void, void> {
  const reading = await OrderedReading.open(link, { stream, from, filters })
  try {
    for (let page = await reading.page(); page !== null; page = await reading.page()) yield* page
    throw new Fault('log_unreachable', `reading \`${stream}\` broke off`)
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
