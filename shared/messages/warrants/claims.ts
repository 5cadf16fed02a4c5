// What a token claims, out of a verdict and the catalog as of it. Every claim follows from the log,
// so that minting again gives the same bytes.
import type { VerdictData } from '#schemas/facts'
import type { Actor, WarrantClaims } from '#schemas/action/warrant'
import type { Catalog } from '#rules/catalog/catalog'
import type { Placed } from '#record/event'
import { cellIn } from '#record/names'
import { thumbprintOf } from './jwk.ts'

export interface ClaimedOf {
  /** As of the verdict. */
  readonly catalog: Pick<Catalog, 'principals' | 'capabilities'>
  /** The identity of the log. */
  readonly log: string
  /** As names have it: that of a cell, where there are several. */
  readonly realm: string
  /** The principal that signs. */
  readonly issuer: string
  /** Who is to take it; absent means the gateways of the realm. */
  readonly audience?: string
}

/** Who takes the warrants of a realm: its gateways. */
export function audienceOf(realm: string): string {
  return `warrant:${cellIn(realm)?.of ?? realm}`
}

/** Null for a verdict that permits nothing. */
export function claimsOf(
  { name, position, appendedAt, data }: Placed<VerdictData>,
  { catalog, log, realm, issuer, audience }: ClaimedOf,
): WarrantClaims | null {
  const { terms, outcome, observed, intent } = data
  if (outcome !== 'allow' || observed || terms === null) return null
  const cell = cellIn(realm)
  const key = catalog.principals.get(intent.agent)?.keys.at(-1)
  const version = catalog.capabilities.get(terms.capability)?.version
  const iat = Math.floor(appendedAt / 1000)
  return {
    iss: issuer,
    sub: intent.agent,
    aud: audience ?? audienceOf(realm),
    jti: name,
    iat,
    nbf: iat,
    exp: Math.floor(Date.parse(terms.useBy) / 1000),
    ...(key !== undefined && { cnf: { jkt: thumbprintOf(key) } }),
    ...(terms.chain !== undefined && { act: actorOf(terms.chain) }),
    warrant: {
      capability: terms.capability,
      ...(version !== undefined && { version }),
      args: terms.argsDigest,
      executed: terms.executedDigest ?? terms.argsDigest,
      constraints: terms.constraints,
      scope: terms.scope,
      position,
      log,
      ...(cell !== null && { cell: cell.index }),
      realm: cell?.of ?? realm,
    },
  }
}

/** The agent outermost, and inside it for whom it acts, up to the first. */
function actorOf([sub = '', ...below]: readonly string[], act?: Actor): Actor {
  const actor = { sub, ...(act !== undefined && { act }) }
  return below.length === 0 ? actor : actorOf(below, actor)
}
