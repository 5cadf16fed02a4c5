// The flaws of a graph for people: each with its code, what it is, and how to fix it.
import type { Flaw } from '#authoring/lint/flaw'
import { counted } from '#present/wording'
import { toned, type Line } from '#cli/terminal/line'

const flawsShownMax = 200

export function flawLines(flaws: readonly Flaw[]): readonly Line[] {
  if (flaws.length === 0) return [toned('good', 'nothing is wrong with the graph')]
  const shown = flaws.slice(0, flawsShownMax)
  const more = flaws.length - shown.length
  return [
    toned('dim', counted(flaws.length, 'flaw')),
    ...shown.flatMap(({ code, what, fix }) => [toned('warn', `${code}: ${what}`), `  ${fix}`]),
    ...(more === 0 ? [] : [toned('dim', `and ${more} more: --json lists them all`)]),
  ]
}
