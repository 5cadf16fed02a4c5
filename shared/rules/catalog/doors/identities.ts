// Which principal an issuer of OpenID Connect means: the catalog binds each identity, the issuer
// and the subject that never changes, to at most one. No other claim counts, since people choose
// and change names and addresses.
import type { CatalogOperation, Identity } from '#schemas/catalog'
import type { Catalog, CatalogRefusal } from '../catalog.ts'
import { principalsPut } from '../people/principals-put.ts'

type Known = Pick<Catalog, 'principals'>

/** Why an identity is that of no principal now. */
export type IdentityRefusal = 'identity_unknown' | 'identity_suspended'

export type Identified =
  | { readonly principal: string; readonly refused?: never }
  | { readonly refused: IdentityRefusal; readonly principal?: never }

/** Whose identity it is, as the catalog has it now. */
export function identified({ principals }: Known, identity: Identity): Identified {
  const id = holdersIn(principals).get(keyOf(identity))
  const principal = id === undefined ? undefined : principals.get(id)
  if (principal === undefined) return { refused: 'identity_unknown' }
  return principal.suspended ? { refused: 'identity_suspended' } : { principal: principal.id }
}

/** What the operations made an identity of two; null where they made none. */
export function sharedIdentity(
  { principals }: Known,
  operations: readonly CatalogOperation[],
): CatalogRefusal | null {
  if (!principalsPut(operations).some(({ identities }) => identities !== undefined)) return null
  const holders = holdersIn(principals)
  for (const { id, identities = [] } of principals.values()) {
    for (const identity of identities) {
      const holder = holders.get(keyOf(identity))
      if (holder === id) continue
      const message = `\`${holder}\` and \`${id}\` have the same identity: leave it to one`
      return { code: 'identity_shared', message, at: `principals/${id}/identities` }
    }
  }
  return null
}

function keyOf({ issuer, subject }: Identity): string {
  return JSON.stringify([issuer, subject])
}

// Each request is asked for it, and a catalog is never changed.
const known = new WeakMap<Catalog['principals'], ReadonlyMap<string, string>>()

/** The first holder of each. */
function holdersIn(principals: Catalog['principals']): ReadonlyMap<string, string> {
  const before = known.get(principals)
  if (before !== undefined) return before
  const holders = new Map<string, string>()
  for (const { id, identities = [] } of principals.values()) {
    for (const identity of identities) {
      const key = keyOf(identity)
      if (!holders.has(key)) holders.set(key, id)
    }
  }
  known.set(principals, holders)
  return holders
}
