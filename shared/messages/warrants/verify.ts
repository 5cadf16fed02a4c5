// Verifies a warrant as it is presented: by the issuer’s public key alone, without a log. It is
// pure and synchronous, and no text that anyone sends makes it throw. A sound token is not enough
// to act on: the gateway also asks the log for the verdict, for revocations, and the one start.
import { z } from 'zod'
import type { JsonObject } from '#schemas/catalog'
import {
  WarrantClaims,
  type IssuerJwk,
  LinkClaims,
  type TokenRefusal,
  Ed25519Jwk,
  type Narrowing,
} from '#schemas/action/warrant'
import { cellIn } from '#record/names'
import { publicKeyIn, type Jwks, textDigest, thumbprintOfX } from './jwk.ts'
import { isSignedWith, readJws, type Jws } from './jws.ts'
import {
  clockMsMax,
  presentedCharactersMax,
  tokenCharactersMax,
  tokenType,
  linkCharactersMax,
  linksMax,
  linkSign,
  linkType,
} from './limits.ts'
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

// Attenuation: a holder narrows a warrant for a delegate by a link, signed with the holder’s key
// over the digest of what it narrows. Whatever a link says, a chain only ever permits less.

/** The token itself, and its links: no more of them than show that there are too many. */
export function partsOfToken(token: string): readonly string[] {
  return token.split(linkSign, linksMax + 2)
}

const LinkHeader = z.strictObject({
  typ: z.literal(linkType),
  alg: z.enum(['EdDSA', 'Ed25519']),
  jwk: Ed25519Jwk,
})

/** What a chain comes to: what all of it permits, and whose key may present it. */
interface Narrowed {
  readonly links: readonly LinkClaims[]
  readonly constraints: JsonObject
  /** Seconds since 1970. */
  readonly exp: number
  /** The thumbprint of the last key; null where the token names none. */
  readonly jkt: string | null
}

export interface ChainOf {
  readonly claims: WarrantClaims
  readonly now: number
}

/** What is left after all links; else why the chain does not hold. It needs nothing but itself. */
function verifyChain(parts: readonly string[], { claims, now }: ChainOf): Narrowed | TokenRefusal {
  const [first = '', ...links] = parts
  if (links.length > linksMax) return 'chain_too_long'
  let left: Narrowed = {
    links: [],
    constraints: claims.warrant.constraints,
    exp: claims.exp,
    jkt: claims.cnf?.jkt ?? null,
  }
  let parent = first
  for (const link of links) {
    const next = linked(link, { parent, left, now })
    if (typeof next === 'string') return next
    left = next
    parent = link
  }
  return left
}

function linked(
  link: string,
  of: { readonly parent: string; readonly left: Narrowed; readonly now: number },
): Narrowed | TokenRefusal {
  const { parent, left, now } = of
  const jws = readJws(link, linkCharactersMax)
  const header = LinkHeader.safeParse(jws?.header)
  const payload = LinkClaims.safeParse(jws?.payload)
  if (jws === null || !header.success || !payload.success) return 'chain_malformed'
  const { jwk } = header.data
  const claims = payload.data
  if (claims.parent !== textDigest(parent)) return 'chain_parent'
  if (left.jkt === null || thumbprintOfX(jwk.x) !== left.jkt) return 'chain_key'
  if (!isSignedWith(jws, publicKeyIn(jwk))) return 'chain_signature'
  if (now < claims.iat * 1000 - clockMsMax) return 'chain_not_yet'
  const exp = Math.min(left.exp, claims.exp ?? left.exp)
  if (now >= exp * 1000) return 'chain_expired'
  const constraints = bothOf(left.constraints, claims.constraints ?? {})
  if (constraints === null) return 'chain_nothing_left'
  return { links: [...left.links, claims], constraints, exp, jkt: claims.cnf.jkt }
}

/** What both permit. Null where that is no field at all, since an empty list would be every one. */
function bothOf(constraints: JsonObject, narrowing: Narrowing): JsonObject | null {
  const fields = fieldsOfBoth(constraints['allowed_fields'], narrowing.allowed_fields)
  const rows = rowsOfBoth(constraints['max_rows'], narrowing.max_rows)
  if (fields === null || rows === null) return null
  return {
    ...constraints,
    ...(fields !== undefined && { allowed_fields: [...fields] }),
    ...(rows !== undefined && { max_rows: rows }),
  }
}

type Given = JsonObject[string] | undefined

function fieldsOfBoth(
  given: Given,
  asked: Narrowing['allowed_fields'],
): readonly string[] | undefined | null {
  if (asked === undefined) return undefined
  if (given === undefined) return asked
  // What cannot be read cannot be asked. An empty list could mean every field, or none.
  if (!Array.isArray(given)) return null
  const fields = asked.filter((field) => given.includes(field))
  return fields.length === 0 ? null : fields
}

function rowsOfBoth(given: Given, asked: number | undefined): number | undefined | null {
  if (asked === undefined) return undefined
  if (given === undefined) return asked
  return typeof given === 'number' ? Math.min(given, asked) : null
}
