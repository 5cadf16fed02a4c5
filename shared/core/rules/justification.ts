// Whether a text is a reason at all: long enough, by the same count anyone who wrote it and
// wherever it is counted. Its content is for people; this never looks at it.
import { isInvisible } from '../known/invisible.ts'

/**
 * Counted in code points, after white space at both ends has been left out. What shows nothing,
 * such as a zero-width space, counts for nothing.
 */
export function isJustified(text: string | undefined, charactersMin: number): boolean {
  if (text === undefined) return false
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start += 1
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1
  let characters = 0
  for (let at = start; at < end && characters < charactersMin;) {
    const point = text.codePointAt(at) ?? 0
    if (!isInvisible(point)) characters += 1
    at += point > 0xffff ? 2 : 1
  }
  return characters >= charactersMin
}

// Unicode's white space and the four information separators, without U+FEFF: `trim` has another
// set.
function isSpace(unit: number): boolean {
  if (unit <= 0x20) return (unit >= 0x09 && unit <= 0x0d) || unit >= 0x1c
  if (unit < 0x1680) return unit === 0x85 || unit === 0xa0
  return (
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000
  )
}
