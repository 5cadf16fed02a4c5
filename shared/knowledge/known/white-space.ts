// What counts as white space wherever a text is counted or cut: one set, on every engine.

/**
 * Unicode's white space and the four information separators, without U+FEFF: `trim` has another
 * set. Takes a UTF-16 code unit; all white space is in the basic plane.
 */
export function isWhiteSpace(unit: number): boolean {
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

/** Without white space at both ends. */
export function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isWhiteSpace(text.charCodeAt(start))) start += 1
  while (end > start && isWhiteSpace(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}
