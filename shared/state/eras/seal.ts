// Sealing: from here on the state of an era stands still, and what it is written in is fixed.
import { chainOf, writeSnapshot } from './genesis.ts'
import { forgetIdentifiers } from '../identifier-times.ts'
import type { State } from '../state.ts'

/** The state as it is becomes what the next era opens with. */
export function sealAt(
  state: State,
  sealed: { readonly by: string; readonly position: number; readonly appendedAt: number },
): void {
  const current = state.eras.at(-1)
  forgetIdentifiers(state)
  const { latestId } = state
  const latest = latestId === null || state.isPartial ? {} : { latest: latestId }
  const span = { from: current?.from ?? 0, to: sealed.position, ...latest }
  state.eras = [...state.eras.slice(0, -1), span]
  const catalogs = new Set<string>()
  const nothing = { digests: [], missing: new Set<string>(), catalogs, early: new Map() }
  const base = { ...sealed, ...nothing, sequence: state.snapshotSequence }
  state.sealed = base
  if (state.isPartial) return
  const digests = [...chainOf(writeSnapshot(state))]
  state.sealed = { ...base, digests, missing: new Set(digests) }
}
