// What a text ends with, looked at from its end: an expression begins again at each character of a
// run, wherever that stands, which for a long one in the middle costs the square of its length.

/** The text without the characters at its end that match; `one` is asked about a single one. */
export function withoutEnd(text: string, one: RegExp): string {
  let end = text.length
  while (end > 0 && one.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
