// The proof that the presenter of a token holds its key: a DPoP proof (RFC 9449) over the token,
// where it is presented, and when. In a process the audience stands where HTTP has method and URL.
import { z } from 'zod'
import { Ed25519Jwk, DpopClaims, type TokenRefusal } from '#schemas/action/warrant'
import { publicKeyIn, textDigest, thumbprintOfX } from './jwk.ts'
import { isSignedWith, readJws } from './jws.ts'
import { clockMsMax, dpopCharactersMax, dpopMsMax, dpopType } from './limits.ts'

/** Where a token is presented. */
export interface Target {
  readonly method: string
  readonly url: string
}

/** Within a process, where there is no request. */
export function targetIn(audience: string): Target {
  return { method: 'CALL', url: audience }
}

export interface DpopOf {
  /** As it is presented, with all its links; null where a key alone is shown. */
  readonly token: string | null
  readonly target: Target
  /** Milliseconds since 1970. */
  readonly now: number
  /** Unique among the proofs of this key. */
  readonly id: string
}

const DpopHeader = z.strictObject({
  typ: z.literal(dpopType),
  alg: z.enum(['EdDSA', 'Ed25519']),
  jwk: Ed25519Jwk,
})

export interface DpopExpected extends Omit<DpopOf, 'id'> {
  /** The thumbprint of the holder’s key. */
  readonly jkt: string
}

/** The proof’s own identifier where it holds, else why it does not. */
export function readDpop(
  given: string,
  { token, target, now, jkt }: DpopExpected,
): { readonly id: string } | TokenRefusal {
  const jws = readJws(given, dpopCharactersMax)
  const header = DpopHeader.safeParse(jws?.header)
  const payload = DpopClaims.safeParse(jws?.payload)
  if (jws === null || !header.success || !payload.success) return 'dpop_malformed'
  const { jwk } = header.data
  if (thumbprintOfX(jwk.x) !== jkt) return 'dpop_key'
  if (!isSignedWith(jws, publicKeyIn(jwk))) return 'dpop_signature'
  const { ath, htm, htu, iat, jti } = payload.data
  if (ath !== (token === null ? undefined : textDigest(token))) return 'dpop_token'
  if (htm !== target.method || htu !== target.url) return 'dpop_target'
  const age = now - iat * 1000
  return age > dpopMsMax || age < -clockMsMax ? 'dpop_stale' : { id: jti }
}

/** The thumbprint of the key that a proof names; it proves nothing before it is read. */
export function keyOfDpop(given: string): string | null {
  const header = DpopHeader.safeParse(readJws(given, dpopCharactersMax)?.header)
  return header.success ? thumbprintOfX(header.data.jwk.x) : null
}
