// What a request proves who calls by: a token of the file; one that an issuer has signed for whom
// the catalog binds to a principal; or the session of a person who signed in there.
import type { Context } from 'hono'
import { identified, type IdentityRefusal } from '#rules/catalog/doors/identities'
import type { Catalog } from '#rules/catalog/catalog'
import type { Clock } from '#ports/clock'
import { bearerToken, tokenEntry, withoutBearer } from '#serving/bearer'
import type { LoginIssuer } from '#serving/issuer'
import type { People } from '#serving/people/people'
import { Refusal } from '#serving/problem'
import type { TokenBook } from '#serving/token-file'
import type { Identity } from '#schemas/catalog'

/** Whose it is, and which of its credentials it was. */
export interface Proven {
  readonly principal: string
  readonly credential: string
}

/** Throws a Refusal where it does not count, or not any more. */
export type Credential = () => Promise<Proven>

/** What the tokens of an issuer must be for. */
export interface TokensOfIssuer {
  readonly issuer: LoginIssuer
  readonly audience: string
}

export interface CredentialsOf {
  readonly tokens: TokenBook
  /** Null where none counts. */
  readonly bearers: TokensOfIssuer | null
  /** Null where no one signs in. */
  readonly people: People | null
  readonly catalog: () => Pick<Catalog, 'principals'>
  readonly clock: Clock
}

const jwtPattern = /^[\w-]+\.[\w-]+\.[\w-]+$/
const accessTypes = ['at+jwt', 'jwt']

/** The credential that the request brings. Throws a Refusal where it brings none. */
export function credentialIn(c: Context, of: CredentialsOf): Credential {
  const { bearers, people } = of
  const token = bearerToken(c.req.header('authorization'))
  if (token === undefined && people?.isHere(c) === true) {
    const signedIn = people.signedIn(c)
    return () => Promise.resolve(signedIn.session()).then(({ who }) => provenAs(of, who))
  }
  if (token === undefined) throw withoutBearer()
  return bearers !== null && jwtPattern.test(token)
    ? () => provenByIssuer(bearers, of, token)
    : () => provenByFile(of, token)
}

async function provenByFile({ tokens, clock }: CredentialsOf, token: string): Promise<Proven> {
  const { principal, id } = await tokenEntry(tokens, clock, token)
  return { principal, credential: id }
}

async function provenByIssuer(
  { issuer, audience }: TokensOfIssuer,
  of: CredentialsOf,
  token: string,
): Promise<Proven> {
  const subject = await issuer.verified(token, { audience, types: accessTypes })
  return provenAs(of, { issuer: issuer.url, subject })
}

const refusals: Readonly<Record<IdentityRefusal, string>> = {
  identity_unknown: 'the catalog binds no principal to',
  identity_suspended: 'the catalog has suspended the principal with',
}

/** Who the catalog says that is, now. Throws a Refusal 403. */
export function provenAs({ catalog }: Pick<CredentialsOf, 'catalog'>, identity: Identity): Proven {
  const { principal, refused } = identified(catalog(), identity)
  const { issuer, subject } = identity
  if (refused === undefined) return { principal, credential: `${issuer} ${subject}` }
  const what = `${refusals[refused]} the subject \`${subject}\` of \`${issuer}\``
  throw new Refusal(403, 'caller_refused', what, { reason: refused })
}
