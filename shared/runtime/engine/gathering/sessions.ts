// The messages of recent sessions, kept as the fold receives them, so that each is read and checked
// once and not again with every intent. It is only a memory of the log: what it answers is what the
// log says up to a basis.
import { LRUCache } from 'lru-cache'
import { agentIn, isMessage, partsInRealm, patternsOf, token, type Place } from '#record/names'
import { askersOf } from '#rules/catalog/askers'
import type { Catalog } from '#rules/catalog/catalog'
import type { MessageCache } from '#state/caches/message-cache'
import type { View } from '#stages/view'
import { countsIn, type Eras } from '#state/eras'
import type { SessionMessage } from '#messages/session'
import type { State } from '#state/state'
import type { Folded } from '#state/folded'
import type { Fact, LogReader } from '#ports/log'
import type { CheckAgainst } from '#messages/check'
import { readsAlike, sessionMessage, sizeOf } from './checked-messages.ts'

/** More messages or bytes than these are not read, and an intent in such a session is refused. */
const sessionMessagesMax = 1_024
const sessionBytesMax = 16 * 1024 * 1024

const keptSizeMax = 64 * 1024 * 1024

/** A message, checked when it is first asked for; and again should what is known change. */
interface Said {
  readonly fact: Fact
  message: SessionMessage | null
  against: CheckAgainst | null
}

/** The messages of a session after a position are here; the rest is in the log. */
interface Session {
  readonly after: number
  readonly received: Map<string, Received>
  /** The rest, once it was read, of those senders. */
  older: { readonly of: string; readonly said: Promise<readonly Said[]> } | null
  size: number
  last: number
}

/** Of a sender who says more than is ever read, only as much as shows it. */
interface Received {
  readonly said: Said[]
  bytes: number
}

export interface SessionRead {
  readonly messages: readonly SessionMessage[]
  /** Whether there is more than is ever read. */
  readonly overlong: boolean
}

/** Messages that the fold has checked: none of them is checked again. */
type Peeking = Pick<MessageCache, 'peek'>

export interface Sessions {
  /** To be notified of each fact in log order, right after it was folded. */
  receive(
    fact: Fact,
    folded: Pick<Folded, 'parts' | 'check'>,
    state: Pick<State, 'catalog' | 'eras'>,
  ): void
  /**
   * The messages of the session up to the basis, in log order, from the agent and no matter from
   * whom the catalog trusts for anything, and from those who may be asked to agree, or are agents
   * of theirs, since one of them may have asked the agent to act.
   */
  read(view: View, session: string, checkedHere?: Peeking): Promise<SessionRead>
  /** The same, from these senders alone. */
  readFrom(view: View, session: string, from: Senders, checkedHere?: Peeking): Promise<SessionRead>
}

/** As tokens. */
export interface Senders {
  readonly agent: string | null
  readonly others: ReadonlySet<string>
}

/**
 * It will be notified of everything after that position; what it does not receive it reads each
 * time.
 */
export function readSessions(log: LogReader, after: number, sizeMax = keptSizeMax): Sessions {
  let receivedTo = after
  let receivedEras: Eras | null = null
  // A session that is not here has no message after this.
  let silentAfter = after
  const kept = new LRUCache<string, Session>({
    maxSize: sizeMax,
    dispose: ({ last }, _, reason) => {
      if (reason !== 'set') silentAfter = Math.max(silentAfter, last)
    },
  })
  const sessionOf = (name: string): Session => {
    const base = { after: silentAfter, last: silentAfter, size: 1, older: null }
    return kept.get(name) ?? { ...base, received: new Map<string, Received>() }
  }
  const keep = (name: string, session: Session): void => {
    if (session.size <= sizeMax) {
      kept.set(name, session, { size: session.size })
      return
    }
    // The cache would release what is too large without a word.
    kept.delete(name)
    silentAfter = Math.max(silentAfter, session.last)
  }
  return {
    receive(fact, { parts, check }, { catalog, eras }) {
      receivedTo = fact.position
      receivedEras = eras
      if (!isMessage(parts) || !countsIn(eras, fact)) return
      const [sender = '', name = '-'] = parts.tokens
      if (name === '-') return
      const session = sessionOf(name)
      const message = check === undefined ? null : sessionMessage(fact, catalog, check)
      enter(session, sender, { fact, message, against: catalog })
      keep(name, session)
    },
    read(view, name, checkedHere) {
      return this.readFrom(view, name, sendersFor(view), checkedHere)
    },
    async readFrom(view, name, from, checkedHere) {
      const wanted = () => ({ place: view.place, name, senders: listed(from) })
      const session = sessionOf(name)
      const lists: (readonly Said[])[] = []
      if (session.after > 0) {
        const eras = receivedEras ?? view.eras
        keep(name, session)
        lists.push(await olderIn(log, session, { ...wanted(), eras }))
        // It may have been released meanwhile, and more been received since.
        if (kept.peek(name) === session) keep(name, session)
      }
      for (const [sender, received] of session.received) {
        if (isAmong(from, sender)) lists.push([...received.said])
      }
      if (view.basis > receivedTo) {
        const range = { from: receivedTo + 1, to: view.basis }
        lists.push(await readSaid(log, range, { ...wanted(), eras: view.eras }))
      }
      return readingOf(view, lists, checkedHere)
    },
  }
}

