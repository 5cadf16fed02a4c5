// What the rules judge: all that is known of one intent, gathered by the caller.
import type { Capability, Condition, JsonObject } from '#schemas/catalog'
import type { Gap } from '#schemas/graph'
import type { BuiltInRules } from '#schemas/rules/built-in'
import type { Delegation } from '#schemas/intent'
import type { ReasonParams } from '#schemas/reasons'
import type { VlpIssueCode, VlpIssueParams } from '#schemas/vlp'
import type { Patterns } from '../catalog/arguments.ts'
import type { BudgetFault } from '../budgets/reading.ts'
import type { ConditionInput } from '#conditions/input'
import type { SoughtValue } from '#knowledge/known/find'
import type { StandingLevel } from '../catalog/earned-standing.ts'
import type { Violation } from './violation.ts'

/** All that is known. What is absent is nothing to check: a policy check alone has no message. */
export interface Case {
  readonly message?: MessageCase | undefined
  /** Whom the message is from, where that can be believed. */
  readonly agent?: string | undefined
  /** What the agent has earned; absent where that decides nothing. */
  readonly standing?: StandingCase | null | undefined
  /** Of who asks about another, where that standing suspends it. */
  readonly askerStanding?: number | null
  /** Whether the agent was on its way to another cell when it asked. */
  readonly moving?: boolean | undefined
  /** Where this is not the log of its cell: that cell, or null where the realm has one log. */
  readonly elsewhere?: { readonly cell: number | null } | null | undefined
  /** A message of a trusted sender that stops the agent until a person lifts it. */
  readonly block?: { readonly sender: string; readonly name: string } | null | undefined
  /** So many intents of the agent may be open, where this one is beyond. */
  readonly openMax?: number | null | undefined
  /** The message of an equal request of the agent that was open when it asked. */
  readonly equalTo?: string | undefined
  /** Null or absent: no one whom the catalog knows, with no roles and no attributes. */
  readonly principal?: PrincipalCase | null | undefined
  /** Null: the catalog knows no such capability. */
  readonly capability?: Capability | null | undefined
  /** The catalog's conditions about calls of every capability. */
  readonly rules?: readonly Condition[] | undefined
  /** The built-in rules as the catalog sets them; absent: as they are. */
  readonly builtIn?: BuiltInRules | undefined
  /** What searches for the patterns of schemas; absent: as under the newest rules. */
  readonly patterns?: Patterns | undefined
  /** Whether a denial for its arguments has the names that the schema does not know. */
  readonly argumentNames?: boolean | undefined
  /**
   * What conditions read. Null: the request cannot be read, and is refused for that. Absent: it
   * is not known, so no condition can be answered.
   */
  readonly input?: ConditionInput | null | undefined
  // From the agent: may be anything.
  readonly request?: RequestCase | undefined
  readonly grounding?: GroundingCase | undefined
  /** All triggered policies, in stored order. */
  readonly violations: readonly Violation[]
  /** The values that must be known, and where each was found. */
  readonly values?: readonly SoughtValue[] | undefined
  readonly rate?: RateCase | undefined
  /** What the call takes of each budget, and what is left of it. */
  readonly budgets?: readonly BudgetCase[] | undefined
  /** What became of the people who were asked; absent while no one has been. */
  readonly review?: ReviewCase | undefined
  /** Who asks, where it is about another: `principal` is then the subject. */
  readonly evaluation?: EvaluationCase | undefined
  /** Whom else it acts for, where it cites a delegation. */
  readonly delegated?: DelegatedCase | undefined
  /** A correction by the agent itself withdraws, too, and so does what takes its place. */
  readonly withdrawn?: boolean | 'correction' | { readonly replacedBy: string } | undefined
  /** The intent that ran the same before, of which no one knows whether it was done. */
  readonly unsettled?: string | undefined
  /** Whether it goes on after it was held, and no one has seen what it would do. */
  readonly unseen?: boolean | undefined
}

