// What the fold makes of a fact that stands where a person's answer would. One that counts for
// nothing is void, and under rules that have it does not use that person's name up: the review is
// opened again under its next number.
import type { DecisionData } from '#schemas/review'
import { hasRules } from '#rules/catalog/rules-version'
import { readEvent, type Placed } from '#record/event'
import { partsInRealm, token, type NameParts } from '#record/names'
import { deputyRefusal } from '#messages/people/standing-in'
import { answererOf, countedDecisions, decisionRefusal, strayDecision } from '../decision.ts'
import type { LoggedFact } from '../folded.ts'
import type { OpenIntent } from '../intent.ts'
import { numberOf } from '../sequence.ts'
import { allSlices } from '../slices/list.ts'
import type { State } from '../state.ts'

/** So many names of void facts are kept in mind for the reviews of one intent that are to come. */
const takenMax = 64

/** The intent with the answer, or why that counts for nothing. */
export function answered(
  state: State,
  intent: OpenIntent,
  fact: LoggedFact,
  parts: NameParts,
): OpenIntent | string {
  const found = decisionIn(fact, intent)
  const why = typeof found === 'string' ? found : voidAnswer(state, intent, found)
  if (typeof found !== 'string' && why === null) {
    return { ...intent, decisions: [...intent.decisions, found] }
  }
  if (hasRules(state.catalog, 'spoiltAnswers')) {
    state.intents.set(intent.address, withSpoilt(state, intent, fact, parts))
  }
  return why ?? 'it is no answer'
}

function decisionIn(fact: LoggedFact, { address }: OpenIntent): Placed<DecisionData> | string {
  const reading = readEvent('decision', fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  if (data.intent.address !== address) return 'its intent is another'
  const { name, position, appendedAt } = fact
  return { name, position, appendedAt, data }
}

// What rules before this did not look at was refused when it was counted: it was kept till then.
function voidAnswer(state: State, intent: OpenIntent, answer: Placed<DecisionData>): string | null {
  const { review, decisions } = intent
  const stray = strayDecision(review, answer)
  if (stray !== null || review === null) return stray
  const refused = hasRules(state.catalog, 'spoiltAnswers')
    ? decisionRefusal(state, review, answer, decisions)
    : null
  if (refused !== null) return refused
  for (const take of taking) {
    const why = take(state, intent, answer)
    if (why !== null) return why
  }
  return null
}

const taking = allSlices.flatMap((slice) => slice.answer ?? [])

/** Why an answer that older rules keep counts for nothing; null where it counts, or is void. */
export function uncountedAnswer(state: State, fact: LoggedFact, address: string): string | null {
  if (hasRules(state.catalog, 'spoiltAnswers')) return null
  const { review = null, decisions = [] } = state.intents.get(address) ?? {}
  const answer = decisions.at(-1)
  if (review === null || answer?.name !== fact.name) return null
  return decisionRefusal(state, review, answer, decisions.slice(0, -1))
}

function withSpoilt(
  state: State,
  intent: OpenIntent,
  { name, appendedAt }: LoggedFact,
  { tokens }: NameParts,
): OpenIntent {
  const { review, spoilt, reviewNext, taken = [] } = intent
  const number = numberOf(tokens[3]) ?? 0
  if (number >= reviewNext) {
    return taken.length < takenMax ? { ...intent, taken: [...taken, name] } : intent
  }
  if (review === null || number !== review.number || spoilt !== undefined) return intent
  const who = tokens[4] ?? ''
  if (appendedAt > review.decideBy || !mayAnswer(state, intent, who, appendedAt)) return intent
  return { ...intent, spoilt: name }
}

/** Of the names that were taken before that review came, one of someone who may answer it. */
export function spoiltBefore(state: State, intent: OpenIntent): string | undefined {
  const { review, taken = [] } = intent
  if (review === null) return undefined
  return taken.find((name) => {
    const { tokens } = partsInRealm(name, state.place.realm) ?? { tokens: [] }
    if (numberOf(tokens[3]) !== review.number) return false
    return mayAnswer(state, intent, tokens[4] ?? '', review.appendedAt)
  })
}

/** Whether an answer of that person, given as a token, would still add something to the review. */
function mayAnswer(state: State, intent: OpenIntent, who: string, at: number): boolean {
  const { review, decisions } = intent
  if (review === null) return false
  const counted = countedDecisions(state, review, decisions)
  if (counted.some(({ data }) => token(data.confirmer) === who)) return false
  const answeredFor = new Set(counted.map(({ data }) => answererOf(data)))
  return review.confirmers.some((id) => {
    if (answeredFor.has(id)) return false
    if (token(id) === who) return true
    const deputy = state.people.absences.get(id)?.data.deputy ?? null
    if (deputy === null || token(deputy) !== who) return false
    return deputyRefusal(state, review, { deputy, absent: id, at }) === null
  })
}
