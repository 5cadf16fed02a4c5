// Who stands in for a confirmer who is away: the deputy that they named, where the review admits
// one and that one's answer would count.
import { ownersOf } from '#rules/catalog/confirmers'
import { canSign } from '#rules/catalog/people/signed-words'
import { deputyOf } from '#messages/people/people-said'
import type { Deciding } from '#state/decision'
import type { OpenIntent, OpenReview } from '#state/intent'

export interface StandInAsked {
  readonly review: OpenReview
  readonly decisions: OpenIntent['decisions']
  readonly absent: string
  readonly at: number
}

/** Null where no one does. */
export function standInFor(
  { catalog, people }: Pick<Deciding, 'catalog' | 'people'>,
  { review, decisions, absent, at }: StandInAsked,
): string | null {
  const { demands = {}, side = [] } = review
  const deputy = demands.deputies === true ? deputyOf(people, absent, at) : null
  const principal = deputy === null ? undefined : catalog.principals.get(deputy)
  if (deputy === null || principal === undefined || principal.suspended) return null
  if (!canSign(catalog, principal, demands.signedWith)) return null
  if ([deputy, ...ownersOf(catalog, deputy)].some((id) => side.includes(id))) return null
  const hasAnswered = decisions.some(({ data }) => data.confirmer === deputy)
  return hasAnswered ? null : deputy
}
