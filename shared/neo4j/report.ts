// What a check of a projection reports: how far it is, and where it does not hold what the log
// says. All differences are counted, the first of them kept.

interface Standing {
  /** What the database says it holds. */
  readonly realm: string
  readonly position: number
  /** Where the log ended when the check began. */
  readonly head: number
}

/**
 * Nothing was compared. `incomplete`: it is being rebuilt, or a rebuild was left unfinished.
 * `other_log`: at its position this log has another fact, or none. `cut_off`: this log begins after
 * it. `broken`: it does not say how far it is.
 */
export interface Uncompared extends Standing {
  readonly standing: 'other_realm' | 'other_log' | 'incomplete' | 'cut_off' | 'broken'
  /** Of which cell that is so; absent where it is so of one log, or of the control log. */
  readonly cell?: number
}

/** What the log says and what the database holds, as one text. */
export interface Digests {
  readonly here: string
  readonly there: string
}

/** `behind`: what is there is right, and some facts of the log are not. */
export interface Compared extends Standing {
  readonly standing: 'same' | 'behind' | 'differs'
  readonly primitives: number
  readonly intents: number
  /** Intents up to this position are not looked at: the log, or the projection, begins after it. */
  readonly from: number
  /** Of all labels together. */
  readonly digest: Digests
  readonly digests: Readonly<Record<'Primitive' | 'Intent' | 'Concept', Digests>>
  readonly differences: number
  /** The first of them. */
  readonly first: readonly ProjectionDifference[]
  /** Where the realm has cells: all else is of the control log, and `intents` are all of them. */
  readonly cells?: readonly ComparedCell[]
}

export interface ComparedCell {
  readonly cell: number
  readonly position: number
  readonly head: number
  readonly from: number
  readonly intents: number
}

export type ProjectionCheck = Uncompared | Compared

export interface ProjectionDifference {
  readonly of: 'primitive' | 'intent' | 'concept' | 'mark' | 'schema' | 'count'
  /** A primitive's name, an intent's address, a constraint's name; of a count, what is counted. */
  readonly name: string
  /** Of an intent of several cells: in which. */
  readonly cell?: number
  readonly what: 'missing' | 'extra' | 'differs' | 'out_of_order'
  /** What the log says. Canonical JSON, but for counts and schema; null where there is nothing. */
  readonly here: string | null
  /** What the database holds. */
  readonly there: string | null
}

/** How many differences are kept with what both sides hold. */
export const shownMax = 20

export class Found {
  differences = 0
  readonly first: ProjectionDifference[] = []

  note(difference: ProjectionDifference): void {
    this.differences += 1
    if (this.first.length < shownMax) this.first.push(difference)
  }

  /** Notes it where the two are not the same. */
  compare(
    which: Pick<ProjectionDifference, 'of' | 'name' | 'cell'>,
    here: string | null,
    there: string | null,
  ): void {
    if (here === there) return
    const what = here === null ? 'extra' : there === null ? 'missing' : 'differs'
    this.note({ ...which, what, here, there })
  }
}
