// Tokens that an issuer has signed: whether one of its keys did, for whom, and until when. What is
// accepted is listed: public-key signatures alone, so a public key is never taken for a secret.
import { createLocalJWKSet, errors, jwtVerify, type JWTVerifyOptions } from 'jose'
import { z } from 'zod'

const algorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519']
/** How far the clocks of issuer and server may differ. */
const skewSeconds = 30
const keysMax = 64

const Keys = z.looseObject({
  keys: z.array(z.looseObject({ kty: z.string() })).max(keysMax),
})

/** Why a token is refused: `key_unknown` may be one of a key that was added since. */
export type SignedProblem = 'key_unknown' | 'token_expired' | 'token_invalid'

export class SignedTokenError extends Error {
  readonly problem: SignedProblem

  constructor(problem: SignedProblem, what: string) {
    super(what)
    this.name = 'SignedTokenError'
    this.problem = problem
  }
}

export interface Expected {
  readonly issuer: string
  /** Who must be among those that it is for. */
  readonly audience: string
  /** In lower case, without `application/`; a token without a type always passes. */
  readonly types: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface IssuerKeys {
  /** The subject of a token that counts. Throws a `SignedTokenError`. */
  verified(token: string, expected: Expected): Promise<string>
}

const Claims = z.looseObject({
  sub: z.string().min(1).max(255),
  // It is bound to a key of its holder, and no proof of that is asked for here.
  cnf: z.never().optional(),
})

/** Of what an issuer answers as its keys. Throws for what are none. */
export function keySetOf(answered: unknown): IssuerKeys {
  const local = createLocalJWKSet(Keys.parse(answered))
  return {
    async verified(token, { issuer, audience, types, now }) {
      const options: JWTVerifyOptions = {
        issuer,
        audience,
        algorithms,
        clockTolerance: skewSeconds,
        currentDate: new Date(now),
        requiredClaims: ['exp', 'sub'],
      }
      const { payload, protectedHeader } = await jwtVerify(token, local, options).catch(refused)
      const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '')
      if (type !== undefined && !types.includes(type)) throw invalid('its type')
      const claims = Claims.safeParse(payload)
      if (!claims.success) throw invalid(`its \`${String(claims.error.issues[0]?.path[0])}\``)
      return claims.data.sub
    },
  }
}

function refused(error: unknown): never {
  if (error instanceof errors.JWTExpired) {
    throw new SignedTokenError('token_expired', 'it has expired')
  }
  if (error instanceof errors.JWKSNoMatchingKey) {
    throw new SignedTokenError('key_unknown', 'no key of the issuer fits it')
  }
  if (error instanceof errors.JWTClaimValidationFailed) throw invalid(`its \`${error.claim}\``)
  // What the library names no further are texts that are no such token, and foreign signatures.
  throw invalid(error instanceof errors.JOSEAlgNotAllowed ? 'its algorithm' : 'its signature')
}

function invalid(what: string): SignedTokenError {
  return new SignedTokenError('token_invalid', `${what} is not what is accepted`)
}
