// Whether a decision counts: one function for the stage that counts it and for the trace that shows
// why it did not. One that does not count is recorded and used all the same.
import type { Principal } from '#schemas/catalog'
import type { DecisionData } from '#schemas/review'
import type { Catalog } from '../catalog/catalog.ts'
import { howSigned, type SignedHow } from '../catalog/people/signed-words.ts'
import { jsonOf } from '../kernel/canonical.ts'
import { token } from '../kernel/names.ts'
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
  const { consoles } = catalog
  const how = howDecided(data, { person: principal, consoles, log, name: decision.name })
  return how === null ? 'no key of this person in the catalog signed it' : null
}

interface Signing {
  readonly person: Principal
  readonly consoles: Catalog['consoles']
  readonly log: string | null
  readonly name: string
}

// Each look at a review asks about all its decisions again, and a signature costs most of that.
const verified = new WeakMap<DecisionData, Signing & { readonly how: SignedHow | null }>()

function howDecided(data: DecisionData, of: Signing): SignedHow | null {
  const { person, consoles, log, name } = of
  const known = verified.get(data)
  if (known !== undefined && isSame(known, of)) return known.how
  const { signature, ...rest } = data
  const how =
    signature === undefined
      ? null
      : howSigned({ consoles }, person, { log, name }, jsonOf(rest), signature)
  verified.set(data, { ...of, how })
  return how
}

function isSame(one: Signing, { person, consoles, log, name }: Signing): boolean {
  return one.person === person && one.consoles === consoles && one.name === name && one.log === log
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
