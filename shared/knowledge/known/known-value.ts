// Which values count as known, and how many of one call are looked for. It stands alone, since a
// browser that only repeats it needs nothing of how they are found.
import type { ValueFound } from '#schemas/values'

/** So many different values of one call are looked for; with more it is refused. */
export const valuesMax = 64

export function isKnown({ found }: Pick<ValueFound, 'found'>): boolean {
  return found === 'message' || found === 'attribute'
}
