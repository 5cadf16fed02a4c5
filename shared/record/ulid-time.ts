// The time that a ULID states: its first ten characters are milliseconds since 1970.

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ulidPattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const timeCharacters = 10

/** Milliseconds since 1970; null where the text is no ULID in its canonical spelling. */
export function ulidTime(text: string): number | null {
  if (text.length !== 26 || !ulidPattern.test(text)) return null
  let time = 0
  for (let at = 0; at < timeCharacters; at += 1) time = time * 32 + alphabet.indexOf(text[at] ?? '')
  return time
}
