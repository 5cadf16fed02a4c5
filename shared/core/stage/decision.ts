// Whether a decision counts: one function for the stage that counts it and for the trace that shows
// why it did not. One that does not count is recorded and spent all the same.
import type { DecisionData, ReviewData } from '#schemas/facts'
import type { Catalog } from '../catalog/catalog.ts'
import { jsonOf } from '../canonical.ts'
import { token } from '../names.ts'
import { isSignedBy } from '../signature.ts'
import type { Placed } from '../world/intent.ts'

/** Why it counts for nothing, or null where it counts. */
export function decisionRefusal(
  catalog: Catalog,
  review: Placed<ReviewData>,
  decision: Placed<DecisionData>,
): string | null {
  const { data } = decision
  const principal = catalog.principals.get(data.confirmer)
  if (token(data.confirmer) !== decision.name.split('.')[6]) return 'it came under another name'
  if (principal === undefined || principal.suspended) return 'the catalog knows no such confirmer'
  if (!review.data.confirmers.includes(data.confirmer)) return 'this person may not answer it'
  if (data.digest !== review.data.digest) return 'it answers something else than was shown'
  if (data.answers.length !== review.data.questions.length) {
    return 'it does not answer each question'
  }
  if (decision.appendedAt > Date.parse(review.data.decideBy)) return 'it came too late'
  const { signature, ...signed } = data
  if (signature === undefined) return 'it is not signed'
  return isSignedBy(principal.keys, decision.name, jsonOf(signed), signature)
    ? null
    : 'no key of this person in the catalog signed it'
}
