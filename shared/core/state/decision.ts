// Whether a decision counts: one function for the stage that counts it and for the trace that shows
// why it did not. One that does not count is recorded and used all the same.
import type { DecisionData } from '#schemas/review'
import type { Catalog } from '../catalog/catalog.ts'
import { jsonOf } from '../kernel/canonical.ts'
import { token } from '../kernel/names.ts'
import { isSameSigning, isSignedBy, type Signing } from '../kernel/signature.ts'
import type { OpenReview } from './intent.ts'
import type { Placed } from '../kernel/event.ts'

/** Why it counts for nothing, or null where it counts. */
export function decisionRefusal(
  { catalog, log }: { readonly catalog: Catalog; readonly log: string | null },
  review: OpenReview,
  decision: Placed<DecisionData>,
): string | null {
  const { data } = decision
  const stray = strayDecision(review, decision)
  if (stray !== null) return stray
  const principal = catalog.principals.get(data.confirmer)
  if (principal === undefined || principal.suspended) return 'the catalog knows no such confirmer'
  if (data.digest !== review.digest) return 'it answers something else than was shown'
  if (data.answers.length !== review.questions) {
    return 'it does not answer each question'
  }
  if (decision.appendedAt > review.decideBy) return 'it came too late'
  if (data.signature === undefined) return 'it is not signed'
  return isSigned(data, { keys: principal.keys, log, name: decision.name })
    ? null
    : 'no key of this person in the catalog signed it'
}

// Each look at a review asks about all its decisions again, and a signature costs most of that.
const verified = new WeakMap<DecisionData, Signing & { readonly signed: boolean }>()

function isSigned(data: DecisionData, of: Signing): boolean {
  const known = verified.get(data)
  if (known !== undefined && isSameSigning(known, of)) return known.signed
  const { log, name, keys } = of
  const { signature, ...rest } = data
  const signed = signature !== undefined && isSignedBy(keys, { log, name }, jsonOf(rest), signature)
  verified.set(data, { log, name, keys, signed })
  return signed
}

/** Why it answers no review at all, whatever it says: such ones are not even kept in mind. */
export function strayDecision(
  review: OpenReview | null,
  { name, position, data }: Placed<DecisionData>,
): string | null {
  if (token(data.confirmer) !== name.split('.')[7]) return 'it came under another name'
  if (review === null || position < review.position) return 'no one was asked yet'
  if (data.review !== review.name) return 'it answers another review'
  return review.confirmers.includes(data.confirmer) ? null : 'this person may not answer it'
}
