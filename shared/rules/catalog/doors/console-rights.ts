// What a person may see and do at a console, from the catalog as it is at each request. What they
// sign there is judged by its own rules beside: a right opens a view, it decides nothing.
import type { Catalog } from '../catalog.ts'
import { curatorRole, mayBeAsked, policyAdminRole } from '../duties.ts'
import { readerRefusal } from './log-readers.ts'

/**
 * `confirmer`: may be asked about what others do. `auditor`: may read all of the log. `operator`: a
 * policy admin. `author`: a policy admin or a curator.
 */
export type ConsoleRight = 'confirmer' | 'auditor' | 'operator' | 'author'

/** Why someone is no person of a console now. */
export type ConsoleRefusal = 'unknown' | 'suspended' | 'agent'

type Known = Pick<Catalog, 'principals' | 'groups'>

/** Null where that principal may sign in. An agent has its owner decide. */
export function consoleRefusal({ principals }: Known, id: string): ConsoleRefusal | null {
  const principal = principals.get(id)
  if (principal === undefined) return 'unknown'
  if (principal.suspended) return 'suspended'
  return principal.owner === undefined ? null : 'agent'
}

/**
 * In a fixed order; none for someone who is no person of a console. `standsIn`: whether that person
 * answers for someone who is away.
 */
export function consoleRights(
  catalog: Known,
  id: string,
  standsIn = false,
): readonly ConsoleRight[] {
  if (consoleRefusal(catalog, id) !== null) return []
  const { roles = [] } = catalog.principals.get(id) ?? {}
  const isAdmin = roles.includes(policyAdminRole)
  const isAsked = standsIn || mayBeAsked(catalog, id)
  const held: Readonly<Record<ConsoleRight, boolean>> = {
    // A policy admin revokes what others have granted.
    confirmer: isAsked || isAdmin,
    auditor: readerRefusal(catalog, id) === null,
    operator: isAdmin,
    author: isAdmin || roles.includes(curatorRole),
  }
  const order = ['confirmer', 'auditor', 'operator', 'author'] as const
  return order.filter((right) => held[right])
}
