// A fact as the log gives it back, and what folding it came to: what it counts for, or why it
// counts for nothing; or a message before it does, where only a look into earlier eras could show.
import type { NameParts } from '#record/names'
import type { MessageCheck } from '#messages/check'

/** A fact as the log gives it back. */
export interface LoggedFact {
  readonly name: string
  readonly bytes: Uint8Array
  readonly position: number
  readonly appendedAt: number
}

export interface VoidFact {
  readonly name: string
  readonly position: number
  readonly why: string
}

/** What became of a fact: its name's parts, and why it counts for nothing where it does not. */
export interface Folded {
  readonly parts: NameParts | null
  readonly void: string | null
  /** Open intents that it has stopped: nothing else is waited for. */
  readonly stopped?: readonly string[]
  /** What a message was found to be, against the constraints that the catalog knows. */
  readonly check?: MessageCheck
  /** The message before it that it makes void, and why. */
  readonly voids?: VoidFact
  /** Why an answer counts for nothing that older rules keep in mind: derived by, it never is. */
  readonly uncounted?: string
}

const none: readonly VoidFact[] = []

/** Those that were found with that fact. */
export function voidsIn(
  { name, position }: Pick<LoggedFact, 'name' | 'position'>,
  { void: refused, uncounted, voids }: Folded,
): readonly VoidFact[] {
  const why = refused ?? uncounted
  if (why !== undefined) return [{ name, position, why }]
  return voids === undefined ? none : [voids]
}
