// Sessions as they were read, so that each message of a session is read and checked once and not
// again with every intent. It is only a memory of the log: what it answers is what the log says up
// to a basis.
import { LRUCache } from 'lru-cache'
import { agentIn, patternsOf, token } from '#core/names'
import type { View } from '#core/stage/view'
import { countsIn } from '#core/world/eras'
import { checkBytes } from '#core/vlp/check'
import type { SessionMessage } from '#core/vlp/session'
import type { Fact, Log } from '#ports/log'

/** More messages or bytes than these are not read, and an intent in such a session is refused. */
const sessionMessagesMax = 1_024
const sessionBytesMax = 16 * 1024 * 1024

const keptBytesMax = 64 * 1024 * 1024

interface Kept {
  /** Everything up to this position is here. */
  readonly upTo: number
  readonly messages: readonly SessionMessage[]
  readonly bytes: number
  /** Whether there is more than is ever read. */
  readonly overlong: boolean
  readonly known: readonly string[]
}

export interface Sessions {
  /**
   * The messages of the session up to the basis, in log order, from the agent and from whomever
   * the catalog trusts for anything; if the message refers to others, also from those who may be
   * asked to agree, since one of them may have asked the agent to act.
   */
  read(view: View, session: string): Promise<Pick<Kept, 'messages' | 'overlong'>>
}

export function readSessions(log: Pick<Log, 'read'>): Sessions {
  const kept = new LRUCache<string, Kept>({ maxSize: keptBytesMax })
  return {
    async read(view, session) {
      const names = namesOf(view, session)
      const { knownConstraints: known } = view.catalog
      const key = names.join(' ')
      const found = kept.get(key)
      const fits = found !== undefined && found.known === known && found.upTo <= view.basis
      const before = fits ? found : { upTo: 0, messages: [], bytes: 0, overlong: false, known }
      const after = await readOn(log, view, names, before)
      if (found === undefined || found.known !== known || after.upTo > found.upTo) {
        kept.set(key, after, { size: after.bytes + 1 })
      }
      return after
    },
  }
}

function namesOf({ intent, opening, catalog, place }: View, session: string): string[] {
  const agent = agentIn(intent.address)
  const trusted = catalog.trustedEvidence.map(({ sender }) => sender)
  const refersTo = opening.check.message?.refers_to ?? null
  const asked = refersTo === null ? [] : [...catalog.groups.values()].flatMap((one) => one.members)
  const senders = [...new Set([agent, ...[...trusted, ...asked].map(token)])].toSorted()
  return senders.flatMap((sender) => patternsOf(place, 'vlp', sender, session, '*'))
}

async function readOn(
  log: Pick<Log, 'read'>,
  view: View,
  names: readonly string[],
  before: Kept,
): Promise<Kept> {
  const messages = [...before.messages]
  let { bytes, overlong } = before
  const range = { from: before.upTo + 1, to: view.basis }
  if (range.from > range.to || overlong) return before
  for await (const fact of log.read(range, names)) {
    if (!countsIn(view.eras, fact)) continue
    bytes += fact.bytes.length
    overlong = messages.length === sessionMessagesMax || bytes > sessionBytesMax
    if (overlong) break
    messages.push(sessionMessage(fact, before.known))
  }
  return { upTo: view.basis, messages, bytes, overlong, known: before.known }
}

export function sessionMessage(fact: Fact, knownConstraints: readonly string[]): SessionMessage {
  const check = checkBytes(fact.bytes, { knownConstraints })
  const named = fact.name.split('.')[3] ?? ''
  const said = check.message?.sender
  const sender = said !== undefined && token(said) === named ? said : named
  return { name: fact.name, sender, position: fact.position, check }
}
