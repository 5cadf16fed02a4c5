// What has become of a grant: as it is listed, and as checks look at it.
import { amountText, amountWritten } from '../budgets/decimal.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { holdsKey } from '../catalog/people/signed-words.ts'
import { noGrantUses, type Grant, type GrantUses } from './book.ts'
import { classFault, standing } from './grant.ts'

/** `idle`: it has neither ended nor run out, and can answer for nothing by the catalog of now. */
export type GrantState = 'open' | 'idle' | 'used_up' | 'expired' | 'revoked'

export interface ListedGrant {
  readonly grant: Grant
  readonly state: GrantState
  /** Why it is idle. */
  readonly why: string | null
  /** In this log. */
  readonly usesLeft: number
  /** What is left of its budget; null where it has none. */
  readonly budgetLeft: string | null
}

export function listedGrant(
  catalog: Catalog,
  { grant, uses = noGrantUses }: { readonly grant: Grant; readonly uses?: GrantUses | undefined },
  now: number,
): ListedGrant {
  const { budget, uses: most } = grant.data
  const usesLeft = Math.max(0, most - uses.taken)
  const left = budget === undefined ? null : amountWritten(budget.max) - uses.total
  const why = idleReason(catalog, grant)
  const isUsedUp = usesLeft === 0 || left === 0n
  const base = { grant, usesLeft, budgetLeft: left === null ? null : amountText(left) }
  if (grant.endedBy !== null) return { ...base, state: 'revoked', why: null }
  if (now > grant.until) return { ...base, state: 'expired', why: null }
  if (isUsedUp) return { ...base, state: 'used_up', why: null }
  return { ...base, state: why === null ? 'open' : 'idle', why }
}

/** Why it can answer for nothing by the catalog of now; null where it can. */
function idleReason(catalog: Catalog, { data }: Grant): string | null {
  const { confirmer, signature } = data
  const signer = catalog.principals.get(confirmer)
  if (signer === undefined || signer.suspended) return 'its signer is suspended or gone'
  if (!holdsKey(signer, signature)) {
    return 'the key that signed it is not in the catalog any more'
  }
  return classFault(catalog, data) ?? standing(catalog, data)
}
