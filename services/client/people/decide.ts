// A person's answer to a review: an answer to each question, bound to the digest of what was shown,
// and signed with that person's key.
import { Fault } from '#record/fault'
import { token } from '#record/names'
import { attentionRefusal } from '#state/slices/attention/answers'
import { decisionRefusal } from '#state/decision'
import type { SignsWith } from '#record/crypto/private-key'
import type { Fact } from '#ports/log'
import { bindSigned } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import { demandedReview } from '#runtime/engine/gathering/open-reviews'
import type { DecisionData } from '#schemas/review'

export type Answer = SignsWith & {
  /** The address of the intent that the review is about. */
  readonly intent: string
  readonly confirmer: string
  /** One for each question in order, or one for all of them. */
  readonly answers: boolean | readonly boolean[]
  readonly note?: string
  /** Who is away: the confirmer answers as that person’s deputy. */
  readonly for?: string
  /** The texts that the person was shown. */
  readonly shown?: NonNullable<DecisionData['shown']>
  /** The digest of what the person saw; that of the open review if not said. */
  readonly digest?: string
  /**
   * The names of the reviews that this person answers together, this one among them: beyond their
   * answers a day a yes counts in no other way.
   */
  readonly batch?: readonly string[]
}

export async function decide(runtime: Runtime, answer: Answer): Promise<Fact> {
  const { follower, clock } = runtime
  const at = clock.now()
  const { review, shown } = await demandedReview(runtime, answer.intent)
  const { confirmer, answers, digest = review.digest, note, batch } = answer
  const { questions } = review
  const said = {
    answers:
      typeof answers === 'boolean' ? Array.from({ length: questions }, () => answers) : answers,
    confirmer,
    digest,
    intent: shown.review.intent,
    review: review.name,
    ...(note !== undefined && { note }),
    ...(batch !== undefined && { batch: [...batch] }),
    ...(answer.for !== undefined && { for: answer.for }),
    ...(answer.shown !== undefined && { shown: answer.shown }),
  }
  const { appended, fact } = await bindSigned(
    runtime,
    {
      kind: 'decision',
      tokens: [answer.intent, String(review.number), token(confirmer)],
      by: confirmer,
      at,
      signs: answer,
      content: () => said,
      refusal(state, placed) {
        const earlier = state.intents.get(answer.intent)?.decisions ?? []
        const refusal = decisionRefusal(state, review, placed, earlier)
        return refusal ?? attentionRefusal(state, placed)
      },
    },
    'decision_void',
  )
  if (appended) return fact
  const left = follower.state.intents.get(answer.intent)
  const isTheirs = left === undefined || left.decisions.some(({ name }) => name === fact.name)
  const what = isTheirs
    ? `\`${confirmer}\` has answered this already`
    : `\`${fact.name}\` is used by what counts for nothing: answer the next review of it`
  throw new Fault('decided', what)
}