export interface StandingCase {
  readonly value: number
  readonly level: StandingLevel
  /** Whether the level refuses this call. */
  readonly refuses: boolean
  /** By whom the level has it confirmed; null where it does not ask. */
  readonly asks: { readonly confirmation?: string; readonly quorum?: number } | null
}

export interface EvaluationCase {
  /** Null: the catalog knows no such principal. */
  readonly caller: PrincipalCase | null
  /** Null where the caller may not ask about it. */
  readonly subject: (PrincipalCase & { readonly moving?: true | undefined }) | null
  /** Why it may not be asked; null where it may. */
  readonly refusal: 'not_assigned' | 'delegated' | null
}

export interface DelegatedCase {
  /** Why what is cited does not count; null where it does. */
  readonly refusal: ReasonParams | null
  /** All but the agent itself, from the first one, each with what conditions read of it. */
  readonly principals: readonly {
    readonly principal: PrincipalCase
    readonly input: ConditionInput | null
  }[]
  /** What each of them leaves to the next, under the names of the messages. */
  readonly links: readonly { readonly name: string; readonly data: Delegation }[]
}

interface RateCase {
  readonly limited: boolean
  readonly waitMs?: number | undefined
  /** The limit that is reached. */
  readonly uses?: number | undefined
  readonly windowMs?: number | undefined
}

/** One budget for one key, or why the call cannot be counted. Amounts are decimals. */
export type BudgetCase = {
  readonly name: string
  readonly message?: string | undefined
} & (
  | { readonly fault: BudgetFault }
  | {
      readonly fault?: undefined
      /** Null where it is added up for all together. */
      readonly key: string | null
      readonly limit: string
      readonly used: string
      readonly asked: string
      readonly windowMs: number
      /** Whether each call counts as 1. */
      readonly counts: boolean
      /** The capability, where it is about one alone. */
      readonly tool?: string | undefined
      /** 0 where there is room; null where there never is. Absent: there is none for now. */
      readonly waitMs?: number | null | undefined
      /** Whether it is the number of uses that are kept for one agent which is reached. */
      readonly kept?: boolean | undefined
    }
)

export interface MessageCase {
  readonly malformed: boolean
  readonly senderMatches: boolean
  readonly issues: readonly {
    readonly code: VlpIssueCode
    readonly severity: string
    readonly path: string
    readonly params?: Pick<VlpIssueParams, 'cause'>
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
  readonly constraints?: JsonObject | undefined
  readonly scope?: JsonObject | undefined
}

interface GroundingCase {
  readonly grounded: boolean
  readonly gaps: readonly Gap[]
}

/** `answers` has one for each question, in order, true where everyone who had to agree did. */
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
  | { readonly state: 'expired' }
  /** `spoiltBy`: the last of the void facts that stand where its answers would. */
  | { readonly state: 'stale'; readonly spoiltBy?: string | undefined }

/**
 * Why no one can answer: no one may, no session shows who asked the agent to act, what they would
 * be asked cannot be shown, or it is an evaluation or only observed, and who might is not asked.
 */
export type NoConfirmerCause =
  | 'none_eligible'
  | 'session_missing'
  | 'arguments_too_large'
  | 'not_asked'

/** Whether it has one of the roles. */
export function hasRole(principal: Case['principal'], roles: readonly string[]): boolean {
  return roles.some((role) => principal?.roles.includes(role) === true)
}

const none: readonly Case[] = []

// Rules keep what they find by the case, so each is made once.
const known = new WeakMap<Case, readonly Case[]>()

/** The same case of each one whom the agent acts for: what refuses one of them refuses it. */
export function othersOf(of: Case): readonly Case[] {
  const { delegated } = of
  // What does not count is refused, and no one is looked at for it.
  if (delegated === undefined || delegated.refusal !== null) return none
  const before = known.get(of)
  if (before !== undefined) return before
  const others = delegated.principals.map(({ principal, input }) => {
    const own = { principal, input, agent: principal.id }
    // What they have earned is not what this call was asked with.
    return { ...of, ...own, standing: undefined, askerStanding: null, delegated: undefined }
  })
  known.set(of, others)
  return others
}
