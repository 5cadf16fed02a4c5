// Mints the token of a verdict: an issuer signs only for what it has derived itself, with a key
// that the catalog of now lets it sign with. What is claimed is as of the verdict.
import { readData } from '#record/event'
import { Fault } from '#record/fault'
import { publicKeyOf } from '#record/crypto/private-key'
import { mint } from '#messages/warrants/minted'
import { claimsOf } from '#messages/warrants/claims'
import { issuerRole } from '#rules/catalog/duties'
import { revokedBy } from '#messages/warrants/revocations'
import type { Fact } from '#ports/log'
import type { WarrantClaims } from '#schemas/action/warrant'
import type { VerdictData } from '#schemas/facts'
import { factAbout } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import { stateAt } from '../eras/state-at.ts'
import type { Proving } from './proving.ts'
import { verdictOf } from './verdict.ts'

/** Who signs tokens. */
export interface Issuer {
  /** A principal of the catalog with the role `issuer`. */
  readonly id: string
  /** PEM of one of its Ed25519 private keys. */
  readonly privateKey: string
}

export interface Minting {
  readonly proving: Proving
  readonly issuer: Issuer
  /** Who is to take it; absent means the gateways of the realm. */
  readonly audience?: string
}

export interface Minted {
  readonly token: string
  readonly claims: WarrantClaims
}

/** The token of the intent's verdict, the same each time. Throws a Fault where there is none. */
export async function mintedToken(
  runtime: Runtime,
  address: string,
  { proving, issuer, audience }: Minting,
): Promise<Minted> {
  refuseOtherKey(runtime, issuer)
  const fact = await factAbout(runtime, 'verdict', address)
  if (fact === undefined) throw new Fault('not_decided', `\`${address}\` has no verdict yet`)
  const data = readData('verdict', fact)
  if (data?.outcome !== 'allow' || data.observed) throw permitsNothing(address)
  await proving.prove(await verdictOf(runtime.log, fact))
  refuseRevoked(runtime, fact, data)
  const claims = await claimed(runtime, { fact, data }, { issuer: issuer.id, audience })
  if (claims === null) throw permitsNothing(address)
  const token = mint(claims, issuer.privateKey)
  if (token !== null) return { token, claims }
  throw new Fault('token_too_large', `what \`${address}\` is bound to is more than a token carries`)
}

interface ClaimedBy {
  /** The principal that signs. */
  readonly issuer: string
  readonly audience: string | undefined
}

/** What a token of the intent claims, as the log has it; null where no token can be of it. */
export async function claimsAbout(
  runtime: Runtime,
  address: string,
  by: ClaimedBy,
): Promise<WarrantClaims | null> {
  const fact = await factAbout(runtime, 'verdict', address)
  const data = readData('verdict', fact)
  return fact === undefined || data === null ? null : claimed(runtime, { fact, data }, by)
}

async function claimed(
  runtime: Runtime,
  { fact, data }: { readonly fact: Fact; readonly data: VerdictData },
  { issuer, audience }: ClaimedBy,
): Promise<WarrantClaims | null> {
  const { state } = runtime.follower
  const { name, position, appendedAt } = fact
  const of = {
    catalog: await catalogAsOf(runtime, data),
    log: state.log ?? '',
    realm: state.place.realm,
    issuer,
    ...(audience !== undefined && { audience }),
  }
  return claimsOf({ name, position, appendedAt, data }, of)
}

function refuseOtherKey({ follower }: Runtime, { id, privateKey }: Issuer): void {
  const principal = follower.state.catalog.principals.get(id)
  const isIssuer = principal?.roles.includes(issuerRole) === true && !principal.suspended
  if (isIssuer && principal.keys.includes(publicKeyOf(privateKey))) return
  throw new Fault('issuer_unknown', `\`${id}\` with this key is no issuer of the catalog`)
}

function refuseRevoked({ follower }: Runtime, { name, position }: Fact, data: VerdictData): void {
  const { agent } = data.intent
  const capability = data.terms?.capability ?? ''
  const of = { verdict: name, agent, capability, chain: data.terms?.chain, decidedAt: position }
  const revocation = revokedBy(follower.state, of)
  if (revocation === null) return
  const what = `the warrant of \`${data.intent.address}\` was taken back: ${revocation}`
  throw new Fault('warrant_revoked', what)
}

// Nearly always the catalog is still that of the verdict.
async function catalogAsOf(runtime: Runtime, { catalogRevision }: VerdictData) {
  const { log, follower, place } = runtime
  const { state } = follower
  if (state.catalogRevision === catalogRevision) return state.catalog
  const history = { log, realm: place.realm, rootKey: state.rootKey }
  const at = { at: 'revision', revision: catalogRevision } as const
  return (await stateAt(history, at, 'catalog')).catalog
}

function permitsNothing(address: string): Fault {
  return new Fault('no_warrant', `the verdict on \`${address}\` permits nothing`)
}
