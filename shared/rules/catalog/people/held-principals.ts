// How the principals of a catalog are in memory. Of a million agents, most have the roles, the
// owner and the attributes of others: those are there once.
import type { Principal } from '#schemas/catalog'
import { draftMapOf, type DraftMap } from '../layered-map.ts'
import { packedList, Packing, packing } from '../packed-map.ts'

/** Then a pool begins again: what few share is not worth it. */
const partsMax = 65_536

/** Gives for each part one that is equal, and always the same. */
export function partsPool<T>(): (part: T) => T {
  const parts = new Map<string, T>()
  return (part) => {
    const key = JSON.stringify(part)
    const known = parts.get(key)
    if (known !== undefined) return known
    if (parts.size >= partsMax) parts.clear()
    parts.set(key, part)
    return part
  }
}

const shared = partsPool<Principal>()
const join = packing(shared)

export function draftOfPrincipals(before: ReadonlyMap<string, Principal>): DraftMap<Principal> {
  return draftMapOf(before, join)
}

export function packingPrincipals(): Packing<Principal> {
  return new Packing(shared)
}

/** Each id once: as the last of them says, in the place of the first. */
export function heldPrincipals(all: Iterable<Principal>): ReadonlyMap<string, Principal> {
  const packed = packingPrincipals()
  for (const one of all) packed.add(one)
  return packed.held()
}

/** In their order. */
export function listedPrincipals(all: Iterable<Principal>): Iterable<Principal> {
  return packedList(all, shared)
}
