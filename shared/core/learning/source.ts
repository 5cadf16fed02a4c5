// What gives rise to proposals: a grounding that found gaps, or a call that was allowed and failed.
import type { Ground, GroundingData, OutcomeData } from '#schemas/facts'
import type { Asked } from '#schemas/learning'
import type { IntentRef } from '#schemas/values'

export interface Source {
  readonly intent: IntentRef
  /** Where the intent was opened: what was skipped since then is not asked for it again. */
  readonly since: number
  /** The grounding that found the gaps, or the outcome that failed. */
  readonly from: string
  readonly asked: Asked
  /** Of an outcome: what was said of the failure. */
  readonly failure: string | null
}

interface Named<T> {
  readonly name: string
  readonly data: T
}

/** What a grounding asked of the graph. */
export function askedIn({ concepts, minDepth }: Ground): Asked {
  return { concepts, ...(minDepth !== undefined && { minDepth }) }
}

/** Null for a grounding that asked the graph nothing. */
export function sourceOfGrounding({ name, data }: Named<GroundingData>): Source | null {
  const { intent, message, ground } = data
  if (ground === null) return null
  const asked = askedIn(ground)
  return { intent, since: message.position, from: name, asked, failure: null }
}

/** `grounding` is that which the verdict went by; null where nothing had to be known. */
export function sourceOfFailure(
  { name, data }: Named<OutcomeData>,
  grounding: Named<GroundingData>,
): Source | null {
  const found = sourceOfGrounding(grounding)
  const resolved = grounding.data.ground?.resolved ?? []
  if (found === null || data.outcome !== 'failed' || data.detail === undefined) return null
  const asked = { ...found.asked, concepts: [...new Set(resolved)] }
  return { ...found, from: name, asked, failure: data.detail }
}
