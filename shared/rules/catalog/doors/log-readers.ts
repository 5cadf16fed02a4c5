// Which principals may read all of a log through a server that only answers: those who decide for
// others, as with credentials of their own, and those to whom the catalog assigns the door.
import type { Catalog } from '../catalog.ts'
import { decidesForOthers } from '../duties.ts'

/** What the catalog calls that door in `via`. */
export const auditDoor = 'audit'

/** Why a principal may not read all of the log. */
export type ReaderRefusal = 'unknown' | 'suspended' | 'unassigned'

/** Null where that principal may. */
export function readerRefusal(
  catalog: Pick<Catalog, 'principals' | 'groups'>,
  id: string,
): ReaderRefusal | null {
  const principal = catalog.principals.get(id)
  if (principal === undefined) return 'unknown'
  if (principal.suspended) return 'suspended'
  if (principal.via?.includes(auditDoor) === true) return null
  return decidesForOthers(catalog, id) ? null : 'unassigned'
}
