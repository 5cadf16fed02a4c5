// What an intent without a verdict waits for: a stage, the end of a hold, or people and until when.
import type { OpenIntent, OpenReview } from '#core/state/intent'
import { listed } from '#core/kernel/quote'
import { counted, utc } from '../wording.ts'

export interface Waits {
  readonly for: 'grounding' | 'policy' | 'learning' | 'people' | 'confirmation'
  readonly text: string
  /** The people who may answer. */
  readonly people: readonly string[]
  /** Whether agreeing takes a reason of theirs. */
  readonly reason: boolean
  /** Until when, in milliseconds since 1970; null where nothing ends by itself. */
  readonly until: number | null
}

/** `now` only tells whether people are still in time. */
export function waitsOf(intent: OpenIntent, now: number): Waits {
  const { grounding, hold, review, withdrawn, attempt } = intent
  if (review !== null) {
    return withdrawn === null ? waitsFor(review, now) : stage('confirmation')
  }
  if ((grounding?.attempt ?? 0) < attempt) return stage('grounding')
  if (hold !== null && now < hold.until && withdrawn === null) {
    const text = `learning to close its gaps until ${utc(hold.until)}`
    return { for: 'learning', text, people: [], reason: false, until: hold.until }
  }
  return stage('policy')
}

/** What an intent under that review waits for, as long as it is not withdrawn. */
export function waitsFor(
  review: Pick<OpenReview, 'confirmers' | 'quorum' | 'decideBy' | 'questions' | 'asksReason'>,
  now: number,
): Waits {
  const { confirmers, quorum, decideBy: until } = review
  if (now > until) return stage('confirmation')
  const who = quorum === 1 ? listed(confirmers, 'or') : `${quorum} of ${listed(confirmers, 'and')}`
  const questions = counted(review.questions, 'question')
  const text = `${who} to answer ${questions} until ${utc(until)}`
  return { for: 'people', text, people: confirmers, reason: review.asksReason, until }
}

function stage(name: 'grounding' | 'policy' | 'confirmation'): Waits {
  return { for: name, text: `the ${name} stage`, people: [], reason: false, until: null }
}
