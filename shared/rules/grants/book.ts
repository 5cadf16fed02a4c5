// The grants of a log, and what is used of each: values that are replaced, and never changed. How
// one counts is decided where it is used.
import type { GrantData } from '#schemas/action/grant'

export interface Grant {
  /** The token of its names. */
  readonly id: string
  readonly name: string
  readonly position: number
  readonly appendedAt: number
  /** Milliseconds since 1970. */
  readonly until: number
  readonly data: GrantData
  /** The fact that ended it; null where it stands. */
  readonly endedBy: string | null
}

/** What is used of a grant in this log. */
export interface GrantUses {
  readonly sequence: { readonly next: number; readonly used: ReadonlySet<number> }
  /** How many uses are taken and not given back, and what they come to in the smallest parts. */
  readonly taken: number
  readonly total: bigint
}

/** What an intent has taken of a grant, as its facts say it. */
export interface TakenGrant {
  readonly grant: string
  readonly use: number
  readonly amount: string
}

export interface Grants {
  readonly byId: ReadonlyMap<string, Grant>
  readonly byCapability: ReadonlyMap<string, readonly Grant[]>
  /** The ids of those that are not kept any more: none is used again. */
  readonly dropped: ReadonlySet<string>
}

export const noGrants: Grants = { byId: new Map(), byCapability: new Map(), dropped: new Set() }
export const noGrantUses: GrantUses = {
  sequence: { next: 1, used: new Set() },
  taken: 0,
  total: 0n,
}

/** So many that have not run out one person may have. */
export const grantsOfOneMax = 1_000
/** So long after its last moment a grant is kept, to be listed. */
const keptMs = 30 * 24 * 3_600_000

const none: readonly Grant[] = []

export function grantsFor({ byCapability }: Grants, capability: string): readonly Grant[] {
  return byCapability.get(capability) ?? none
}

export function isIdUsed({ byId, dropped }: Grants, id: string): boolean {
  return byId.has(id) || dropped.has(id)
}

/** With one more, or with another form of one that is there. */
export function withGrant(grants: Grants, grant: Grant): Grants {
  const byId = new Map(grants.byId).set(grant.id, grant)
  return indexed({ byId, dropped: grants.dropped }, grants, new Set([grant.data.capability]))
}

/** The grant of that name ends by that fact. One that has ended, or is not there, stays so. */
export function withGrantEnded(grants: Grants, name: string, by: string): Grants {
  const grant = grants.byId.get(name.split('.')[3] ?? '')
  if (grant?.name !== name || grant.endedBy !== null) return grants
  return withGrant(grants, { ...grant, endedBy: by })
}

/** Without those that ran out long ago at that time. */
export function withoutPast(grants: Grants, now: number): Grants {
  const past = [...grants.byId.values()].filter(({ until }) => until + keptMs < now)
  if (past.length === 0) return grants
  const byId = new Map(grants.byId)
  const dropped = new Set(grants.dropped)
  for (const { id } of past) {
    byId.delete(id)
    dropped.add(id)
  }
  return indexed({ byId, dropped }, grants, new Set(past.map(({ data }) => data.capability)))
}

/** Out of those that are listed, in the order in which they were bound. */
export function grantsOf(all: readonly Grant[]): Grants {
  const byId = new Map(all.map((grant) => [grant.id, grant]))
  const capabilities = new Set(all.map(({ data }) => data.capability))
  return indexed({ byId, dropped: noGrants.dropped }, noGrants, capabilities)
}

// What is about other capabilities stays the very same.
function indexed(
  { byId, dropped }: Pick<Grants, 'byId' | 'dropped'>,
  before: Grants,
  changed: ReadonlySet<string>,
): Grants {
  const byCapability = new Map(before.byCapability)
  for (const capability of changed) {
    const of = [...byId.values()].filter(({ data }) => data.capability === capability)
    if (of.length === 0) byCapability.delete(capability)
    else byCapability.set(capability, of)
  }
  return { byId, byCapability, dropped }
}

export function hasUsesLeft(
  { data: { uses } }: Pick<Grant, 'data'>,
  { taken }: Pick<GrantUses, 'taken'>,
): boolean {
  return taken < uses
}
