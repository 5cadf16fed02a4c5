// What a program gets where it may not act: the reasons, how to recover from each, and the gaps.
import { reasonText } from '#present/reason-text'
import type { Gap } from '#schemas/graph'
import type { Reason } from '#schemas/reasons'
import type { Verdict } from '../verdict.ts'

/** Thrown by a guarded function that did not run. */
export class Refused extends Error {
  readonly verdict: Verdict
  readonly reasons: readonly Reason[]
  readonly gaps: readonly Gap[]

  constructor(verdict: Verdict) {
    const first = verdict.reasons[0]
    super(first === undefined ? 'refused' : `${first.code}: ${reasonText(first)}`)
    this.name = 'Refused'
    this.verdict = verdict
    this.reasons = verdict.reasons
    this.gaps = verdict.gaps
  }
}
