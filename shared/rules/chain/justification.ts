// Whether a text is a reason at all: long enough, by the same count anyone who wrote it and
// wherever it is counted. Its content is for people; this never looks at it.
import { trimmed } from '#knowledge/known/white-space'
import { isInvisible } from '#knowledge/known/invisible'

/**
 * Counted in code points, after white space at both ends has been left out. What shows nothing,
 * such as a zero-width space, counts for nothing.
 */
export function isJustified(text: string | undefined, charactersMin: number): boolean {
  if (text === undefined) return false
  let characters = 0
  for (const character of trimmed(text)) {
    if (characters >= charactersMin) break
    if (!isInvisible(character.codePointAt(0) ?? 0)) characters += 1
  }
  return characters >= charactersMin
}
