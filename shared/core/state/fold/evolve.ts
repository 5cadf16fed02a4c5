// The fold: what each fact makes of the state. A fact that is void changes nothing but what is
// used, and no fact, no matter who bound it, may ever stop it.
import type { GroundingData } from '#schemas/facts'
import type { WithdrawalData } from '#schemas/facts'
import type { ContentOf } from '#schemas/kinds'
import { jsonOf } from '../../kernel/canonical.ts'
import { readEvent, type Placed } from '../../kernel/event.ts'
import { eraOf, partsInRealm, partsOf, token, type NameParts } from '../../kernel/names.ts'
import { isSignedBySpeaker } from '../../messages/sender.ts'
import { strayDecision } from '../decision.ts'
import { evolveLift, isStopped } from '../agents.ts'
import { evolveCatalog, evolveGraph } from './changes.ts'
import { noteEarly } from '../early.ts'
import { openGrounding, openReview, type OpenIntent } from '../intent.ts'
import { shared } from './shared.ts'
import { evolveReopening, evolveRuling } from './rulings.ts'
import { closeIntent, evolveMessage } from './messages.ts'
import { takenBack } from '../requests.ts'
import { noteFailed } from './misses.ts'
import { evolveExpiry, evolveMeeting, evolveProposal, evolveSuggestion } from './proposals.ts'
import { numberOf } from '../sequence.ts'
import { evolveSnapshot } from './era-change.ts'
import { passTime } from './budget.ts'
import { evolveUse } from './use.ts'
import { evolveVerdict } from './closing.ts'
import type { FoldCaches } from '../caches/fold-caches.ts'
import type { State } from '../state.ts'
import type { Folded, LoggedFact } from '../folded.ts'

/**
 * Folds the next fact. Facts must come in order; a void one changes nothing but what is used. The
 * caches save work, and change nothing of what it comes to.
 */
export function evolve(state: State, fact: LoggedFact, caches?: FoldCaches): Folded {
  const before = state.appendedAt
  state.position = fact.position
  state.appendedAt = fact.appendedAt
  // What is sealed stands still.
  if (state.budgets.size > 0 && state.sealed === null) passTime(state)
  const parts = partsOf(fact.name, state.place)
  if (parts === null) return evolveOther(state, fact, before)
  if (state.sealed !== null) return { parts, void: 'its era was sealed before it' }
  const { principals } = state.catalog
  if (parts.kind === 'vlp') return { parts, ...evolveMessage(state, fact, parts, caches) }
  if (parts.kind === 'grounding') return evolveGrounding(state, fact, parts, caches)
  const why = evolveKind(state, shared(state, fact, parts.kind), parts, caches)
  if (state.catalog.principals === principals) return { parts, void: why }
  return { parts, void: why, stopped: stoppedIn(state) }
}

// A grounding that opens nothing has found that the message counts for nothing.
function evolveGrounding(
  state: State,
  fact: LoggedFact,
  parts: NameParts,
  caches?: FoldCaches,
): Folded {
  const intent = state.intents.get(parts.address ?? '')
  const why = evolveIntent(state, fact, parts, caches)
  if (intent === undefined || state.intents.has(intent.address)) return { parts, void: why }
  const { name, position } = intent
  return { parts, void: why, voids: { name, position, why: 'its address was used before its era' } }
}

// A catalog that suspends an agent stops what it has open.
function stoppedIn(state: State): readonly string[] {
  const stopped = [...state.intents.values()].filter((intent) => isStopped(state, intent))
  return stopped.map(({ address }) => address)
}

// Of another era there is only what the next one opens with; all else is void, wherever it stands.
function evolveOther(state: State, fact: LoggedFact, before: number): Folded {
  const { realm, era } = state.place
  const other = partsInRealm(fact.name, realm)
  if (other === null) return { parts: null, void: 'its name is of no kind of this realm and era' }
  if (other.place.era < era) return { parts: null, void: 'its era was sealed before it' }
  if (other.place.era > era + 1 || other.kind !== 'snapshot') {
    noteEarly(state.sealed?.early ?? state.early, other)
    return { parts: null, void: 'its era has not begun' }
  }
  const number = numberOf(other.tokens[0])
  return { parts: other, void: evolveSnapshot(state, fact, { number, before }) }
}

