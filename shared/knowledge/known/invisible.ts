// Characters that show nothing: two texts that differ in these alone look the same.

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

/** Whether the code point is a format or control character. */
export function isInvisible(point: number): boolean {
  if (point > 0x1f && point < 0x7f) return false
  return invisible.some(([from, to]) => point >= from && point <= to)
}

// What Unicode ignores by default beside those: joiners, fillers and variation selectors.
const ignored: readonly (readonly [number, number])[] = [
  [0x34f, 0x34f],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2065, 0x2065],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xffa0, 0xffa0],
  [0xe0000, 0xe0fff],
]

/** Whether the code point shows nothing: those, and what Unicode ignores by default beside them. */
export function showsNothing(point: number): boolean {
  return isInvisible(point) || ignored.some(([from, to]) => point >= from && point <= to)
}

/** The text without all that shows nothing. */
export function withoutInvisible(text: string): string {
  if (/^[ -~]*$/.test(text)) return text
  // Code points, and never more: each is judged by itself.
  const shown = Array.from(text).filter((character) => !showsNothing(character.codePointAt(0) ?? 0))
  return shown.join('')
}
