// What was taken back: who may do it, and whether something that was decided earlier still counts.
// A revocation is about the past: what is decided after it is decided by the rules, as before.
import type { RestsOn } from '#schemas/action/grant'
import type { RevocationData, RevocationTarget } from '#schemas/action/revocation'
import { principalNamed, type Catalog } from '#rules/catalog/catalog'
import { ownersOf } from '#rules/catalog/confirmers'
import { policyAdminRole, wordRefusal } from '#rules/catalog/duties'
import { agentIn, cellIn, token } from '#record/names'

export interface Revocation {
  readonly target: RevocationTarget
  /** The fact. */
  readonly name: string
  readonly position: number
}

/** The latest of each target, by what it is about: `agent bot`. It is replaced, never changed. */
export type Revocations = ReadonlyMap<string, Revocation>

export const noRevocations: Revocations = new Map()

/** By what a target is kept. */
function targetKey(target: RevocationTarget): string {
  if ('verdict' in target) return `verdict ${target.verdict}`
  if ('capability' in target) return `capability ${target.capability}`
  // As names have it: who has only an address asks by that.
  if ('agent' in target) return `agent ${token(target.agent)}`
  return `grant ${target.grant}`
}

export function withRevocation(revocations: Revocations, revocation: Revocation): Revocations {
  return new Map(revocations).set(targetKey(revocation.target), revocation)
}

/** Whose revocation would take it back. Names of facts are in full. */
export interface Revocable {
  readonly verdict?: string
  readonly capability?: string
  readonly agent?: string
  /** Of the intent, where only that is at hand: its agent. */
  readonly address?: string
  /** Of a call for others: all whose call it is. */
  readonly chain?: readonly string[] | undefined
  readonly grant?: string
  /** Of a verdict: the grants that it rests on. */
  readonly grants?: readonly RestsOn[] | undefined
  /** Its own position: of the verdict, or of the grant. */
  readonly decidedAt: number
}

/** The revocation that takes it back; null where none does. */
export function revokedBy(
  { revocations }: { readonly revocations: Revocations },
  { verdict, capability, agent, address, chain = [], grant, grants = [], decidedAt }: Revocable,
): string | null {
  // Nearly always nothing was ever taken back.
  if (revocations.size === 0) return null
  const keys = [
    ...(verdict === undefined ? [] : [targetKey({ verdict })]),
    ...(capability === undefined ? [] : [targetKey({ capability })]),
    ...(agent === undefined ? [] : [targetKey({ agent })]),
    ...(address === undefined ? [] : [`agent ${agentIn(address)}`]),
    ...chain.map((one) => targetKey({ agent: one })),
    ...(grant === undefined ? [] : [targetKey({ grant })]),
    ...grants.map((one) => targetKey({ grant: one.grant })),
  ]
  for (const key of keys) {
    const found = revocations.get(key)
    if (found !== undefined && found.position > decidedAt) return found.name
  }
  return null
}

export interface RevokedIn {
  readonly catalog: Catalog
  readonly log: string | null
  readonly place: { readonly realm: string }
}

/**
 * Why it counts for nothing: policy admins take back anything; an owner what is of its agents; the
 * signer of a grant that grant.
 */
export function revocationRefusal(
  { catalog, log, place }: RevokedIn,
  name: string,
  data: RevocationData,
): string | null {
  return wordRefusal({ catalog, log }, name, data, ({ roles }) => {
    const may = roles.includes(policyAdminRole) || mayRevoke(catalog, place.realm, data)
    return may ? null : `\`${data.by}\` may not take it back`
  })
}

function mayRevoke(catalog: Catalog, realm: string, { target, by }: RevocationData): boolean {
  if ('agent' in target) return ownersOf(catalog, target.agent).includes(by)
  if ('verdict' in target) {
    const agent = tokensOf(target.verdict, realm, 'verdict')?.[0]
    const owned = principalNamed(catalog, agent ?? '')
    return owned !== undefined && ownersOf(catalog, owned.id).includes(by)
  }
  if ('grant' in target) return tokensOf(target.grant, realm, 'grant')?.at(-1) === token(by)
  return false
}

// All cells of a realm fold it, so a name of another cell counts in each of them.
function tokensOf(name: string, realm: string, kind: string): readonly string[] | null {
  const [of = '', era = '', is, ...tokens] = name.split('.')
  const isOfRealm = (cellIn(of)?.of ?? of) === (cellIn(realm)?.of ?? realm)
  return isOfRealm && is === kind && /^[1-9][0-9]{0,8}$/.test(era) ? tokens : null
}
