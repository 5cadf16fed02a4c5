// Whom a review asks at a moment: those of its confirmers whose word would count and who have not
// given it, and who stands in for those who are away. Where they are too few, no one can decide it.
import { ownersOf } from '#rules/catalog/confirmers'
import { canSign } from '#rules/catalog/people/signed-words'
import { deputyOf } from '#messages/people/people-said'
import { answererOf, countedDecisions, type Deciding } from './decision.ts'
import type { OpenIntent } from './intent.ts'

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
  const people = review.confirmers.filter((id) => canAnswer(known, review, id) && !answered.has(id))
  return { people, needed }
}

/** Whether too few are left to decide it. */
export function isUnanswerable({ people, needed }: StillAsked): boolean {
  return people.length < needed
}

/**
 * The deputy of each of them who is away, where the review admits one and that one's answer would
 * count.
 */
export function standInsFor(
  known: Pick<Deciding, 'catalog' | 'people'>,
  { review, decisions }: Pick<OpenIntent, 'review' | 'decisions'>,
  { people }: StillAsked,
  now: number,
): ReadonlyMap<string, string> {
  if (review?.demands?.deputies !== true) return new Map()
  const { side = [] } = review
  const isFree = (deputy: string): boolean =>
    canAnswer(known, review, deputy) &&
    ![deputy, ...ownersOf(known.catalog, deputy)].some((id) => side.includes(id)) &&
    !decisions.some(({ data }) => data.confirmer === deputy)
  return new Map(
    people.flatMap((absent) => {
      const deputy = deputyOf(known.people, absent, now)
      return deputy !== null && isFree(deputy) ? [[absent, deputy] as const] : []
    }),
  )
}

function canAnswer(
  { catalog }: Pick<Deciding, 'catalog'>,
  { demands }: NonNullable<OpenIntent['review']>,
  id: string,
): boolean {
  const principal = catalog.principals.get(id)
  return principal !== undefined && canSign(catalog, principal, demands?.signedWith)
}
