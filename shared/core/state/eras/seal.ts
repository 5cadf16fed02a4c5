// Sealing: from here on the world of an era stands still, and what it is written in is fixed.
import { chainOf, writeSnapshot } from './genesis.ts'
import type { World } from '../world.ts'

/** The world as it is becomes what the next era opens with. */
export function sealAt(
  world: World,
  sealed: { readonly by: string; readonly position: number; readonly appendedAt: number },
): void {
  const current = world.eras.at(-1)
  world.eras = [...world.eras.slice(0, -1), { from: current?.from ?? 0, to: sealed.position }]
  const catalogs = new Set<string>()
  const nothing = { digests: [], missing: new Set<string>(), catalogs, early: new Map() }
  const base = { ...sealed, ...nothing, sequence: world.snapshotSequence }
  world.sealed = base
  if (world.isPartial) return
  const digests = [...chainOf(writeSnapshot(world))]
  world.sealed = { ...base, digests, missing: new Set(digests) }
}
