// The flaws of a graph for people: each with its code, what it is, and how it is mended.
import type { Flaw } from '#core/lint/flaw'
import { counted } from '#present/wording'
import { toned, type Line } from '../terminal/line.ts'

const flawsShownMax = 200

export function checkLines(flaws: readonly Flaw[]): readonly Line[] {
  if (flaws.length === 0) return [toned('good', 'nothing is wrong with the graph')]
  const shown = flaws.slice(0, flawsShownMax)
  const more = flaws.length - shown.length
  return [
    toned('dim', counted(flaws.length, 'flaw')),
    ...shown.flatMap(({ code, what, mend }) => [toned('warn', `${code}: ${what}`), `  ${mend}`]),
    ...(more === 0 ? [] : [toned('dim', `and ${more} more: --json lists them all`)]),
  ]
}
