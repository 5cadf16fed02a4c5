// Who a request comes from: the token that it sends as bearer, looked up in the file of tokens.
import type { Clock } from '#ports/clock'
import { Refusal } from './problem.ts'
import { tokenRefusal, type TokenBook, type TokenEntry } from './token-file.ts'

const scheme = /^Bearer +(?<token>[A-Za-z0-9._~+/-]+=*)$/i

/** By the header `Authorization`. Throws a Refusal 401 without a token that counts now. */
export function bearerEntry(
  tokens: TokenBook,
  clock: Clock,
  authorization: string | undefined,
): Promise<TokenEntry> {
  const token = bearerToken(authorization)
  if (token === undefined) return Promise.reject(withoutBearer())
  return tokenEntry(tokens, clock, token)
}

/** The token in the header; undefined where it has none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return scheme.exec(authorization ?? '')?.groups?.['token']
}

export function withoutBearer(): Refusal {
  const how = 'send the token of a principal as bearer: `warrant tokens create` makes one'
  return refusedCaller('token_missing', how)
}

/** Of the file. Throws a Refusal 401 for one that does not count now. */
export async function tokenEntry(
  tokens: TokenBook,
  clock: Clock,
  token: string,
): Promise<TokenEntry> {
  const entry = await tokens.find(token)
  if (entry === null) throw refusedCaller('token_unknown', 'this server has no such token')
  const why = tokenRefusal(entry, clock.now())
  if (why === null) return entry
  const what = why === 'token_revoked' ? 'was taken back' : 'has expired'
  throw refusedCaller(why, `the token \`${entry.id}\` ${what}`)
}

function refusedCaller(reason: string, what: string): Refusal {
  return new Refusal(401, 'caller_refused', what, { reason })
}
