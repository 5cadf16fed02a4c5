// How the principals of a catalog are in memory. Of a million agents, most have the roles, the
// owner and the attributes of others: those are there once.
import type { Principal } from '#schemas/catalog'
import { draftMapOf, type DraftMap } from '../layered-map.ts'
import { PackedMap, packing } from '../packed-map.ts'

/** Then a pool begins again: what few share is not worth it. */
const partsMax = 65_536

const parts = new Map<string, Principal>()

function shared(part: Principal): Principal {
  const key = JSON.stringify(part)
  const known = parts.get(key)
  if (known !== undefined) return known
  if (parts.size >= partsMax) parts.clear()
  parts.set(key, part)
  return part
}

const join = packing(shared)

export function draftOfPrincipals(before: ReadonlyMap<string, Principal>): DraftMap<Principal> {
  return draftMapOf(before, join)
}

const fewMax = 1_024
/** Of those that are held, so many are taken in at once. */
const batchPart = 4

/** Each id once: as the last of them says, in the place of the first. */
export function heldPrincipals(all: Iterable<Principal>): ReadonlyMap<string, Principal> {
  let held: PackedMap<Principal> | null = null
  let batch = new Map<string, Principal>()
  for (const one of all) {
    batch.set(one.id, one)
    if (batch.size < Math.max(fewMax, (held?.size ?? 0) / batchPart)) continue
    held = (held ?? PackedMap.of([], shared)).with(batch, none)
    batch = new Map()
  }
  return held === null ? batch : held.with(batch, none)
}

const none: ReadonlySet<string> = new Set()
