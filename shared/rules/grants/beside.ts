// The grant that goes with a review: it answers what that review asks, for a class of later
// calls.
import type { ReviewData } from '#schemas/review'
import { cellOf } from '../catalog/cells.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { classIn, draftedGrant, type DraftedGrant, type GrantClass } from './drafted.ts'

/** Null where nothing that it asks can be answered beforehand. */
export function grantBeside(
  catalog: Catalog,
  asked: { readonly name: string; readonly review: ReviewData },
  of: GrantClass,
): DraftedGrant | null {
  const { terms, shown, intent } = asked.review
  const [agent = intent.agent] = of.agents ?? []
  const { safetyClass } = catalog.capabilities.get(terms.capability) ?? {}
  return draftedGrant(asked, of, {
    // A capability that is gone is refused for that.
    safetyClass: safetyClass ?? classIn(shown.safetyClass),
    cell: of.perCell === true ? null : cellOf(catalog, agent),
  })
}
