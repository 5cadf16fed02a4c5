// Finds concepts, edges and policies that are unreachable, and questions that no one can answer.
import { checkCatalog } from '#authoring/lint/catalog-flaws'
import { checkGraph } from '#authoring/lint/lint'
import { fixesOf } from '#present/fixes'
import { exitCodes } from '#schemas/faults/exit'
import type { MomentOptions } from '#cli/terminal/opening/moment'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { flawLines } from './print-check.ts'
import { looking } from '#cli/terminal/opening/known-at'

export function checkKnownGraph(options: GlobalOptions & MomentOptions): Promise<number> {
  return looking(options, 'graph', async ({ knownAt }) => {
    const { graph, graphRevision, catalog, catalogRevision } = await knownAt(options.at)
    const flaws = [...checkGraph(graph, catalog, fixesOf), ...checkCatalog(catalog, graph)]
    if (options.json === true) await printJson({ graphRevision, catalogRevision, flaws })
    else await print(flawLines(flaws))
    return flaws.length === 0 ? exitCodes.yes : exitCodes.differs
  })
}
