// What counts for nothing, and why: mostly the fact that was folded; or a message before it, where
// only a look into earlier eras could tell.
import type { Folded, LoggedFact } from './world.ts'

export interface VoidFact {
  readonly name: string
  readonly position: number
  readonly why: string
}

const none: readonly VoidFact[] = []

/** Those that were found with that fact. */
export function voidsIn(
  { name, position }: Pick<LoggedFact, 'name' | 'position'>,
  { void: why, voids }: Folded,
): readonly VoidFact[] {
  if (why !== null) return [{ name, position, why }]
  return voids === undefined ? none : [voids]
}