function evolveKind(
  state: State,
  fact: LoggedFact,
  parts: NameParts,
  caches?: FoldCaches,
): string | null {
  switch (parts.kind) {
    case 'graph':
      return evolveGraph(state, fact, numberOf(parts.tokens[0]))
    case 'catalog':
      return evolveCatalog(state, fact, numberOf(parts.tokens[0]))
    case 'rate':
    case 'asked':
    case 'budget':
      return evolveUse(state, fact, parts, caches)
    case 'verdict':
      return evolveVerdict(state, fact, parts, caches)
    case 'grounding':
    case 'hold':
    case 'resume':
    case 'review':
    case 'decision':
    case 'withdrawal':
      return evolveIntent(state, fact, parts, caches)
    case 'outcome':
    case 'ownoutcome':
      if (caches !== undefined) noteFailed(caches.misses, state, fact, parts.kind)
      return null
    case 'lift':
      return evolveLift(state, fact, parts)
    case 'proposal':
      return evolveProposal(state, fact, parts)
    case 'meeting':
      return evolveMeeting(state, fact, parts)
    case 'suggestion':
      return evolveSuggestion(state, fact, parts)
    case 'expiry':
      return evolveExpiry(state, fact, parts)
    case 'ruling':
      return evolveRuling(state, fact, parts)
    case 'reopening':
      return evolveReopening(state, fact, parts)
    case 'fault':
    case 'start':
    case 'ownstart':
      return null
    case 'vlp':
    case 'snapshot':
      return 'its era has begun already'
  }
}

function evolveIntent(
  state: State,
  fact: LoggedFact,
  parts: NameParts,
  caches?: FoldCaches,
): string | null {
  const intent = state.intents.get(parts.address ?? '')
  if (intent === undefined) return 'no such intent is open'
  if (isRepeated(intent, parts)) return 'an earlier era has it already'
  const next =
    parts.kind === 'grounding'
      ? grounded(intent, fact, parts, caches)
      : nextIntent(state, intent, fact, parts, caches)
  if (typeof next === 'string') return next
  if (next === null) closeIntent(state, intent.address, caches)
  else state.intents.set(intent.address, next)
  return null
}

// Within an era a name is bound once. What an intent brought with it from an era before is not said
// again under a name of this one: no one answers twice, and nothing is replaced.
function isRepeated(intent: OpenIntent, { kind, tokens, place }: NameParts): boolean {
  if (eraOf(intent.name) === place.era) return false
  const attempt = numberOf(tokens[3]) ?? 0
  switch (kind) {
    case 'grounding':
      return attempt <= (intent.grounding?.attempt ?? 0)
    case 'hold':
      return attempt < intent.attempt || attempt <= (intent.hold?.attempt ?? 0)
    case 'review':
      return attempt < intent.reviewNext
    case 'decision':
      return intent.decisions.some(({ name }) => name.split('.')[7] === tokens[4])
    case 'withdrawal':
      return intent.withdrawn !== null
    default:
      return false
  }
}

/** Null where an earlier era has its address: it opens nothing. */
function grounded(
  intent: OpenIntent,
  fact: LoggedFact,
  parts: NameParts,
  caches?: FoldCaches,
): OpenIntent | null | string {
  const next = (data: GroundingData) => withGrounding(intent, { fact, parts, data }, caches)
  const written = caches?.facts.writtenGrounding(fact) ?? null
  if (written !== null) return next(written)
  return read('grounding', fact, intent, next)
}

