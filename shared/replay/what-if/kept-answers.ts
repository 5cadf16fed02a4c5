// What people answered, where a change leaves them the same question: an approval or a refusal
// counts as it did. Where the question, or who may answer it, is another, no answer is made up.
import type { VerdictData } from '#schemas/facts'
import type { Question, ReviewData } from '#schemas/review'
import { canonical, jsonOf } from '#record/canonical'
import { outcomeOf, type DerivedOutcome } from './outcome.ts'
import type { Decided } from './deriving.ts'

/** What was recorded of the people who were asked. */
export interface RecordedAnswers {
  /** The last review; null where no one was asked. */
  readonly review: ReviewData | null
  /** Null where there is none yet. */
  readonly verdict: VerdictData | null
}

export interface AnsweredOutcome {
  readonly outcome: DerivedOutcome
  /** Who would be asked; null where no one is. */
  readonly asks: readonly string[] | null
  /** Whether it is what people answered. */
  readonly isKept: boolean
}

const nothing: DerivedOutcome = { outcome: 'cannot_tell', reasons: [], questions: [] }

export function answeredBy(
  decided: Decided,
  { review, verdict }: RecordedAnswers,
): AnsweredOutcome {
  const outcome = outcomeOf(decided) ?? nothing
  const { draft } = decided
  if (outcome.outcome !== 'ask' || draft?.kind !== 'review') {
    return { outcome, asks: null, isKept: false }
  }
  const asks = draft.data.confirmers
  const isKept = review !== null && verdict !== null && stands(draft.data, review, verdict)
  if (!isKept) return { outcome, asks, isKept }
  const reasons = verdict.reasons.map(({ code }) => code)
  return { outcome: { outcome: verdict.outcome, reasons, questions: [] }, asks, isKept }
}

function stands(then: ReviewData, review: ReviewData, verdict: VerdictData): boolean {
  if (then.tier !== review.tier || asked(then.questions) !== asked(review.questions)) return false
  const may = new Set(then.confirmers)
  if (verdict.outcome === 'allow') {
    const agreed = (verdict.release?.confirmedBy ?? []).filter((id) => may.has(id))
    return agreed.length >= then.quorum
  }
  const declined = verdict.reasons.find(({ code }) => code === 'declined')
  const by = declined?.params.principal
  return by === undefined || may.has(by)
}

/** The order of the questions is not what people were asked. */
function asked(questions: readonly Question[]): string {
  return canonical(questions.map((question) => canonical(jsonOf(question))).toSorted())
}
