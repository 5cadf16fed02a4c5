// One open intent as the log has it up to a position: an immutable value, replaced by each fact
// about it and forgotten with its verdict, so that memory holds only what is still open.
import type { DecisionData, GroundingData, RateData, ReviewData } from '#schemas/facts'

/** A fact about an intent, with what only the log may say of it. */
export interface Placed<T> {
  readonly name: string
  readonly position: number
  readonly appendedAt: number
  readonly data: T
}

export interface OpenIntent {
  /** `<agent>.<session>.<ulid>` as tokens. */
  readonly address: string
  /** The name of the opening message. */
  readonly name: string
  readonly position: number
  readonly appendedAt: number
  /** The latest. */
  readonly grounding: Placed<GroundingData> | null
  /** Until when policy holds the attempt of `grounding`; null where it does not. */
  readonly hold: { readonly attempt: number; readonly until: number } | null
  /** The attempt that learning has asked for; 1 until it did. */
  readonly attempt: number
  /** The digest of what a person saw of it while it was held; null where no one did. */
  readonly shown: string | null
  readonly use: Placed<RateData> | null
  readonly review: Placed<ReviewData> | null
  /** In log order; void ones are not here. */
  readonly decisions: readonly Placed<DecisionData>[]
  readonly withdrawnAt: number | null
}

export function openIntent(
  address: string,
  fact: { readonly name: string; readonly position: number; readonly appendedAt: number },
): OpenIntent {
  return {
    address,
    name: fact.name,
    position: fact.position,
    appendedAt: fact.appendedAt,
    grounding: null,
    hold: null,
    attempt: 1,
    shown: null,
    use: null,
    review: null,
    decisions: [],
    withdrawnAt: null,
  }
}
