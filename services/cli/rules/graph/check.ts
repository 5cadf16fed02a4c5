// Finds concepts, edges and policies that are unreachable, and questions that no one can answer.
import { checkCatalog } from '#authoring/lint/catalog-flaws'
import { checkGraph } from '#authoring/lint/lint'
import { fixesOf } from '#present/fixes'
import { exitCodes } from '#schemas/faults/exit'
import type { MomentOptions } from '#cli/terminal/opening/moment'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { looking } from '#cli/terminal/opening/known-at'
import type { Flaw } from '#authoring/lint/flaw'
import { counted } from '#present/wording'
import { toned, type Line } from '#cli/terminal/line'

// The flaws of a graph for people: each with its code, what it is, and how to fix it.

const flawsShownMax = 200

function flawLines(flaws: readonly Flaw[]): readonly Line[] {
  if (flaws.length === 0) return [toned('good', 'nothing is wrong with the graph')]
  const shown = flaws.slice(0, flawsShownMax)
  const more = flaws.length - shown.length
  return [
    toned('dim', counted(flaws.length, 'flaw')),
    ...shown.flatMap(({ code, what, fix }) => [toned('warn', `${code}: ${what}`), `  ${fix}`]),
    ...(more === 0 ? [] : [toned('dim', `and ${more} more: --json lists them all`)]),
  ]
}

export function checkKnownGraph(options: GlobalOptions & MomentOptions): Promise<number> {
  return looking(options, 'graph', async ({ knownAt }) => {
    const { graph, graphRevision, catalog, catalogRevision } = await knownAt(options.at)
    const flaws = [...checkGraph(graph, catalog, fixesOf), ...checkCatalog(catalog, graph)]
    if (options.json === true) await printJson({ graphRevision, catalogRevision, flaws })
    else await print(flawLines(flaws))
    return flaws.length === 0 ? exitCodes.yes : exitCodes.differs
  })
}
