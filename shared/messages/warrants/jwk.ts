// Public keys as other programs read them: JWKs, their thumbprints (RFC 7638), and the set of keys
// that tokens of a catalog verify with.
import { base64urlOf } from '#platform/bytes'
import { IssuerJwk, KeySet } from '#schemas/action/warrant'
import type { Catalog } from '#rules/catalog/catalog'
import { issuerRole } from '#rules/catalog/duties'
import { sha256 } from '#record/crypto/crypto'

const prefix = 'ed25519:'

/** The RFC 7638 thumbprint of a public key in the catalog’s spelling. */
export function thumbprintOf(publicKey: string): string {
  return thumbprintOfX(publicKey.slice(prefix.length))
}

/** The same of the `x` of a JWK. */
export function thumbprintOfX(x: string): string {
  return textDigest(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)
}

/** SHA-256 of a text, as base64url. */
export function textDigest(text: string): string {
  return base64urlOf(sha256(text))
}

/** The JWK of a public key in the catalog’s spelling, with the members that each needs. */
export function plainJwkOf(publicKey: string) {
  return { kty: 'OKP', crv: 'Ed25519', x: publicKey.slice(prefix.length) } as const
}

/** A JWK’s key in the catalog’s spelling. */
export function publicKeyIn({ x }: { readonly x: string }): string {
  return `${prefix}${x}`
}

export interface Jwks {
  readonly keys: readonly IssuerJwk[]
}

/**
 * All keys of all issuers that are not suspended: while two keys of one overlap, both are there. A
 * key that is taken out of the catalog no longer verifies anything.
 */
export function jwksOf({ principals }: Pick<Catalog, 'principals'>): Jwks {
  const issuers = [...principals.values()].filter(
    ({ roles, suspended }) => roles.includes(issuerRole) && !suspended,
  )
  const keys = issuers.flatMap(({ id, keys: theirs }) =>
    theirs.map((key) => ({
      ...plainJwkOf(key),
      kid: thumbprintOf(key),
      alg: 'EdDSA' as const,
      use: 'sig' as const,
      iss: id,
    })),
  )
  return { keys }
}

/** The keys of a set that can have signed a token; null for what is no set of keys. */
export function readJwks(value: unknown): Jwks | null {
  const set = KeySet.safeParse(value)
  if (!set.success) return null
  const keys = set.data.keys.flatMap((key) => {
    const read = IssuerJwk.safeParse(key)
    return read.success ? [read.data] : []
  })
  return { keys }
}
