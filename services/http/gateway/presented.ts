// Who calls, and by what right: a warrant with a proof of its holder for exactly this request, or
// the proof of a key alone. What a token claims must be what the log has, too.
import { canonical, jsonOf } from '#record/canonical'
import { digestOf } from '#record/digest'
import { Fault } from '#record/fault'
import { partsInRealm } from '#record/names'
import { audienceOf } from '#messages/warrants/claims'
import { keyOfDpop, readDpop, type Target } from '#messages/warrants/dpop'
import { jwksOf, thumbprintOf } from '#messages/warrants/jwk'
import { verifyWarrant } from '#messages/warrants/verify'
import { claimsAbout } from '#replay/verdicts/minting'
import { Refusal, tokenRefused } from '#serving/problem'
import type { ServedLog } from '#wiring/own-gateway'
import type { JsonObject, Principal } from '#schemas/catalog'
import type { ServedLogs } from './served-logs.ts'
import type { UsedProofs } from './used-proofs.ts'
import type { Catalog } from '#rules/catalog/catalog'

// Whose key it is, by its thumbprint. Those of a catalog are taken once and not for each proof, so
// that proofs with keys of no one cost no more than any other.

type Holders = ReadonlyMap<string, readonly Principal[]>

const known = new WeakMap<Catalog['principals'], Holders>()

/** Those that prove themselves by that key now. */
export function holdersOf(
  { principals }: Pick<Catalog, 'principals'>,
  jkt: string,
): readonly Principal[] {
  const holders = known.get(principals) ?? allIn(principals)
  known.set(principals, holders)
  return holders.get(jkt) ?? []
}

function allIn(principals: Catalog['principals']): Holders {
  const holders = new Map<string, Principal[]>()
  for (const principal of principals.values()) {
    const last = principal.keys.at(-1)
    if (principal.suspended || last === undefined) continue
    const jkt = thumbprintOf(last)
    const others = holders.get(jkt)
    if (others === undefined) holders.set(jkt, [principal])
    else others.push(principal)
  }
  return holders
}

export interface Doorway {
  readonly logs: ServedLogs
  readonly used: UsedProofs
  /** Who takes the tokens, where that is not the gateways of the realm. */
  readonly audience: string | undefined
}

/** What a request carries. */
export interface Credentials {
  /** Of the header `Authorization`. */
  readonly authorization: string | undefined
  /** Of the header `DPoP`. */
  readonly dpop: string | undefined
  readonly target: Target
}

export interface PresentedWarrant {
  /** The log that it is of. */
  readonly at: ServedLog
  readonly agent: string
  /** The digest of the token. */
  readonly digest: string
  /** What is left of the constraints after all links. */
  readonly constraints: JsonObject
}

const scheme = /^DPoP +(?<token>[A-Za-z0-9._~-]+)$/i

/** The warrant for that intent. Throws a Refusal for anything but a good one. */
export async function presentedWarrant(
  { logs, used, audience }: Doorway,
  { authorization, dpop, target }: Credentials,
  intent: string,
): Promise<PresentedWarrant> {
  const token = scheme.exec(authorization ?? '')?.groups?.['token']
  if (token === undefined) {
    // Written as a header, the firewall would take what follows for a secret.
    const what = 'send the warrant in the header `authorization`, with the scheme `DPoP`'
    throw new Refusal(401, 'token_refused', what, { reason: 'holder_missing' })
  }
  const { follower, logClock } = logs.first.runtime
  const { state } = follower
  const now = logClock.now()
  const found = verifyWarrant({
    token,
    jwks: jwksOf(state.catalog),
    audience: audience ?? audienceOf(state.place.realm),
    now,
    log: state.log ?? '',
    presentation: { target, ...(dpop !== undefined && { dpop }) },
  })
  if (!found.ok) throw tokenRefused(found.code)
  const { claims, constraints } = found
  const at = logs.claimed(claims.warrant)
  if (at === undefined) throw tokenRefused('token_log')
  const { runtime } = at
  const { realm } = runtime.place
  if (found.jkt === null || found.dpop === null) throw tokenRefused('holder_missing')
  used.use({ principal: claims.sub, key: found.jkt, jti: found.dpop }, now)
  if (partsInRealm(claims.jti, realm)?.address !== intent) {
    throw new Fault('not_yours', 'the warrant is for another intent')
  }
  const own = await claimsAbout(runtime, intent, { issuer: claims.iss, audience })
  if (own === null || canonical(jsonOf(own)) !== canonical(jsonOf(claims))) {
    throw new Fault(
      'warrant_differs',
      `the warrant claims what the log does not have of \`${intent}\``,
    )
  }
  return { at, agent: claims.sub, digest: digestOf(token), constraints }
}

/** The principal that proves possession of its key, by a proof without a token. */
export function provenHolder(
  { logs, used }: Doorway,
  { dpop, target }: Pick<Credentials, 'dpop' | 'target'>,
): string {
  if (dpop === undefined) throw tokenRefused('holder_missing')
  const jkt = keyOfDpop(dpop)
  if (jkt === null) throw tokenRefused('dpop_malformed')
  const { follower, logClock } = logs.first.runtime
  const now = logClock.now()
  const read = readDpop(dpop, { token: null, target, now, jkt })
  if (typeof read === 'string') throw tokenRefused(read)
  const [holder, ...others] = holdersOf(follower.state.catalog, jkt)
  // A key of two is no one’s proof.
  if (holder === undefined || others.length > 0) throw tokenRefused('holder_other')
  used.use({ principal: holder.id, key: jkt, jti: read.id }, now)
  return holder.id
}
