// Which names of a graph someone may have meant who wrote another: those few keystrokes away. For
// messages only; nothing is ever looked up by a near name.
import { caseFold } from '../kernel/case-fold.ts'
import { primitivesOf, type Graph } from './revision.ts'

const shownMax = 3
/** Longer names are compared by this many characters. */
const charactersMax = 64

/** The nearest names, the nearest first; none where none is near. */
export function nearNames(graph: Graph, name: string): readonly string[] {
  const names = function* (): Generator<string> {
    for (const [, record] of primitivesOf(graph)) yield record.name
  }
  return nearest(names(), name)
}

/** The nearest of these texts. */
export function nearest(texts: Iterable<string>, meant: string): readonly string[] {
  const folded = caseFold(meant).slice(0, charactersMax)
  const keystrokesMax = folded.length < 3 ? 0 : folded.length < 6 ? 1 : 2
  const found: { readonly text: string; readonly distance: number }[] = []
  for (const text of texts) {
    const other = caseFold(text).slice(0, charactersMax)
    if (Math.abs(other.length - folded.length) > keystrokesMax) continue
    const distance = keystrokes(folded, other)
    if (distance <= keystrokesMax) found.push({ text, distance })
  }
  const inOrder = found.toSorted((a, b) => a.distance - b.distance)
  return inOrder.slice(0, shownMax).map(({ text }) => text)
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
