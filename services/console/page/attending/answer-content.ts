// What has to be signed for an answer: a decision, and beyond the answers of a day the batch that
// it belongs to.
import { jsonOf, type JsonMap } from '#record/canonical'
import type { CardAnswer } from '#schemas/console/reviews'
import { memberMap } from '../signing/members.ts'
import type { ExpectedContent, Signable } from '../signing/challenge.ts'
import { isBatchOf } from './answers-left.ts'

export interface AnswerDrawn {
  readonly card: CardAnswer
  /** What was sent, without what it is answered together with. */
  readonly body: JsonMap
  readonly confirmer: string
  /** The names of what is answered together with it. */
  readonly batch: readonly string[]
}

/** `main.1.review.…` is answered by `main.1.decision.…`. */
export function expectedAnswer(
  { data }: Signable,
  { card, body, confirmer, batch }: AnswerDrawn,
): ExpectedContent {
  const { name, review, answersLeft } = card
  const named = memberMap(data).get('batch')
  const isKnown = isBatchOf(named, [...batch, name, ...(answersLeft?.batch ?? [])])
  const content = { ...body, confirmer, intent: { ...review.intent }, review: name }
  return {
    log: review.log,
    name: `${name.replace('.review.', '.decision.')}.`,
    data: isKnown ? { ...content, batch: jsonOf(named) } : content,
  }
}
