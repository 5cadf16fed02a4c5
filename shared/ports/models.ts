// Models: what turns a question into an answer of a given shape. A model only ever proposes, so
// nothing that it says may be believed before it was parsed, nor known before a person ruled on it.
import type { SuggestionFault } from '#schemas/learning'

export interface ModelQuestion {
  /** What the model is here for. */
  readonly system: string
  /** What is asked; it may quote agents, so it may say anything. */
  readonly user: string
  /** The JSON Schema that the answer is asked to follow. It may be ignored. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Ends the wait early, as `failed`. */
  readonly signal?: AbortSignal
}

/** `answer` is JSON of at most `modelBytesMax`, of whatever shape: not yet believed. */
export type ModelAnswer = { readonly answer: unknown } | { readonly failed: SuggestionFault }

export interface Model {
  /** What stands in the record as the one who proposed. */
  readonly name: string

  /**
   * Asks once. Must settle within the limit that the model was made with, and must never throw: no
   * answer, one that is too large and one that is no JSON are `failed`, as a code that reveals
   * nothing of what was answered.
   */
  ask(question: ModelQuestion): Promise<ModelAnswer>
}

/** After this many milliseconds no one waits for a model, unless it was made with another limit. */
export const modelMsMax = 60_000
/** The largest answer, as it stands on the wire and by itself. */
export const modelBytesMax = 262_144
