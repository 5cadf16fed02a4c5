// Beyond a person’s answers a day, a yes counts only in a batch: what is answered together, and is
// finished before the next begins. A no always counts.
import type { DecisionData } from '#schemas/review'
import {
  answersLeft,
  isBeyond,
  isSameBatch,
  nothingAnswered,
  withAnswer,
  type AnsweredLately,
} from '#messages/attention/answered'
import { answersPerDay } from '#rules/catalog/people/attention'
import type { Placed } from '#record/event'
import { partsInRealm } from '#record/names'
import { decisionRefusal } from '../../decision.ts'
import type { OpenIntent } from '../../intent.ts'
import type { State } from '../../state.ts'

type Known = Pick<State, 'catalog' | 'answers' | 'intents' | 'place'>

/**
 * Counts the answer where answers of that person are limited: why it counts for nothing, or null.
 * One that counts for nothing anyway takes nothing.
 */
export function takeAnswer(
  state: State,
  { review, decisions }: OpenIntent,
  decision: Placed<DecisionData>,
): string | null {
  const { data, appendedAt } = decision
  const { confirmer } = data
  const why = attentionRefusal(state, decision)
  if (why !== null || answersPerDay(state.catalog, confirmer) === null) return why
  if (review === null || decisionRefusal(state, review, decision, decisions) !== null) return null
  const before = state.answers.get(confirmer) ?? nothingAnswered
  const batch = batchFault(state, decision) === null ? (data.batch ?? null) : null
  state.answers.set(confirmer, withAnswer(before, appendedAt, batch))
  return null
}

/** Why the attention of its person lets it count for nothing, whatever else it says; or null. */
export function attentionRefusal(known: Known, decision: Placed<DecisionData>): string | null {
  const { data, appendedAt } = decision
  const perDay = answersPerDay(known.catalog, data.confirmer)
  if (perDay === null) {
    return data.batch === undefined ? null : 'nothing limits the answers of this person'
  }
  if (data.answers.includes(false)) return null
  if (data.batch !== undefined) return batchFault(known, decision)
  const before = known.answers.get(data.confirmer) ?? nothingAnswered
  if (!isBeyond(before, perDay, appendedAt)) return null
  return `${perDay} answers a day count one by one: decline it, or answer several together`
}

export interface AnswerBudget {
  readonly perDay: number
  /** How many count one by one still, and from when one does again where none does now. */
  readonly left: number
  readonly nextAt: number | null
  /** What this person answered together last, and what of that waits still: names of reviews. */
  readonly batch: readonly string[]
  readonly unfinished: readonly string[]
}

/** Null where nothing limits the answers of that person. */
export function answerBudget(known: Known, confirmer: string, at: number): AnswerBudget | null {
  const perDay = answersPerDay(known.catalog, confirmer)
  if (perDay === null) return null
  const lately = known.answers.get(confirmer) ?? nothingAnswered
  const unfinished = batchLeft(known, confirmer, at)
  return { perDay, ...answersLeft(lately, perDay, at), batch: lately.batch, unfinished }
}

/**
 * The batch in which that person answers these reviews: the one that is begun where they are left
 * of it, else these together. Null where nothing limits the answers, or where it is one alone.
 */
export function batchFor(
  known: Known,
  of: { readonly names: readonly string[]; readonly confirmer: string; readonly at: number },
): readonly string[] | null {
  const { names, confirmer, at } = of
  if (answersPerDay(known.catalog, confirmer) === null) return null
  const left = batchLeft(known, confirmer, at)
  if (names.every((name) => left.includes(name))) return known.answers.get(confirmer)?.batch ?? null
  return names.length < waitingMin ? null : names
}

/** What is left of the batch that this person has begun: the names of reviews that wait. */
function batchLeft(known: Known, confirmer: string, at: number): readonly string[] {
  const { batch } = known.answers.get(confirmer) ?? nothingAnswered
  return batch.filter((name) => waitsFor(known, { name, confirmer, at }))
}

// Two at least must wait for this person when a batch begins: one alone is no batch, whatever else
// it lists. The rest may be decided by others meanwhile.
function batchFault(known: Known, decision: Placed<DecisionData>): string | null {
  const { data, appendedAt: at } = decision
  const { batch = [], confirmer, review } = data
  if (!batch.includes(review)) return 'it is not in the batch that it names'
  if (new Set(batch).size < batch.length) return 'its batch names a review twice'
  const { batch: begun }: AnsweredLately = known.answers.get(confirmer) ?? nothingAnswered
  if (isSameBatch(begun, batch)) return null
  if (batchLeft(known, confirmer, at).length > 0) {
    return 'a batch of this person is not finished: answer what is left of it first'
  }
  const waiting = batch.filter((name) => waitsFor(known, { name, confirmer, at }))
  return waiting.length >= waitingMin ? null : 'fewer than two of its batch wait for this person'
}

const waitingMin = 2

function waitsFor(
  { intents, place }: Known,
  of: { readonly name: string; readonly confirmer: string; readonly at: number },
): boolean {
  const address = partsInRealm(of.name, place.realm)?.address ?? ''
  const { review = null, decisions = [] } = intents.get(address) ?? {}
  if (review?.name !== of.name || review.decideBy < of.at) return false
  if (!review.confirmers.includes(of.confirmer)) return false
  return !decisions.some(({ data }) => data.confirmer === of.confirmer)
}
