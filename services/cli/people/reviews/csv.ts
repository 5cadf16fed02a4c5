// Open reviews as rows for a spreadsheet: what is asked, by whom, until when, and who has answered.
import { questionText } from '#present/question-text'
import { jsonText } from '#present/wording'
import { csvLine } from '#cli/terminal/csv'
import type { ShownReview } from './print.ts'

const columns = [
  'intent',
  'opened',
  'until',
  'agent',
  'tool',
  'safety',
  'args',
  'reason',
  'questions',
  'may_answer',
  'needed',
  'approved',
  'answered',
] as const

/** The cell is left out of a realm of one log. */
export function reviewsCsv(reviews: readonly ShownReview[], hasCells: boolean): string {
  const head = csvLine(hasCells ? ['cell', ...columns] : columns)
  return head + reviews.map((review) => csvLine(rowOf(review, hasCells))).join('')
}

function rowOf(
  { intent, openedAt, review, cell, waits, answered = [] }: ShownReview,
  hasCells: boolean,
) {
  const { terms, shown, questions, decideBy, quorum } = review
  return [
    ...(hasCells ? [cell ?? null] : []),
    intent,
    new Date(openedAt).toISOString(),
    decideBy,
    review.intent.agent,
    terms.capability,
    shown.safetyClass,
    jsonText(terms.args),
    shown.justification,
    questions.map((question) => questionText(question)).join(' / '),
    (waits?.people ?? review.confirmers).join(' '),
    quorum,
    waits?.agreed.length ?? 0,
    answered.join(' '),
  ]
}
