// Of which cell something is, where several are served; in a realm of one log nothing says it.
import { cellIn } from '#record/names'
import type { Runtime } from '#runtime/engine/runtime'

export interface CellAmong {
  /** Absent where there is one log. */
  readonly cell?: number
}

/** `all`: what is served. */
export function cellAmong(all: readonly unknown[], { place }: Pick<Runtime, 'place'>): CellAmong {
  const cell = all.length === 1 ? null : cellIn(place.realm)
  return cell === null ? {} : { cell: cell.index }
}
