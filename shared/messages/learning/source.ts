// What gives rise to questions: a grounding that found gaps, a call that was allowed and failed, or
// a person who has an old question asked again.
import type { Ground, GroundingData, OutcomeData } from '#schemas/facts'
import type { From, ProposalData, Query, Template } from '#schemas/learning'
import type { IntentRef } from '#schemas/values'

export interface Source {
  readonly intent: IntentRef
  /** Where the intent was opened: what was skipped since then is not asked for it again. */
  readonly since: number
  readonly from: From
  readonly query: Query
  /** Of an outcome: what is known of the failure. */
  readonly failure: string | null
  /** Of a reopening: the question as it was. */
  readonly template: Template | null
}

interface Named<T> {
  readonly name: string
  readonly position: number
  readonly data: T
}

/** What a grounding asked of the graph. */
export function queryIn({ concepts, added, minDepth }: Ground): Query {
  return {
    concepts,
    ...(added !== undefined && { added }),
    ...(minDepth !== undefined && { minDepth }),
  }
}

/** Null for a grounding that asked the graph nothing. */
export function sourceOfGrounding({ name, position, data }: Named<GroundingData>): Source | null {
  const { intent, message, ground } = data
  if (ground === null) return null
  const from = { name, position }
  const query = queryIn(ground)
  return { intent, since: message.position, from, query, failure: null, template: null }
}

/** `grounding` is that which the verdict went by; null where nothing had to be known. */
export function sourceOfFailure(
  { name, position, data }: Named<OutcomeData>,
  grounding: Named<GroundingData>,
): Source | null {
  const found = sourceOfGrounding(grounding)
  const resolved = grounding.data.ground?.resolved ?? []
  // A code distinguishes failures; without one, its detail has to.
  const failure = data.code ?? data.detail
  if (found === null || data.outcome !== 'failed' || failure === undefined) return null
  const query = { ...found.query, concepts: [...new Set(resolved)] }
  return { ...found, from: { name, position }, query, failure }
}

/** What was asked in `proposal` is asked again, because of the reopening. */
export function sourceOfReopening(from: From, { data }: Named<ProposalData>): Source {
  const { intent, query, template } = data
  return { intent, since: from.position, from, query, failure: null, template }
}
