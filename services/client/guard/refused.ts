// What a program gets where it may not act: the reasons, how to recover from each, and the gaps.
import { modelText } from '#present/story/for-model'
import { reasonText } from '#present/reason-text'
import type { Gap } from '#schemas/graph'
import type { Reason } from '#schemas/reasons'
import type { Verdict } from '#replay/verdicts/verdict'

/** Thrown by a guarded function that did not run. */
export class Refused extends Error {
  readonly verdict: Verdict
  /** The address of the intent. */
  readonly intent: string
  readonly reasons: readonly Reason[]
  readonly gaps: readonly Gap[]
  readonly #capability: string

  constructor(verdict: Verdict, capability: string) {
    const first = verdict.reasons[0]
    super(first === undefined ? 'refused' : `${first.code}: ${reasonText(first)}`)
    this.name = 'Refused'
    this.verdict = verdict
    this.intent = verdict.intent
    this.reasons = verdict.reasons
    this.gaps = verdict.gaps
    this.#capability = capability
  }

  /** For the language model that called the tool: why it did not run, and what it may do now. */
  forModel(): string {
    return modelText(this.#capability, this.reasons, this.gaps)
  }
}
