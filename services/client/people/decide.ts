// A person's answer to a review: an answer to each question, bound to the digest of what was shown,
// and signed with that person's key.
import { jsonOf } from '#record/canonical'
import { writeEvent } from '#record/event'
import { Fault } from '#record/fault'
import { token } from '#record/names'
import { attentionRefusal } from '#state/slices/attention/answers'
import { decisionRefusal } from '#state/decision'
import { signerOf, type SignsWith } from '#record/crypto/private-key'
import type { OpenReview } from '#state/intent'
import type { Fact } from '#ports/log'
import { bindInEra } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import { openReviewOf } from '#runtime/engine/gathering/open-reviews'
import type { DecisionData } from '#schemas/review'
import type { IntentRef } from '#schemas/values'

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
  const open = follower.state.intents.get(answer.intent)
  const shown = open === undefined ? null : await openReviewOf(runtime, open)
  const review = open?.review ?? null
  if (shown === null || review === null) {
    throw new Fault('no_review', `no review of \`${answer.intent}\` is open`)
  }
  const { confirmer } = answer
  const tokens = [answer.intent, String(review.number), token(confirmer)]
  const bytes = (name: string): Uint8Array =>
    answered(runtime, answer, { at, review, name, intent: shown.review.intent })
  const { appended, fact } = await bindInEra(runtime, { kind: 'decision', tokens, bytes })
  if (appended) return fact
  const left = follower.state.intents.get(answer.intent)
  const isTheirs = left === undefined || left.decisions.some(({ name }) => name === fact.name)
  const what = isTheirs
    ? `\`${confirmer}\` has answered this already`
    : `\`${fact.name}\` is used by what counts for nothing: answer the next review of it`
  throw new Fault('decided', what)
}

function answered(
  { follower }: Runtime,
  answer: Answer,
  of: {
    /** When the person answered. */
    readonly at: number
    readonly review: OpenReview
    readonly name: string
    readonly intent: IntentRef
  },
): Uint8Array {
  const { confirmer, note, answers, batch } = answer
  const { at, review, name, intent } = of
  const { log } = follower.state
  const content = {
    answers:
      typeof answers === 'boolean'
        ? Array.from({ length: review.questions }, () => answers)
        : answers,
    confirmer,
    digest: answer.digest ?? review.digest,
    intent,
    review: review.name,
    ...(note !== undefined && { note }),
    ...(batch !== undefined && { batch: [...batch] }),
    ...(answer.for !== undefined && { for: answer.for }),
    ...(answer.shown !== undefined && { shown: answer.shown }),
  }
  const signature = signerOf(answer)({ log, name }, jsonOf(content))
  const said = { ...content, answers: [...content.answers], signature }
  const { position } = follower.state
  const placed = { name, position: position + 1, appendedAt: at, data: said }
  const { state } = follower
  const earlier = state.intents.get(answer.intent)?.decisions ?? []
  const refusal = decisionRefusal(state, review, placed, earlier) ?? attentionRefusal(state, placed)
  // A name is used by whatever is bound under it: a slip would cost this person the answer.
  if (refusal !== null) throw new Fault('decision_void', `nothing is bound: ${refusal}`)
  const time = new Date(at).toISOString()
  const stamp = { source: `confirmer/${token(confirmer)}`, time, basis: position }
  return writeEvent('decision', name, jsonOf(said), stamp)
}
