// What a decider reads around an intent, from facts that are at hand: the same that a worker
// gathers from a log, in one step.
import { readData } from '#record/event'
import { agentIn, partsInRealm, sessionIn } from '#record/names'
import { namesReferred, type SessionMessage } from '#messages/session'
import { nextCited, sendersOf } from '#stages/chain/citing'
import { agreedReview, reviewBehind, verdictsBefore } from '#stages/values/agreed'
import { actsAmong, callsBefore } from '#stages/values/earlier-acts'
import type { Context, View } from '#stages/view'
import { blockedElsewhere } from '#state/agents'
import type { LoggedFact } from '#state/folded'
import { sessionMessage } from '#runtime/engine/gathering/checked-messages'
import { messagesReferred } from '#runtime/engine/gathering/gather'
import { readingAmong } from '#runtime/engine/gathering/sessions'
import type { ContentOf } from '#schemas/contents'

export interface StageInput {
  readonly facts: readonly LoggedFact[]
  readonly named: ReadonlyMap<string, LoggedFact>
}

export function contextAround({ facts, named }: StageInput, view: View): Context {
  const { intent, opening } = view
  const { grounding, review } = intent
  const session = sessionIn(intent.address)
  const { message } = opening.check
  const refs = message === null ? [] : namesReferred(message)
  const cited = refs
    .filter((name) => partsInRealm(name, view.place.realm)?.kind === 'vlp')
    .flatMap((name) => named.get(name) ?? [])
  const read = session === '-' ? null : readingAmong(view, session, facts)
  const chain = chainAround({ facts, named }, view)
  const calls = callsBefore(view, { session: read?.messages ?? [], chain })
  return {
    session: read?.messages ?? [],
    referred: messagesReferred(view, cited, sessionMessage),
    overlong: read?.overlong ?? false,
    earlier: null,
    grounding: dataIn(named, 'grounding', grounding),
    review: dataIn(named, 'review', review),
    block: blockElsewhere(view, facts),
    chain,
    agreed: verdictsBefore(view, read?.messages ?? [])
      .flatMap((name) => reviewBehind(view, named.get(name)) ?? [])
      .flatMap(({ review: name, agreement }) => {
        return agreedReview(view, named.get(name), agreement) ?? []
      }),
    acts: calls === null ? null : actsAmong(view, calls, named),
  }
}

/** What that fact says; null where there is none, or where it cannot be read. */
export function dataIn<K extends 'grounding' | 'review'>(
  named: StageInput['named'],
  kind: K,
  at: { readonly name: string } | null,
): ContentOf<K> | null {
  return readData(kind, at === null ? undefined : named.get(at.name))
}

/** The first block of another session in which the agent spoke before it was blocked. */
function blockElsewhere(view: View, facts: readonly LoggedFact[]): Context['block'] {
  const agent = agentIn(view.intent.address)
  return blockWhere(view, facts, { agent, in: view.elsewhere })
}

function blockWhere(
  { place }: View,
  facts: readonly LoggedFact[],
  { agent, in: blocks }: { readonly agent: string; readonly in: View['elsewhere'] },
): Context['block'] {
  for (const [session, block] of blocks) {
    const hasSpoken = facts.some(({ name, position }) => {
      const parts = partsInRealm(name, place.realm)
      const isThere = parts?.kind === 'vlp' && parts.tokens[1] === session
      return isThere && parts.tokens[0] === agent && position <= block.position
    })
    if (hasSpoken) return block
  }
  return null
}

/** The delegations that the intent cites, and what their senders said beside them. */
function chainAround({ facts, named }: StageInput, view: View): Context['chain'] {
  const { stops } = view
  if (stops === null) return null
  const cited: SessionMessage[] = []
  for (let next = nextCited(view, cited); next !== null; next = nextCited(view, cited)) {
    const fact = named.get(next)
    if (fact === undefined || fact.position > view.basis) break
    cited.push(sessionMessage(fact, view.catalog))
  }
  const from = { agent: null, others: new Set(sendersOf(cited)) }
  const read = readingAmong(view, sessionIn(view.intent.address), facts, from)
  const blocked = cited.flatMap(({ name }) => {
    const address = name.split('.').slice(3).join('.')
    const agent = agentIn(address)
    const elsewhere = blockedElsewhere(stops, address)
    return blockWhere(view, facts, { agent, in: elsewhere }) === null ? [] : [agent]
  })
  return { cited, said: read.messages, overlong: read.overlong, blocked }
}
