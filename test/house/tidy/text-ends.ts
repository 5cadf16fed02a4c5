// What a text ends with is not searched for from its beginning: an expression such as `/0+$/`
// begins again at each of the zeros, wherever they stand, and costs the square of their number.
import { at, sourcesOf, visit, type Files } from './source.ts'

const remedy = 'take `withoutEnd`, or `trimEnd`, which look from the end'
const ours = /^(shared|services|schemas)\//

/** Of an alternative: one character or class, repeated without a limit, and the end of the text. */
const runToEnd =
  /^(?:\((?:\?:)?)?(?:\[(?:[^\]\\]|\\.)*\]|\\[pP]\{[^}]*\}|\\?.)(?:[+*]|\{\d+,\})\)?\$$/su

/** Every expression that looks for a run at the end of a text, and begins with it. */
export function endsFromTheEnd(files: Files): readonly string[] {
  const found: string[] = []
  for (const source of sourcesOf(files)) {
    if (!ours.test(source.path)) continue
    visit(source, {
      Literal({ start, end }) {
        const whole = source.text.slice(start, end)
        if (!whole.startsWith('/')) return
        const pattern = whole.slice(1, whole.lastIndexOf('/'))
        if (alternativesOf(pattern).some((one) => runToEnd.test(one))) {
          found.push(at(source, start, `searches for an end by ${whole}: ${remedy}`))
        }
      },
    })
  }
  return found
}

/** At each `|` that stands in no class and no group. */
function alternativesOf(pattern: string): readonly string[] {
  const parts = ['']
  let depth = 0
  for (const [piece] of pattern.matchAll(/\\.|\[(?:[^\]\\]|\\.)*\]|[^]/gu)) {
    if (piece === '(') depth += 1
    else if (piece === ')') depth -= 1
    if (piece === '|' && depth === 0) parts.push('')
    else parts.push(`${parts.pop() ?? ''}${piece}`)
  }
  return parts
}
