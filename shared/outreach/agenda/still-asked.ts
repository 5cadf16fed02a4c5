// Who can still answer a review: those of its confirmers whose word would count now and who have
// not given it. Where they are too few, no one can decide it any more.
import { canSign } from '#rules/catalog/people/signed-words'
import { answererOf, countedDecisions, type Deciding } from '#state/decision'
import type { OpenIntent } from '#state/intent'

export interface StillAsked {
  /** In the order of the review. */
  readonly people: readonly string[]
  /** How many of them must agree still. */
  readonly needed: number
}

/** Null where the intent waits for no people: it is answered, withdrawn, or too late. */
export function stillAsked(
  known: Deciding,
  { review, decisions, withdrawn }: Pick<OpenIntent, 'review' | 'decisions' | 'withdrawn'>,
  now: number,
): StillAsked | null {
  if (review === null || withdrawn !== null || now > review.decideBy) return null
  const counted = countedDecisions(known, review, decisions)
  const needed = review.quorum - counted.length
  const isDeclined = counted.some(({ data }) => data.answers.includes(false))
  if (needed <= 0 || isDeclined) return null
  // A name is used by whatever is bound under it: who has answered without effect cannot again.
  const answered = new Set([
    ...decisions.flatMap(({ data }) => (data.review === review.name ? [data.confirmer] : [])),
    ...counted.map(({ data }) => answererOf(data)),
  ])
  const { signedWith } = review.demands ?? {}
  const { principals } = known.catalog
  const people = review.confirmers.filter((id) => {
    const principal = principals.get(id)
    return (
      principal !== undefined && canSign(known.catalog, principal, signedWith) && !answered.has(id)
    )
  })
  return { people, needed }
}

/** Whether too few are left to decide it. */
export function isUnanswerable({ people, needed }: StillAsked): boolean {
  return people.length < needed
}
