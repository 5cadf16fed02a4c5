// A review with all that a person needs, all of what it would write where that was asked for, and
// how to answer it.
import { reviewBlock, reviewLine, reviewOnScreen } from '#operations/review-lines'
import { approving, shortIntent } from '#present/approving'
import type { ReviewRow } from '#schemas/operations/reviews'
import type { Hints } from '#cli/terminal/hint'
import type { Line } from '#cli/terminal/line'
import { wholeText, type ShownWhole } from './whole.ts'

/** With all of what it would write, where that was asked for and is not in the arguments. */
export type ShownReview = ReviewRow & { readonly whole?: ShownWhole }

export function reviewLines(shown: ShownReview, now: number, hints: Hints): readonly Line[] {
  const { intent, review, whole } = shown
  const takesReason = review.questions.some(({ kind }) => kind === 'justification')
  return [
    ...reviewOnScreen(shown, now),
    ...(whole === undefined ? [] : wholeLines(whole)),
    reviewLine('answer', hints(approving(intent, takesReason))),
    reviewLine('', hints(`decline ${shortIntent(intent)}`)),
  ]
}

export function wholeLines(whole: ShownWhole): readonly Line[] {
  return reviewBlock('all of it', wholeText(whole))
}
