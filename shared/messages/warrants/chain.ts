// Attenuation: a holder narrows a warrant for a delegate by a link, signed with the holder’s key
// over the digest of what it narrows. Whatever a link says, a chain only ever permits less.
import { z } from 'zod'
import type { JsonObject } from '#schemas/catalog'
import {
  Ed25519Jwk,
  LinkClaims,
  type Narrowing,
  type TokenRefusal,
  type WarrantClaims,
} from '#schemas/action/warrant'
import { publicKeyIn, textDigest, thumbprintOfX } from './jwk.ts'
import { isSignedWith, readJws } from './jws.ts'
import { clockMsMax, linkCharactersMax, linksMax, linkSign, linkType } from './limits.ts'

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
export interface Narrowed {
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
export function verifyChain(
  parts: readonly string[],
  { claims, now }: ChainOf,
): Narrowed | TokenRefusal {
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
