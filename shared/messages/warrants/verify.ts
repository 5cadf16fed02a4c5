// Verifies a warrant as it is presented: by the issuer’s public key alone, without a log. It is
// pure and synchronous, and no text that anyone sends makes it throw. A sound token is not enough
// to act on: the gateway also asks the log for the verdict, for revocations, and the one start.
import { z } from 'zod'
import type { JsonObject } from '#schemas/catalog'
import {
  WarrantClaims,
  type IssuerJwk,
  type LinkClaims,
  type TokenRefusal,
} from '#schemas/action/warrant'
import { cellIn } from '#record/names'
import { partsOfToken, verifyChain, type Narrowed } from './chain.ts'
import { publicKeyIn, type Jwks } from './jwk.ts'
import { isSignedWith, readJws, type Jws } from './jws.ts'
import { clockMsMax, presentedCharactersMax, tokenCharactersMax, tokenType } from './limits.ts'
import { readDpop, targetIn, type Target } from './dpop.ts'

export interface TokenExpected {
  readonly token: string
  readonly jwks: Jwks
  /** Who takes it. */
  readonly audience: string
  /** Milliseconds since 1970, by the verifier’s clock. */
  readonly now: number
  /** The log and the realm that it must be of; absent means any that the issuer signs for. */
  readonly log?: string
  readonly realm?: string
}

/** Who presents it, and how that is shown. */
export interface Presentation {
  /** A DPoP proof, where the token names a key. */
  readonly dpop?: string
  /** Where it is presented; absent means within a process. */
  readonly target?: Target
  /** Who is authenticated, where the token names no key. */
  readonly principal?: string
}

export interface SoundToken {
  readonly ok: true
  readonly claims: WarrantClaims
  /** The links that narrow it, the first first. */
  readonly chain: readonly LinkClaims[]
  /** What is left of the constraints after all links. */
  readonly constraints: JsonObject
  /** What is left of the time, in seconds since 1970. */
  readonly exp: number
  /** The thumbprint of the key that may present it; null where the principal `sub` alone may. */
  readonly jkt: string | null
}

export interface SoundWarrant extends SoundToken {
  /** The proof’s own identifier; null where the principal is authenticated. */
  readonly dpop: string | null
}

export interface RefusedToken {
  readonly ok: false
  readonly code: TokenRefusal
}

/** The token, and who presents it. Without a presentation nothing holds. */
export function verifyWarrant(
  given: TokenExpected & { readonly presentation?: Presentation },
): SoundWarrant | RefusedToken {
  const sound = verifyToken(given)
  if (!sound.ok) return sound
  const held = holderOf(sound, given)
  return typeof held === 'string' ? refused(held) : { ...sound, dpop: held.dpop }
}

function holderOf(
  { claims, jkt }: SoundToken,
  given: TokenExpected & { readonly presentation?: Presentation },
): { readonly dpop: string | null } | TokenRefusal {
  const { token, now, audience, presentation = {} } = given
  const { dpop, principal, target = targetIn(audience) } = presentation
  if (jkt === null) {
    if (principal === undefined) return 'holder_missing'
    return principal === claims.sub ? { dpop: null } : 'holder_other'
  }
  if (dpop === undefined) return 'holder_missing'
  const read = readDpop(dpop, { token, target, now, jkt })
  return typeof read === 'string' ? read : { dpop: read.id }
}

/** The token and its links alone. Who presents it is not looked at: that is for readers. */
export function verifyToken(given: TokenExpected): SoundToken | RefusedToken {
  if (given.token.length > presentedCharactersMax) return refused('token_too_large')
  const parts = partsOfToken(given.token)
  const claims = claimsIn(parts[0] ?? '', given)
  if (typeof claims === 'string') return refused(claims)
  const left: Narrowed | TokenRefusal = verifyChain(parts, { claims, now: given.now })
  if (typeof left === 'string') return refused(left)
  const { links, constraints, exp, jkt } = left
  return { ok: true, claims, chain: links, constraints, exp, jkt }
}

const refused = (code: TokenRefusal): RefusedToken => ({ ok: false, code })

const Header = z.strictObject({ alg: z.string(), kid: z.string(), typ: z.string() })
const Algorithm = z.looseObject({ alg: z.unknown().optional(), typ: z.unknown().optional() })

function claimsIn(text: string, given: TokenExpected): WarrantClaims | TokenRefusal {
  if (text.length > tokenCharactersMax) return 'token_too_large'
  const jws = readJws(text, tokenCharactersMax)
  if (jws === null) return 'token_malformed'
  const key = keyFor(jws, given.jwks)
  if (typeof key === 'string') return key
  if (!isSignedWith(jws, publicKeyIn(key))) return 'token_signature'
  const claims = WarrantClaims.safeParse(jws.payload)
  if (!claims.success) return 'token_claims'
  return claimRefusal(claims.data, key, given) ?? claims.data
}

// The algorithm is ours, whatever the token says; what it says must only agree.
function keyFor({ header }: Jws, { keys }: Jwks): IssuerJwk | TokenRefusal {
  const named = Algorithm.safeParse(header)
  if (!named.success) return 'token_malformed'
  if (named.data.alg !== 'EdDSA' && named.data.alg !== 'Ed25519') return 'token_algorithm'
  if (named.data.typ !== tokenType) return 'token_type'
  const read = Header.safeParse(header)
  if (!read.success) return 'token_malformed'
  return keys.find(({ kid }) => kid === read.data.kid) ?? 'token_key_unknown'
}

function claimRefusal(
  { iss, aud, nbf, exp, warrant }: WarrantClaims,
  key: IssuerJwk,
  { audience, now, log, realm }: TokenExpected,
): TokenRefusal | null {
  if (key.iss !== undefined && key.iss !== iss) return 'token_issuer'
  if (aud !== audience) return 'token_audience'
  if (log !== undefined && warrant.log !== log) return 'token_log'
  if (realm !== undefined && !isOfRealm(warrant, realm)) return 'token_log'
  if (now < nbf * 1000 - clockMsMax) return 'token_not_yet'
  return now >= exp * 1000 ? 'token_expired' : null
}

function isOfRealm({ realm, cell }: WarrantClaims['warrant'], expected: string): boolean {
  const of = cellIn(expected)
  return realm === (of?.of ?? expected) && cell === of?.index
}
