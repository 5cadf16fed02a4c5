// A person's answer through a server over HTTP: the review as it was shown is checked against its
// digest, and answered with a signature of the person's own key, which stays here.
import { jsonOf } from '#record/canonical'
import { digestOfJson } from '#record/digest'
import { Fault } from '#record/fault'
import { nameOf, token } from '#record/names'
import { signData } from '#record/crypto/private-key'
import { coveredBy } from '#rules/chain/review-content'
import type { ReviewRow } from '#schemas/operations/reviews'
import type { Published } from '../publishing.ts'
import { callerAt } from './http-log.ts'
import { InLog } from './reading.ts'
import { readAs, type HttpServer } from './server.ts'

export interface HttpAnswering {
  /** The review as the person was shown it, of `read('reviews')` or `read('review')`. */
  readonly review: Pick<ReviewRow, 'name' | 'review'>
  /** One for each question in order, or one for all of them. */
  readonly answers: boolean | readonly boolean[]
  readonly note?: string
  /** Who is away: the person answers as that one’s deputy. */
  readonly for?: string
  /** The names of the reviews that are answered together, this one among them. */
  readonly batch?: readonly string[]
}

export interface HttpPerson {
  /**
   * Answers a review that asks this principal, signed by its `privateKey`. The same again changes
   * nothing. Throws a Fault `no_review`, `review_altered`, `signing_changed`, `decided` or
   * `decision_void`.
   */
  decide(answering: HttpAnswering): Promise<Published>
}

export async function decideAt(
  server: HttpServer,
  privateKey: string | undefined,
  { review: shown, answers, ...more }: HttpAnswering,
): Promise<Published> {
  if (privateKey === undefined) {
    throw new Fault('not_over_http', 'an answer is signed: give `privateKey` to `connectHttp`')
  }
  const { review } = shown
  const { agent, address } = review.intent
  if (digestOfJson(coveredBy({ ...review, agent })) !== review.digest) {
    const what = 'it shows something else than its digest covers'
    throw new Fault('review_altered', `the review of \`${address}\` is not answered: ${what}`)
  }
  const { principal: confirmer, realm, era } = await callerAt(server)
  const said = {
    ...more,
    answers: typeof answers === 'boolean' ? review.questions.map(() => answers) : answers,
    confirmer,
    digest: review.digest,
    intent: review.intent,
    review: shown.name,
  }
  const name = nameOf({ realm, era }, 'decision', address, review.number, token(confirmer))
  const of = { log: review.log, name }
  const data = { ...said, signature: signData(of, jsonOf(said), privateKey) }
  const path = '/v1/decisions'
  const sent = { method: 'POST' as const, path, body: { name, data }, isSafe: true }
  const answered = await server.send(sent)
  return { ...readAs(InLog, answered), appended: answered.status === 201 }
}