function enter(session: Session, sender: string, said: Said): void {
  const { fact } = said
  const received = session.received.get(sender) ?? { said: [], bytes: 0 }
  session.last = fact.position
  if (received.said.length > sessionMessagesMax || received.bytes > sessionBytesMax) return
  session.received.set(sender, received)
  received.said.push(said)
  received.bytes += fact.bytes.length
  session.size += sizeOf(fact.bytes, said.message?.check.values)
}

interface Wanted {
  readonly place: Place
  readonly name: string
  readonly senders: readonly string[]
  readonly eras: Eras
}

async function olderIn(log: LogReader, session: Session, wanted: Wanted): Promise<readonly Said[]> {
  const of = wanted.senders.join(' ')
  if (session.older?.of === of) return session.older.said
  const older = { of, said: readSaid(log, { from: 1, to: session.after }, wanted) }
  session.older = older
  try {
    const said = await older.said
    for (const { fact } of said) session.size += sizeOf(fact.bytes)
    return said
  } catch (error) {
    if (session.older === older) session.older = null
    throw error
  }
}

async function readSaid(
  log: LogReader,
  range: { readonly from: number; readonly to: number },
  { place, name, senders, eras }: Wanted,
): Promise<Said[]> {
  const names = senders.flatMap((sender) => patternsOf(place, 'vlp', sender, name, '*'))
  const said: Said[] = []
  let bytes = 0
  for await (const fact of log.read(range, names)) {
    if (!countsIn(eras, fact)) continue
    said.push({ fact, message: null, against: null })
    bytes += fact.bytes.length
    if (said.length > sessionMessagesMax || bytes > sessionBytesMax) break
  }
  return said
}

/** The messages of the session that count, of facts that are at hand in log order. */
export function readingAmong(
  view: View,
  session: string,
  facts: readonly Fact[],
  from: Senders = sendersFor(view),
): SessionRead {
  const found = facts.filter(({ name }) => {
    const parts = partsInRealm(name, view.place.realm)
    if (!isMessage(parts) || parts.tokens[1] !== session) return false
    return isAmong(from, parts.tokens[0] ?? '')
  })
  return readingOf(view, [found.map((fact) => ({ fact, message: null, against: null }))])
}

function sendersFor({ intent, catalog }: View): Senders {
  return { agent: agentIn(intent.address), others: sendersIn(catalog) }
}

function isAmong({ agent, others }: Senders, sender: string): boolean {
  return sender === agent || others.has(sender)
}

function listed({ agent, others }: Senders): readonly string[] {
  return [...new Set(agent === null ? others : [agent, ...others])]
}

/** Each list is in log order; nearly always there is one, of the agent alone. */
function readingOf(
  view: View,
  lists: readonly (readonly Said[])[],
  checkedHere?: Peeking,
): SessionRead {
  const [only = [], ...more] = lists
  const said = more.length === 0 ? only : lists.flat().toSorted(byPosition)
  const messages: SessionMessage[] = []
  let bytes = 0
  for (const one of said) {
    if (one.fact.position > view.basis || !countsIn(view.eras, one.fact)) continue
    bytes += one.fact.bytes.length
    if (messages.length === sessionMessagesMax || bytes > sessionBytesMax) {
      return { messages, overlong: true }
    }
    messages.push(checked(one, view.catalog, checkedHere))
  }
  return { messages, overlong: false }
}

function byPosition(one: Said, other: Said): number {
  return one.fact.position - other.fact.position
}

function checked(said: Said, catalog: Catalog, checkedHere?: Peeking): SessionMessage {
  const { against } = said
  if (said.message !== null && against !== null && readsAlike(against, catalog)) return said.message
  const found = checkedHere?.peek(said.fact.position, catalog)?.check
  const message = sessionMessage(said.fact, catalog, found)
  said.message = message
  said.against = catalog
  return message
}

// Of many principals this takes longer than all else about a session.
const senders = new WeakMap<Catalog, ReadonlySet<string>>()

/** Whose messages count beside the agent's own, as tokens. */
function sendersIn(catalog: Catalog): ReadonlySet<string> {
  const known = senders.get(catalog)
  if (known !== undefined) return known
  const trusted = catalog.trustedEvidence.map(({ sender }) => sender)
  const found = new Set([...trusted, ...askersOf(catalog)].map(token))
  senders.set(catalog, found)
  return found
}
