// The one rule chain: what an intent comes to, from what is known of it. The stages, a release, a
// replay and the offline commands all judge by this function. Total: it never throws, and what is
// missing refuses or is not asked.
import type { Capability, JsonMap } from '#schemas/catalog'
import type { Question } from '#schemas/review'
import type { Gap } from '#schemas/graph'
import { reasonCodes, type Reason } from '#schemas/reasons'
import type { VlpIssueCode } from '#schemas/vlp'
import { constraintsOf } from './constraints.ts'
import { questionsOf } from './questions.ts'
import { rules } from './rules.ts'
import type { Violation } from './violation.ts'

/** All that is known. What is absent is nothing to check: a policy check alone has no message. */
export interface Case {
  readonly message?: MessageCase | undefined
  /** Whom the message is from, where that can be believed. */
  readonly agent?: string | undefined
  /** A message of a trusted sender that stops the agent until a person lifts it. */
  readonly block?: { readonly sender: string; readonly name: string } | null | undefined
  /** So many intents of the agent may be open, where this one is beyond. */
  readonly openMax?: number | null | undefined
  /** Null or absent: nobody whom the catalog knows, with no roles and no attributes. */
  readonly principal?: PrincipalCase | null | undefined
  /** Null: the catalog knows no such capability. */
  readonly capability?: Capability | null | undefined
  // From the agent: may be anything.
  readonly request?: RequestCase | undefined
  readonly grounding?: GroundingCase | undefined
  /** All triggered policies, in stored order. */
  readonly violations: readonly Violation[]
  readonly rate?: RateCase | undefined
  /** What became of the people who were asked; absent while nobody has been. */
  readonly review?: ReviewCase | undefined
  /** A correction by the agent itself withdraws, too. */
  readonly withdrawn?: boolean | 'correction' | undefined
  /** Whether it goes on after it was held, and no one has seen what it would do. */
  readonly unseen?: boolean | undefined
}

interface RateCase {
  readonly limited: boolean
  readonly waitMs?: number | undefined
  /** The limit that is reached. */
  readonly uses?: number | undefined
  readonly windowMs?: number | undefined
}

export interface MessageCase {
  readonly malformed: boolean
  readonly senderMatches: boolean
  readonly issues: readonly {
    readonly code: VlpIssueCode
    readonly severity: string
    readonly path: string
  }[]
  readonly safetyLevel: 'safe' | 'review' | 'block'
  readonly requiresHuman: boolean
  readonly unearnedConfidence: boolean
  readonly gate: 'pass' | 'review' | 'fail'
}

export interface PrincipalCase {
  readonly id: string
  readonly roles: readonly string[]
  readonly attributes: { readonly [name: string]: string }
  readonly suspended: boolean
}

interface RequestCase {
  readonly tool?: string | undefined
  readonly args?: unknown
  readonly justification?: string | undefined
  readonly constraints?: JsonMap | undefined
  readonly scope?: JsonMap | undefined
}

interface GroundingCase {
  readonly grounded: boolean
  readonly gaps: readonly Gap[]
}

/** `answers` has one for each question, in order, true where everybody who had to agree did. */
export type ReviewCase =
  | {
      readonly state: 'answered'
      readonly answers: readonly boolean[]
      readonly note?: string | undefined
      /** Of a refusal: who declined, and what that person wrote. */
      readonly declinedBy?: string | undefined
      readonly declinedNote?: string | undefined
    }
  | { readonly state: 'no_confirmer'; readonly cause?: NoConfirmerCause | undefined }
  | { readonly state: 'stale' | 'expired' }

/**
 * Why no one can answer: no one may, no session tells who asked the agent to act, or what they
 * would be asked cannot be shown.
 */
export type NoConfirmerCause = 'none_eligible' | 'session_missing' | 'arguments_too_large'

/**
 * `ask`: a reason is all that is missing, and the one question asks for it. `review`: people must
 * answer the questions. Both only while nobody has been asked; afterwards there is only yes or no.
 */
export interface Judgement {
  readonly outcome: 'allow' | 'deny' | 'ask' | 'review'
  /** In order of precedence, all that can be known. Empty for `allow` and `review`. */
  readonly reasons: readonly Reason[]
  /** What people are to be asked: nothing where it is refused anyway. */
  readonly questions: readonly Question[]
  /** What an allow is bound to; empty for everything else. */
  readonly constraints: JsonMap
}

const checked = reasonCodes.indexOf('policy_faulted')

/**
 * Whether a case that was judged without what its checks say is refused whatever they would say.
 * `gapsMayClose`: its gaps alone may still be waited out, and then the checks matter.
 */
export function isRefusedAnyway(
  { outcome, reasons }: Judgement,
  { gapsMayClose }: { readonly gapsMayClose: boolean },
): boolean {
  if (outcome !== 'deny') return false
  return reasons.some(({ code }) => {
    if (code === 'rate_limited') return true
    if (code === 'ungrounded' && gapsMayClose) return false
    return reasonCodes.indexOf(code) < checked
  })
}

export function judge(of: Case): Judgement {
  const questions = questionsOf(of)
  const reasons = reasonsOf(of, questions)
  if (reasons.length > 0) return refused(of, reasons, questions)
  if (questions.length > 0 && of.review === undefined) {
    return { outcome: 'review', reasons, questions, constraints: {} }
  }
  return { outcome: 'allow', reasons, questions: [], constraints: constraintsOf(of) }
}

function reasonsOf(of: Case, questions: readonly Question[]): readonly Reason[] {
  const reasons: Reason[] = []
  for (const code of reasonCodes) {
    const { recover, find } = rules[code]
    for (const params of find(of, questions)) reasons.push({ code, recover, params })
  }
  return reasons
}

function refused(of: Case, reasons: readonly Reason[], questions: readonly Question[]): Judgement {
  const [reason] = reasons
  const reasonIsAll =
    reasons.length === 1 &&
    reason?.code === 'insufficient_justification' &&
    questions[0]?.kind === 'justification'
  if (!reasonIsAll) return { outcome: 'deny', reasons, questions: [], constraints: {} }
  const asked = [{ ...reason, recover: 'ask' as const }]
  if (of.review !== undefined) {
    return { outcome: 'deny', reasons: asked, questions: [], constraints: {} }
  }
  return { outcome: 'ask', reasons: asked, questions, constraints: {} }
}
