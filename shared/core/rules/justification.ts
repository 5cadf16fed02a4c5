// Whether a text is a reason at all: long enough, by the same count anyone who wrote it and
// wherever it is counted. Its content is for people; this never looks at it.

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

// The format and control characters (Cf, Cc) of Unicode 16, as ranges: an engine's own table
// changes with its version, and the same text must count the same on replay.
const invisible: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x600, 0x605],
  [0x61c, 0x61c],
  [0x6dd, 0x6dd],
  [0x70f, 0x70f],
  [0x890, 0x891],
  [0x8e2, 0x8e2],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x2064],
  [0x2066, 0x206f],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0x110bd, 0x110bd],
  [0x110cd, 0x110cd],
  [0x13430, 0x1343f],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0001, 0xe0001],
  [0xe0020, 0xe007f],
]

function isInvisible(point: number): boolean {
  if (point > 0x1f && point < 0x7f) return false
  return invisible.some(([from, to]) => point >= from && point <= to)
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
