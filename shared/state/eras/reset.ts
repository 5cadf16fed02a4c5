// What becomes of the state when an era is rotated and the log's clock is set back: a fact that a
// wrong clock stamped must not hold a limit, a review or a hold for as long as that clock ran
// ahead.
import type { State } from '../state.ts'
import { allKept } from './genesis.ts'
import type { MoveInstant } from '../part-lines.ts'

/** The log's time before, and what it is from now on. */
export interface Reset {
  readonly from: number
  readonly to: number
}

/** Nothing happened later than now, and what was to come is as far ahead as it was. */
function movedBy({ from, to }: Reset): MoveInstant {
  return (instant) => (instant > from ? to + (instant - from) : Math.min(instant, to))
}

/** Sets the state's time back. */
export function resetClock(state: State, reset: Reset): void {
  const moved = movedBy(reset)
  const hasCells = state.catalog.cells !== null
  for (const kept of allKept) {
    // What all cells share has times of its own.
    if (kept.of === 'log' || (kept.of === 'all_cells' && !hasCells)) kept.move(state, moved)
  }
}
