// Whether a text is a reason at all: long enough, by the same count whoever wrote it and wherever
// it is counted. Its content is for people; this never looks at it.

export const justificationCharactersMin = 15

/** Counted in code points, after white space at both ends has been left out. */
export function isJustified(text: string | undefined): boolean {
  if (text === undefined) return false
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start += 1
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1
  let characters = 0
  for (let at = start; at < end; characters += 1) {
    if (characters === justificationCharactersMin) return true
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  }
  return characters >= justificationCharactersMin
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
