// What the playground and its worker say to each other.
import type { JudgedTexts, JudgingTexts } from '#cases/judged'

export interface JudgingAsked {
  readonly number: number
  readonly texts: JudgingTexts
}

export interface JudgingAnswer {
  readonly number: number
  /** The verdict comes first, without the test cases; null where it failed. */
  readonly judged: JudgedTexts | null
  readonly failed?: string
  readonly isLast: boolean
  /** How long the worker had run before it was asked first, and how long it judged. */
  readonly loadedMs: number
  readonly judgedMs: number
}
