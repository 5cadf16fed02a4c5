// What finished work scores: one table for all of it, in which the first rule that fits decides. It
// judges what was found, and never what a worker says of itself beyond its status.
import type { scoreRules } from '#schemas/work/facts'
import { isWhiteSpace } from '#knowledge/known/white-space'
import { showsNothing } from '#knowledge/known/invisible'

export type WorkStatus = 'success' | 'blocked' | 'failed'

/** `inconclusive` and `error` prove nothing, and count as `unverified`. */
export type WorkVerification = 'verified' | 'refuted' | 'unverified' | 'inconclusive' | 'error'

export type ScoreRule = (typeof scoreRules)[number]

export interface FinishedWork {
  readonly status: WorkStatus
  readonly verification: WorkVerification
  /** How many attempts came before this one: an integer from 0. */
  readonly retries: number
  // From the worker: may be anything. Only a text can name a need or a reason.
  readonly whatINeed?: unknown
  readonly whatFailed?: unknown
}

export interface WorkScore {
  /** From −1 to 1. */
  readonly score: number
  readonly rule: ScoreRule
}

const scores: Readonly<Record<ScoreRule, number>> = {
  schema_invalid: -0.5,
  verified_first: 1,
  verified_retry: 0.7,
  refuted: -1,
  unverified: 0,
  blocked_with_need: 0.5,
  blocked_without_need: 0,
  failed_with_reason: 0,
  failed_without_reason: -0.5,
}

/** Null is a report that could not be read. Never throws. */
export function scoreOf(work: FinishedWork | null): WorkScore {
  const rule = work === null ? 'schema_invalid' : ruleOf(work)
  return { score: scores[rule], rule }
}

function ruleOf(work: FinishedWork): ScoreRule {
  switch (work.status) {
    case 'success':
      return successRule(work)
    case 'blocked':
      return namesSomething(work.whatINeed) ? 'blocked_with_need' : 'blocked_without_need'
    case 'failed':
      return namesSomething(work.whatFailed) ? 'failed_with_reason' : 'failed_without_reason'
  }
}

function successRule({ verification, retries }: FinishedWork): ScoreRule {
  if (verification === 'verified') return retries > 0 ? 'verified_retry' : 'verified_first'
  return verification === 'refuted' ? 'refuted' : 'unverified'
}

/** A text with a character that is no space; one that shows nothing is a space to its reader. */
function namesSomething(text: unknown): boolean {
  if (typeof text !== 'string') return false
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    if (!isWhiteSpace(point) && !showsNothing(point)) return true
  }
  return false
}
