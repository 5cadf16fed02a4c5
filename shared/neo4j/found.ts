// Where a projection does not hold what the log says: all differences are counted, the first of
// them kept.

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

export interface Found {
  differences: number
  readonly first: ProjectionDifference[]
}

const shownMax = 20

export function newFound(): Found {
  return { differences: 0, first: [] }
}

export function noteDifference(found: Found, difference: ProjectionDifference): void {
  found.differences += 1
  if (found.first.length < shownMax) found.first.push(difference)
}

/** Notes it where the two are not the same. */
export function compareTexts(
  found: Found,
  { of, name }: Pick<ProjectionDifference, 'of' | 'name'>,
  here: string | null,
  there: string | null,
): void {
  if (here === there) return
  const what = here === null ? 'extra' : there === null ? 'missing' : 'differs'
  noteDifference(found, { of, name, what, here, there })
}

/** What was found in one cell, among all. */
export function addFound(all: Found, { differences, first }: Found, cell: number): void {
  all.differences += differences
  for (const each of first) if (all.first.length < shownMax) all.first.push({ ...each, cell })
}
