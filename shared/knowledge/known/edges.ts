// Whether a text that was found inside another stands there by itself, or is a part of something
// longer. What counts as a letter is fixed here and depends on no table of an engine: what is not
// known as punctuation joins, so that in doubt a value is not found.

/** Ranges of UTF-16 units beyond ASCII that are spaces, punctuation or symbols. */
const apart: readonly (readonly [from: number, to: number])[] = [
  [0x80, 0xa9],
  [0xab, 0xac],
  [0xae, 0xb4],
  [0xb6, 0xb9],
  [0xbb, 0xbf],
  [0xd7, 0xd7],
  [0xf7, 0xf7],
  [0x2000, 0x200a],
  [0x2010, 0x2029],
  [0x202f, 0x205f],
  [0x20a0, 0x20cf],
  [0x2190, 0x2bff],
  [0x3000, 0x303f],
  [0xff01, 0xff0f],
  [0xff1a, 0xff20],
  [0xff3b, 0xff40],
  [0xff5b, 0xff65],
]

export function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57
}

/** Letters, digits, `_`, and beyond ASCII all that is no known punctuation. */
export function isWord(unit: number): boolean {
  if (unit < 0x80) {
    return isDigit(unit) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122) || unit === 95
  }
  return !apart.some(([from, to]) => unit >= from && unit <= to)
}

/**
 * The characters of a kind beside letters and digits: `always` are of it wherever they stand,
 * `before` and `after` only where they join the value to another character of the kind.
 */
export interface Edges {
  readonly always: string
  readonly before: string
  readonly after: string
}

/** Whether what stands from `start` to `end` has no character of its kind beside it. */
export function standsAlone(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  edges: Edges,
): boolean {
  return (
    !joins(text, { from: start - 1, step: -1, joiners: edges.before }, edges) &&
    !joins(text, { from: end, step: 1, joiners: edges.after }, edges)
  )
}

function joins(
  text: string,
  side: { readonly from: number; readonly step: 1 | -1; readonly joiners: string },
  { always }: Edges,
): boolean {
  const { from, step, joiners } = side
  for (let at = from; at >= 0 && at < text.length; at += step) {
    if (isWord(text.charCodeAt(at)) || always.includes(text.charAt(at))) return true
    if (!joiners.includes(text.charAt(at))) return false
  }
  return false
}

/** Whether the value stands alone anywhere in the text; both are in the form that is compared. */
export function isIn(value: string, text: string, edges: Edges): boolean {
  if (value === '') return false
  for (let start = text.indexOf(value); start !== -1; start = text.indexOf(value, start + 1)) {
    if (standsAlone(text, { start, end: start + value.length }, edges)) return true
  }
  return false
}

/** Only ASCII letters change: no table of an engine can make two names of it one. */
export function lower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
