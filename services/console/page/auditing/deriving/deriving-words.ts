// What the page and the worker that derives say to each other.
import type { DerivedAgain } from '#replay/backup/derive-again'
import type { Fact } from '#ports/log'

export interface DerivingAsked {
  readonly facts: readonly Fact[]
  readonly realm: string
  readonly intent: string
}

export type DerivingAnswer =
  | {
      readonly facts: readonly DerivedAgain[]
      /** The log’s identity, as the facts themselves say it. */
      readonly log: string | null
      /** Answers of callbacks that were read back and not derived. */
      readonly readBack: number
      readonly failed?: never
    }
  | { readonly failed: string; readonly facts?: never }
