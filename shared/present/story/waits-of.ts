// What an intent without a verdict waits for, by the state: a stage, the end of a hold, or people
// and until when. It stands apart from the words for it, which need no state.
import { answererOf, countedDecisions, type Deciding } from '#state/decision'
import type { OpenIntent, OpenReview } from '#state/intent'
import { waitsOn, type Waits } from './waits.ts'

/** `now` only decides whether people are still in time. */
export function waitsOf(known: Deciding, intent: OpenIntent, now: number): Waits {
  const { grounding, hold, review, withdrawn, attempt, decisions } = intent
  if (review !== null) {
    if (withdrawn !== null) return waitsOn('confirmation')
    const counted = countedDecisions(known, review, decisions)
    return waitsFor(review, counted, now)
  }
  if ((grounding?.attempt ?? 0) < attempt) return waitsOn('grounding')
  if (hold !== null && now < hold.until && withdrawn === null) {
    return { ...waitsOn('learning'), until: hold.until }
  }
  return waitsOn('policy')
}

/** What an intent under that review waits for, with these answers that count. */
export function waitsFor(
  review: Pick<OpenReview, 'confirmers' | 'quorum' | 'decideBy' | 'asksReason'>,
  decisions: OpenIntent['decisions'],
  now: number,
): Waits {
  const { confirmers, decideBy: until, asksReason: reason } = review
  const quorum = review.quorum - decisions.length
  const isDeclined = decisions.some(({ data }) => data.answers.includes(false))
  if (now > until || quorum <= 0 || isDeclined) return waitsOn('confirmation')
  const answered = new Set(decisions.map(({ data }) => answererOf(data)))
  const people = confirmers.filter((id) => !answered.has(id))
  const agreed = decisions.map(({ data }) => data.confirmer)
  return { for: 'people', people, quorum, needed: review.quorum, agreed, reason, until }
}
