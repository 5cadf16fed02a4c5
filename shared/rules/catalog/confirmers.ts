// Who may answer a review. No one approves their own requests: the asker, its owner and
// anyone who sent it never count, and fewer people than the quorum means that no one can answer at
// all.
import type { Principal } from '#schemas/catalog'
import type { AnswerDemands } from '#schemas/people/demands'
import type { Catalog, Confirming } from './catalog.ts'
import { demandsBy } from './people/demands.ts'
import { canSign } from './people/signed-words.ts'

export interface Confirmers {
  readonly tier: Confirming['tier']
  /** In the order of the group; at least `quorum` of them. */
  readonly confirmers: readonly string[]
  /** Members of the group who do not count for this agent, in the order of the group. */
  readonly excluded: readonly string[]
  readonly quorum: number
  readonly demands: AnswerDemands
  /** The asker, who sent it, and all their owners: none of them is a deputy for it. */
  readonly side: readonly string[]
  readonly decideWithinMs: number
  readonly useWithinMs: number
}

/**
 * Who may answer for this agent, or null where too few are left. A decision counts only if it is
 * signed, so who can sign nothing is not counted on: a review that waits for one would expire.
 */
export function eligible(
  catalog: Catalog,
  asked: {
    readonly agent: string
    /** Null where its name leads nowhere. */
    readonly confirmation: Confirming | null
    /** On whose behalf the agent acts, if it names one. */
    readonly delegators: readonly string[]
  },
): Confirmers | null {
  const { agent, confirmation, delegators } = asked
  const requester = catalog.principals.get(agent)
  // Of an agent that the catalog does not know, the owner cannot be left out.
  if (requester === undefined || confirmation === null) return null
  const { tier, quorum, decideWithinMs, useWithinMs } = confirmation
  const side = new Set([agent, ...delegators].flatMap((id) => [id, ...ownersOf(catalog, id)]))
  const demands = demandsBy(confirmation)
  const terms = { tier, quorum, decideWithinMs, useWithinMs, demands, side: [...side] }
  const { signedWith } = confirmation
  if (tier === 'confirm') {
    const owner = principalOf(catalog, requester.owner)
    if (owner === undefined || !canSignAs(catalog, owner.id, signedWith) || quorum > 1) return null
    return { ...terms, confirmers: [owner.id], excluded: [] }
  }
  const members = [...new Set(catalog.groups.get(confirmation.group ?? '')?.members)]
  const counts = (id: string) =>
    !side.has(id) &&
    speaksForItself(catalog, { id, side, members }) &&
    canSignAs(catalog, id, signedWith)
  const confirmers = members.filter(counts)
  if (confirmers.length < quorum) return null
  return { ...terms, confirmers, excluded: members.filter((id) => !confirmers.includes(id)) }
}

/** All owners above one another, nearest first. Also ends where a catalog would be in a circle. */
export function ownersOf(catalog: Catalog, id: string): readonly string[] {
  const owners = new Set<string>()
  let owner = principalOf(catalog, id)?.owner
  while (owner !== undefined && !owners.has(owner)) {
    owners.add(owner)
    owner = principalOf(catalog, owner)?.owner
  }
  return [...owners]
}

/** The last of them; itself where it has none. */
export function topmostOwner(catalog: Catalog, id: string): string {
  return ownersOf(catalog, id).at(-1) ?? id
}

// Someone's agent is no second pair of eyes beside its owner, nor against the owner's other agent.
function speaksForItself(
  catalog: Catalog,
  member: {
    readonly id: string
    readonly side: ReadonlySet<string>
    readonly members: readonly string[]
  },
): boolean {
  const { id, side, members } = member
  return !ownersOf(catalog, id).some((owner) => side.has(owner) || members.includes(owner))
}

function principalOf(catalog: Catalog, id: string | undefined): Principal | undefined {
  return id === undefined ? undefined : catalog.principals.get(id)
}

function canSignAs(catalog: Catalog, id: string, by: AnswerDemands['signedWith']): boolean {
  const principal = catalog.principals.get(id)
  return principal !== undefined && canSign(catalog, principal, by)
}
