// What private keys make of warrants: the token of an issuer, a holder's link to a delegate, and
// the proof of who presents one. What verifies them signs nothing, and is all a browser needs.
import type { Narrowing, WarrantClaims } from '#schemas/action/warrant'
import { base64urlOf, utf8 } from '#platform/bytes'
import { canonicalBytes, jsonOf, type Json } from '#record/canonical'
import { publicKeyOf, signBytes } from '#record/crypto/private-key'
import { partsOfToken } from './verify.ts'
import type { DpopOf } from './dpop.ts'
import { plainJwkOf, textDigest, thumbprintOf } from './jwk.ts'
import { dpopType, linkSign, linkType, tokenCharactersMax, tokenType } from './limits.ts'

/** Ed25519 has no randomness: the same words and key give the same text. `privateKey` is PEM. */
export function writeJws(
  { header, payload }: { readonly header: Json; readonly payload: Json },
  privateKey: string,
): string {
  const signed = `${encoded(header)}.${encoded(payload)}`
  return `${signed}.${base64urlOf(signBytes(utf8(signed), privateKey))}`
}

function encoded(value: Json): string {
  return base64urlOf(canonicalBytes(value))
}

/** The token; null where the claims are more than one can carry. `privateKey` is PEM (PKCS #8). */
export function mint(claims: WarrantClaims, privateKey: string): string | null {
  const payload = jsonOf(claims)
  // Base64url makes four characters of three bytes.
  if (canonicalBytes(payload).length * 4 > (tokenCharactersMax - headRoom) * 3) return null
  const kid = thumbprintOf(publicKeyOf(privateKey))
  return writeJws({ header: { alg: 'EdDSA', kid, typ: tokenType }, payload }, privateKey)
}

/** For the header and the signature. */
const headRoom = 512

/** A proof for one presentation. `privateKey` is PEM (PKCS #8). */
export function dpopFor({ token, target, now, id }: DpopOf, privateKey: string): string {
  const header = { alg: 'EdDSA', jwk: plainJwkOf(publicKeyOf(privateKey)), typ: dpopType }
  const iat = Math.floor(now / 1000)
  const shown = { htm: target.method, htu: target.url, iat, jti: id }
  const payload = token === null ? shown : { ...shown, ath: textDigest(token) }
  return writeJws({ header, payload }, privateKey)
}

export interface NarrowedTo {
  /** The delegate’s public key, in the catalog’s spelling. */
  readonly key: string
  /** What the delegate is called. */
  readonly name?: string
  readonly constraints?: Narrowing
  /** Milliseconds since 1970. */
  readonly until?: number
  readonly now: number
}

/**
 * The token with one more link, for the delegate to hold. `privateKey` is that of who holds it now.
 * It looks at nothing: who gives away what it does not have gives away nothing.
 */
export function narrowed(token: string, to: NarrowedTo, privateKey: string): string {
  const { key, name, constraints, until, now } = to
  const header = { alg: 'EdDSA', jwk: plainJwkOf(publicKeyOf(privateKey)), typ: linkType }
  const payload = jsonOf({
    parent: textDigest(partsOfToken(token).at(-1) ?? ''),
    cnf: { jkt: thumbprintOf(key) },
    iat: Math.floor(now / 1000),
    ...(name !== undefined && { sub: name }),
    ...(until !== undefined && { exp: Math.floor(until / 1000) }),
    ...(constraints !== undefined && { constraints }),
  })
  return `${token}${linkSign}${writeJws({ header, payload }, privateKey)}`
}
