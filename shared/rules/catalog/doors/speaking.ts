// Which principals a door speaks for. A door is a process through which others ask, such as an HTTP
// server: it binds facts in their names, so the catalog assigns it to each of them, one by one.
import type { Catalog } from '../catalog.ts'
import { decidesForOthers } from '../duties.ts'

type Known = Pick<Catalog, 'principals' | 'groups'>

/** What the catalog calls the HTTP server in `via`. */
export const httpDoor = 'http'

/** Why a door does not speak for a principal now. */
export type DoorRefusal = 'unknown' | 'suspended' | 'unassigned' | 'has_duty'

/** Whether what came through the door counts as that principal's: see `doorRefusal`. */
export function speaksThrough(catalog: Known, id: string, door: unknown): boolean {
  const { via = [] } = catalog.principals.get(id) ?? {}
  // Someone who decides for others decides by their own hand: a captured door must not.
  return via.some((one) => one === door) && !decidesForOthers(catalog, id)
}

/** Null where the door may speak for it. */
export function doorRefusal(catalog: Known, id: string, door: string): DoorRefusal | null {
  const principal = catalog.principals.get(id)
  if (principal === undefined) return 'unknown'
  if (principal.suspended) return 'suspended'
  // Assigning it would not help such a one.
  if (decidesForOthers(catalog, id)) return 'has_duty'
  return principal.via?.includes(door) === true ? null : 'unassigned'
}

/**
 * Null where it may look through the door at what is theirs, and send answers that they signed. Who
 * decides for others may that where the door is assigned to them: it speaks for no such one.
 */
export function lookRefusal(catalog: Known, id: string, door: string): DoorRefusal | null {
  const why = doorRefusal(catalog, id, door)
  const isAssigned = catalog.principals.get(id)?.via?.includes(door) === true
  return why === 'has_duty' && isAssigned ? null : why
}

/** Why an event that a door bound for that principal counts for nothing; null where it counts. */
export function strayDoor(catalog: Known, id: string, via: string | undefined): string | null {
  if (via === undefined || speaksThrough(catalog, id, via)) return null
  return 'it came through a door that does not speak for it'
}
