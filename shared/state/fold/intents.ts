// The fold of what is about one open intent: each fact leaves it changed, or closes it.
import type { GroundingData } from '#schemas/facts'
import type { ContentOf } from '#schemas/contents'
import { hasRules } from '#rules/catalog/rules-version'
import { readEvent, type Stamp } from '#record/event'
import { agentIn, eraOf, partsInRealm, tokenAt, type NameParts } from '#record/names'
import type { FoldCaches } from '../caches/fold-caches.ts'
import { agentStateOf, ownWordRefusal, withAgent } from '../agents.ts'
import { handedOver } from '../slices/people/saying.ts'
import type { LoggedFact } from '../folded.ts'
import { openGrounding, openReview, succeeding, type OpenIntent } from '../intent.ts'
import { expectNoEqual, takenBack } from '../requests.ts'
import { numberOf } from '../sequence.ts'
import type { State } from '../state.ts'
import { answered, spoiltBefore } from './answer-facts.ts'

/** Folds what is about one open intent: why it counts for nothing, or null. */
export function evolveIntent(
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
      return intent.decisions.some(({ name }) => tokenAt(name, 7) === tokens[4])
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

type IntentKind =
  | 'grounding'
  | 'hold'
  | 'resume'
  | 'review'
  | 'decision'
  | 'handover'
  | 'withdrawal'

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
      return answered(state, intent, fact, parts)
    case 'handover':
      return read('handover', fact, intent, (data) => handedOver(state, intent, fact, data))
    case 'withdrawal':
      return read('withdrawal', fact, intent, (data, { via }) => {
        const { agent } = data.intent
        const why = ownWordRefusal(state, fact.name, { agent, data, via })
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
    if (data.spoiltBy !== undefined && !hasRules(state.catalog, 'spoiltAnswers')) {
      return 'the rules of this log open no review again'
    }
    caches?.facts.keepReview(fact, data)
    const known = (id: string): string => state.catalog.principals.get(id)?.id ?? id
    const review = succeeding(intent.review, openReview(fact, data, known), data)
    const { handovers, spoilt: _, ...rest } = intent
    const { decisions, reopened = 0 } = intent
    const isAgain = review.reopens !== undefined
    const kept = isAgain
      ? { decisions, reopened: reopened + 1, ...(handovers !== undefined && { handovers }) }
      : { decisions: [] }
    const next = { ...rest, review, reviewNext: number + 1, ...kept }
    const taken = spoiltBefore(state, next)
    return taken === undefined ? next : { ...next, spoilt: taken }
  })
}

function read<K extends IntentKind, Next>(
  kind: K,
  fact: LoggedFact,
  intent: OpenIntent,
  evolved: (data: ContentOf<K>, stamp: Stamp) => Next,
): Next | string {
  const reading = readEvent(kind, fact)
  if (!reading.ok) return reading.why
  const { data, stamp } = reading.event
  return data.intent.address === intent.address ? evolved(data, stamp) : 'its intent is another'
}

/** Readable or not, the name of its verdict is used: no other can come. */
export function evolveVerdict(
  state: State,
  { name }: LoggedFact,
  { address }: NameParts,
  caches?: FoldCaches,
): null {
  caches?.drawnUp.folded(name)
  closeIntent(state, address ?? '', caches)
  return null
}

function closeIntent(state: State, address: string, caches?: FoldCaches): void {
  const intent = state.intents.get(address)
  if (intent === undefined) return
  state.intents.delete(address)
  expectNoEqual(state, intent)
  caches?.messages.forget(intent.position)
  caches?.facts.forget(intent)
  const agent = agentIn(address)
  const agentState = agentStateOf(state, address)
  withAgent(state, agent, { ...agentState, open: Math.max(0, agentState.open - 1) })
}
