// Prints what changed in the graph between two moments.
import { differenceOf } from '#knowledge/graph/graph-difference'
import { operationsBetween } from '#knowledge/graph/graph-operations'
import type { Moment } from '#replay/eras/state-at'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { graphDiffLines } from './print-diff.ts'
import { toned } from '#cli/terminal/line'
import { standJson, standText } from '#cli/terminal/opening/moment-text'
import { looking } from '#cli/terminal/opening/known-at'

export function diffGraph(
  from: Moment,
  to: Moment | undefined,
  options: GlobalOptions,
): Promise<number> {
  return looking(options, 'graph', async ({ knownAt }) => {
    const before = await knownAt(from)
    const after = await knownAt(to)
    if (options.json === true) {
      const operations = operationsBetween(before.graph, after.graph)
      const stands = { from: standJson(before, 'graph'), to: standJson(after, 'graph') }
      await printJson({ ...stands, operations })
    } else {
      await print([
        toned('dim', `from ${standText(before, 'graph')}`),
        toned('dim', `to ${standText(after, 'graph')}`),
        ...graphDiffLines(differenceOf(before.graph, after.graph)),
      ])
    }
    return exitCodes.yes
  })
}