function withGrounding(
  intent: OpenIntent,
  {
    fact,
    parts,
    data,
  }: { readonly fact: LoggedFact; readonly parts: NameParts; readonly data: GroundingData },
  caches?: FoldCaches,
): OpenIntent | null | string {
  if (numberOf(parts.tokens[3]) !== data.attempt) return 'it says another attempt'
  caches?.facts.keepGrounding(fact, data)
  const { earlier } = data
  if (earlier === undefined) return { ...intent, grounding: openGrounding(fact, data) }
  return isEarlier(earlier, parts) ? null : 'it names no message of an earlier era'
}

/** Whether that is the name of a message at the same address in an era before. */
function isEarlier(name: string, { place, address }: NameParts): boolean {
  const before = partsInRealm(name, place.realm)
  return before?.kind === 'vlp' && before.address === address && before.place.era < place.era
}

type IntentKind = 'grounding' | 'hold' | 'resume' | 'review' | 'decision' | 'withdrawal'

function nextIntent(
  state: State,
  intent: OpenIntent,
  fact: LoggedFact,
  parts: NameParts,
  caches?: FoldCaches,
): OpenIntent | string {
  switch (parts.kind) {
    case 'hold':
      return read('hold', fact, intent, ({ attempt, until }) =>
        numberOf(parts.tokens[3]) === attempt
          ? { ...intent, hold: { attempt, until: Date.parse(until) } }
          : 'it says another attempt',
      )
    case 'resume':
      return read('resume', fact, intent, ({ attempt }) =>
        numberOf(parts.tokens[3]) === attempt && intent.hold?.attempt === attempt
          ? { ...intent, attempt: attempt + 1, hold: null }
          : 'no such attempt is held',
      )
    case 'review':
      return reviewed(state, intent, fact, { number: numberOf(parts.tokens[3]), caches })
    case 'decision':
      return read('decision', fact, intent, (data) => {
        const decision = placed(fact, data)
        const why = strayDecision(intent.review, decision)
        return why ?? { ...intent, decisions: [...intent.decisions, decision] }
      })
    case 'withdrawal':
      return read('withdrawal', fact, intent, (data) => {
        const why = withdrawalRefusal(state, fact.name, data)
        return why ?? takenBack(state, intent, 'withdrawal')
      })
    default:
      return 'it is not about an intent'
  }
}

// A review takes the place of the one before, and what was answered to that one with it.
function reviewed(
  state: State,
  intent: OpenIntent,
  fact: LoggedFact,
  { number, caches }: { readonly number: number | null; readonly caches: FoldCaches | undefined },
): OpenIntent | string {
  if (number !== intent.reviewNext) return 'it is not the next review'
  // Readable or not, its number is used.
  state.intents.set(intent.address, { ...intent, reviewNext: number + 1 })
  return read('review', fact, intent, (data) => {
    if (data.number !== number) return `it says number ${data.number}`
    caches?.facts.keepReview(fact, data)
    const known = (id: string): string => state.catalog.principals.get(id)?.id ?? id
    const review = openReview(fact, data, known)
    return { ...intent, review, reviewNext: number + 1, decisions: [] }
  })
}

function read<K extends IntentKind, Next>(
  kind: K,
  fact: LoggedFact,
  intent: OpenIntent,
  evolved: (data: ContentOf<K>) => Next,
): Next | string {
  const reading = readEvent(kind, fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  return data.intent.address === intent.address ? evolved(data) : 'its intent is another'
}

// Only the agent takes its own word back, and one that ever had a key must sign that too.
function withdrawalRefusal(
  { catalog, log }: State,
  name: string,
  data: WithdrawalData,
): string | null {
  const { signature, ...signed } = data
  if (token(data.intent.agent) !== name.split('.')[3]) return 'it is another agent’s'
  const keys = catalog.principals.get(data.intent.agent)?.keys ?? []
  if (!catalog.keyed.has(data.intent.agent)) return null
  const isSigned =
    signature !== undefined && isSignedBySpeaker(keys, { log, name }, jsonOf(signed), signature)
  return isSigned ? null : 'its agent has a key and did not sign it'
}

function placed<T>(fact: LoggedFact, data: T): Placed<T> {
  return { name: fact.name, position: fact.position, appendedAt: fact.appendedAt, data }
}
