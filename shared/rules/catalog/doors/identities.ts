// Which principal an issuer of OpenID Connect means: the catalog binds each identity, the issuer
// and the subject that never changes, to at most one. No other claim counts, since people choose
// and change names and addresses.
import type { CatalogOperation, Identity } from '#schemas/catalog'
import type { Catalog, CatalogRefusal } from '../catalog.ts'
import { firstHolder, identityKey, principalIndex } from '../people/principal-index.ts'
import { principalsPut } from '../people/principals-put.ts'

type Known = Pick<Catalog, 'principals'>

/** Why an identity is that of no principal now. */
export type IdentityRefusal = 'identity_unknown' | 'identity_suspended'

export type Identified =
  | { readonly principal: string; readonly refused?: never }
  | { readonly refused: IdentityRefusal; readonly principal?: never }

/** Whose identity it is, as the catalog has it now. */
export function identified({ principals }: Known, identity: Identity): Identified {
  const id = firstHolder(principalIndex(principals).identities, identityKey(identity))
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
  const held = principalIndex(principals).identities
  if (held.clashes === 0) return null
  for (const { id, identities = [] } of principals.values()) {
    for (const identity of identities) {
      const holder = firstHolder(held, identityKey(identity))
      if (holder === id) continue
      const message = `\`${holder}\` and \`${id}\` have the same identity: leave it to one`
      return { code: 'identity_shared', message, at: `principals/${id}/identities` }
    }
  }
  return null
}
