// The roles of the catalog that give people a duty beyond their own agents, and who has any.
import type { Catalog } from './catalog.ts'

/** Signs change sets, and ends eras. */
export const policyAdminRole = 'policy-admin'

/** Rules on what learning proposes, as policy admins may. */
export const curatorRole = 'curator'

/** Whether what that principal signs decides for others: reviews, rulings, change sets. */
export function decidesForOthers(
  { principals, groups }: Pick<Catalog, 'principals' | 'groups'>,
  id: string,
): boolean {
  const roles = principals.get(id)?.roles ?? []
  if (roles.includes(policyAdminRole) || roles.includes(curatorRole)) return true
  if ([...principals.values()].some(({ owner }) => owner === id)) return true
  return [...groups.values()].some(({ members }) => members.includes(id))
}
