// How messages repeat what others wrote: short, on one line, and always text that a fact can say;
// and which names anyone may have meant who wrote another: those few keystrokes away.
import { caseFold } from './case-fold.ts'

const charactersMax = 80

/** In backticks. Cutting may halve a surrogate pair, which canonical JSON cannot say. */
export function quoted(text: string): string {
  return `\`${short(text, charactersMax).replaceAll('`', '’')}\``
}

/** Cut to that many characters, with line breaks and other control characters as spaces. */
export function short(text: string, max: number): string {
  const cut = text.length > max ? `${text.slice(0, max - 1)}…` : text
  return cut.toWellFormed().replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}

// Controls, and format characters such as those that reverse the direction of writing. A tag of an
// emoji is a format character too; shown as its number it does no harm.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu

/** One line of text in which nothing is hidden. */
export function visible(text: string): string {
  return text.replaceAll(unseen, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u{${code.toString(16)}}`
  })
}

const alphabets = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]

/** Whether it has letters of alphabets that have letters which look alike. */
export function mixesAlphabets(text: string): boolean {
  return alphabets.filter((alphabet) => alphabet.test(text)).length > 1
}

/** `a`, `b` or `c`. */
export function listed(words: readonly string[], last: 'and' | 'or'): string {
  const names = words.map(quoted)
  const end = names.pop() ?? ''
  return names.length === 0 ? end : `${names.join(', ')} ${last} ${end}`
}

const nearestMax = 3
/** Longer names are compared by this many characters. */
const comparedMax = 64

/** The nearest of these texts. */
export function nearest(texts: Iterable<string>, meant: string): readonly string[] {
  const folded = caseFold(meant).slice(0, comparedMax)
  const keystrokesMax = folded.length < 3 ? 0 : folded.length < 6 ? 1 : 2
  const found: { readonly text: string; readonly distance: number }[] = []
  for (const text of texts) {
    const other = caseFold(text).slice(0, comparedMax)
    if (Math.abs(other.length - folded.length) > keystrokesMax) continue
    const distance = keystrokes(folded, other)
    if (distance <= keystrokesMax) found.push({ text, distance })
  }
  const inOrder = found.toSorted((a, b) => a.distance - b.distance)
  return inOrder.slice(0, nearestMax).map(({ text }) => text)
}

/** What to say of them behind a message; nothing where there are none. */
export function didYouMean(names: readonly string[]): string {
  if (names.length === 0) return ''
  return `; did you mean ${names.map((name) => `\`${name}\``).join(' or ')}?`
}

/** Characters put in, left out or mistaken, and neighbours that changed places. */
function keystrokes(one: string, other: string): number {
  let before: readonly number[] = []
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1]
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const least = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
      next.push(least)
    }
    before = last
    last = next
  }
  return last[other.length] ?? 0
}
