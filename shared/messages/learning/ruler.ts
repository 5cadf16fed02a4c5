// Who may rule on a question: a curator or a policy admin who can sign, never an agent that has met
// the gap, and the owner of such an agent only where the catalog has no one else.
import { metMax, type MetBy } from '#schemas/learning'
import type { Catalog } from '#rules/catalog/catalog'
import { ownersOf } from '#rules/catalog/confirmers'
import { policyAdminRole, curatorRole } from '#rules/catalog/duties'
import { canSign } from '#rules/catalog/people/signed-words'

export type RulerRefusal = 'unknown_person' | 'not_a_curator' | 'met_the_gap' | 'others_may_rule'

/** Why that person may not rule, or whether it is the owner of an agent that met the gap. */
export function rulerOf(
  catalog: Catalog,
  person: string,
  met: readonly MetBy[],
): { readonly refused: RulerRefusal } | { readonly byOwner: boolean } {
  const principal = catalog.principals.get(person)
  if (principal === undefined || principal.suspended) return { refused: 'unknown_person' }
  if (!hasDuty(principal.roles)) return { refused: 'not_a_curator' }
  const side = sideOf(catalog, met)
  if (side.agents.has(person)) return { refused: 'met_the_gap' }
  if (!side.owners.has(person)) return { byOwner: false }
  return hasOther(catalog, side, person) ? { refused: 'others_may_rule' } : { byOwner: true }
}

interface MetSide {
  readonly agents: ReadonlySet<string>
  readonly owners: ReadonlySet<string>
}

/** By the owners of then and of now: to give an agent away opens nothing. */
function sideOf(catalog: Catalog, met: readonly MetBy[]): MetSide {
  const agents = new Set(met.map(({ agent }) => agent))
  const owners = new Set(met.flatMap((one) => [...one.owners, ...ownersOf(catalog, one.agent)]))
  if (met.length < metMax) return { agents, owners }
  // Who else met it is not known any more: it may have been any agent.
  for (const { id, owner } of catalog.principals.values()) {
    if (owner === undefined) continue
    agents.add(id)
    owners.add(owner)
  }
  return { agents, owners }
}

/** Whether someone else could rule, on no agent’s side; a principal with an owner is no person. */
function hasOther(catalog: Catalog, { agents, owners }: MetSide, person: string): boolean {
  for (const principal of catalog.principals.values()) {
    const { id, owner, roles } = principal
    const mayRule = hasDuty(roles) && canSign(catalog, principal) && owner === undefined
    if (mayRule && id !== person && !agents.has(id) && !owners.has(id)) return true
  }
  return false
}

function hasDuty(roles: readonly string[]): boolean {
  return roles.includes(policyAdminRole) || roles.includes(curatorRole)
}
