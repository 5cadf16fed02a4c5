// Answering in place of someone who is away: whether it counts for anything.
import type { AnswerDemands } from '#schemas/people/demands'
import { ownersOf } from '#rules/catalog/confirmers'
import type { Catalog } from '#rules/catalog/catalog'
import { deputyOf, type PeopleSaid } from './people-said.ts'

interface Knows {
  readonly catalog: Catalog
  readonly people: PeopleSaid
}

/** What a review demands, and who asks. */
interface Asked {
  readonly demands?: AnswerDemands | undefined
  readonly side?: readonly string[] | undefined
}

interface StandingIn {
  readonly deputy: string
  readonly absent: string
  readonly at: number
}

/** Why it counts for nothing: the person is here, or the deputy is of the side that asks. */
export function deputyRefusal(
  { catalog, people }: Knows,
  { demands = {}, side = [] }: Asked,
  { deputy, absent, at }: StandingIn,
): string | null {
  if (demands.deputies !== true) return 'no deputy may answer it'
  const person = catalog.principals.get(absent)
  if (person === undefined || person.suspended) return 'the catalog knows no such confirmer'
  if (deputyOf(people, absent, at) !== deputy) return `not the deputy of ${absent}`
  const isOfSide = [deputy, ...ownersOf(catalog, deputy)].some((id) => side.includes(id))
  return isOfSide ? 'this person is on the side of who asks' : null
}
