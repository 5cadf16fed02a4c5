// What people are asked, read by name: the fold keeps only who may answer and until when. What is
// shown to a person must be what the digest covers, so that is checked here, before anyone sees it.
import { readData } from '#record/event'
import { Fault } from '#record/fault'
import { digestOfContent } from '#stages/review'
import type { FoldCaches } from '#state/caches/fold-caches'
import type { OpenIntent, OpenReview } from '#state/intent'
import type { State } from '#state/state'
import type { GroundingData } from '#schemas/facts'
import type { ReviewData } from '#schemas/review'
import type { Runtime } from '../runtime.ts'

export interface OpenReviewShown {
  readonly name: string
  /** The address of the intent. */
  readonly intent: string
  readonly position: number
  /** Milliseconds since 1970. */
  readonly openedAt: number
  readonly review: ReviewData
}

/** A log, and the fold of it. */
export interface ReviewReader<Parts extends keyof State = 'intents'> {
  readonly log: Pick<Runtime['log'], 'get'>
  readonly follower: { readonly state: Pick<State, Parts>; readonly caches?: FoldCaches }
}

/** The open review of the intent; null where no one is asked. Throws a Fault `review_altered`. */
export async function openReviewOf(
  { log, follower }: ReviewReader,
  { address, review }: Pick<OpenIntent, 'address' | 'review'>,
): Promise<OpenReviewShown | null> {
  if (review === null) return null
  const { name, position, appendedAt: openedAt } = review
  const kept = follower.caches?.facts.review(name)
  const data = kept ?? (await readReview(log, name))
  if (data === null) return null
  const digest = digestOfContent({ ...data, agent: data.intent.agent })
  if (digest !== data.digest) {
    const message = `the review \`${name}\` shows something else than its digest covers`
    throw new Fault('review_altered', message)
  }
  return { name, intent: address, position, openedAt, review: data }
}

/**
 * The intent, its open review as the fold keeps it, and as it is shown. Throws a Fault `no_review`,
 * or `review_altered`.
 */
export async function demandedReview(
  reader: ReviewReader,
  address: string,
): Promise<{
  readonly open: OpenIntent
  readonly review: OpenReview
  readonly shown: OpenReviewShown
}> {
  const open = reader.follower.state.intents.get(address)
  const shown = open === undefined ? null : await openReviewOf(reader, open)
  const review = open?.review ?? null
  if (open === undefined || shown === null || review === null) {
    throw new Fault('no_review', `no review of \`${address}\` is open`)
  }
  return { open, review, shown }
}

/** The review that this one takes the place of; null where it is the first. */
export async function previousOf(
  { log }: ReviewReader,
  review: ReviewData,
): Promise<ReviewData | null> {
  return review.previous === null ? null : readReview(log, review.previous)
}

async function readReview(log: ReviewReader['log'], name: string): Promise<ReviewData | null> {
  return readData('review', await log.get(name))
}

/** What the latest grounding of the intent says; null where there is none. */
export async function groundingOf(
  { log, follower }: ReviewReader,
  { grounding }: Pick<OpenIntent, 'grounding'>,
): Promise<GroundingData | null> {
  if (grounding === null) return null
  const kept = follower.caches?.facts.grounding(grounding.name)
  if (kept !== undefined) return kept
  return readData('grounding', await log.get(grounding.name))
}

/** All that wait for people, oldest first. */
export async function openReviews(runtime: ReviewReader): Promise<readonly OpenReviewShown[]> {
  const waiting = [...runtime.follower.state.intents.values()]
  const found = await Promise.all(waiting.map((intent) => openReviewOf(runtime, intent)))
  return found.filter((review) => review !== null).toSorted((a, b) => a.position - b.position)
}
