// Which values count as known, and how many of one call are looked for. It stands alone, since a
// browser that only repeats it needs nothing of how they are found.
import type { ValueFound } from '#schemas/values'

/** So many different values of one call are looked for; with more it is refused. */
export const valuesMax = 64

/** So much of a value is shown, and compared with what a grant lists. */
export const valueCharactersMax = 512

const known: readonly ValueFound['found'][] = [
  'message',
  'attribute',
  'named',
  'confirmed',
  'made',
  'shown',
  'person',
  'absent',
]

/** Whether no one whose word counts has said it as it is: how it is known is more to be shown. */
export function isDerived({ found, bare }: Pick<ValueFound, 'found' | 'bare'>): boolean {
  return (known.includes(found) && !['message', 'attribute'].includes(found)) || bare !== undefined
}

export function isKnown({ found }: Pick<ValueFound, 'found'>): boolean {
  return known.includes(found)
}
