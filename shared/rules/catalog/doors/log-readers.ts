// Which principals may read all of a log through a server: those who write the rules by which
// everyone is judged, and those to whom the catalog assigns the door. Who is only asked, or owns
// agents, sees what is theirs.
import type { Catalog } from '../catalog.ts'
import { writesRules } from '../duties.ts'

/** What the catalog calls that door in `via`. */
export const auditDoor = 'audit'

/** Why a principal may not read all of the log. */
export type ReaderRefusal = 'unknown' | 'suspended' | 'unassigned'

/** Null where that principal may. */
export function readerRefusal(
  { principals }: Pick<Catalog, 'principals'>,
  id: string,
): ReaderRefusal | null {
  const principal = principals.get(id)
  if (principal === undefined) return 'unknown'
  if (principal.suspended) return 'suspended'
  const isReader = principal.via?.includes(auditDoor) === true || writesRules(principal)
  return isReader ? null : 'unassigned'
}
