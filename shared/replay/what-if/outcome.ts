// What an intent comes to, as a preview notifies it: by the fact that a decider would have drawn
// up.
import { canonical, jsonOf } from '#record/canonical'
import type { Question } from '#schemas/review'
import type { Gap } from '#schemas/graph'
import type { Decided } from './deriving.ts'

export interface DerivedOutcome {
  /**
   * `ask` is a review that no one has answered, `hold` a wait for learning, `cannot_tell` up to
   * what a callback answers then.
   */
  readonly outcome: 'allow' | 'deny' | 'ask' | 'hold' | 'cannot_tell'
  /** The codes of a denial, in order of precedence. */
  readonly reasons: readonly string[]
  /** Of a denial: the conditions and policies that refuse; absent where none does. */
  readonly rules?: readonly string[]
  /** What people would be asked. */
  readonly questions: readonly Question[]
  /** Of `hold`: what it waits for. */
  readonly gaps?: readonly Gap[]
}

const cannotTell: DerivedOutcome = { outcome: 'cannot_tell', reasons: [], questions: [] }

/** Null where the stages have nothing to say of it. */
export function outcomeOf({ draft, mayDiffer }: Decided): DerivedOutcome | null {
  if (mayDiffer) return cannotTell
  switch (draft?.kind) {
    case 'verdict': {
      const { outcome, reasons } = draft.data
      const rules = reasons.flatMap(({ params: { rule, policy } }) => rule ?? policy ?? [])
      const base = { outcome, reasons: reasons.map(({ code }) => code), questions: [] }
      return rules.length === 0 ? base : { ...base, rules }
    }
    case 'rate':
    case 'budget':
    case 'use':
      // A use is only taken for what is allowed.
      return { outcome: 'allow', reasons: [], questions: [] }
    case 'review':
      return { outcome: 'ask', reasons: [], questions: draft.data.questions }
    case 'hold':
      return { outcome: 'hold', reasons: ['ungrounded'], questions: [], gaps: draft.data.gaps }
    default:
      return null
  }
}

/** Whether the one is an allowance and the other a denial, or people are asked something else. */
export function differs(before: DerivedOutcome, after: DerivedOutcome): boolean {
  if (before.outcome !== after.outcome) return true
  return before.outcome === 'ask' && askedOf(before) !== askedOf(after)
}

// The order of the questions is not what people are asked.
function askedOf({ questions }: DerivedOutcome): string {
  return canonical(questions.map((question) => canonical(jsonOf(question))).toSorted())
}
