// Prints what changed in the graph between two moments.
import { differenceOf } from '#core/graph/graph-difference'
import { operationsBetween } from '#core/graph/graph-operations'
import type { Moment } from '#runtime/eras/state-at'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '../opening/options.ts'
import { print, printJson } from '../terminal/terminal.ts'
import { graphDiffLines } from './print-diff.ts'
import { toned } from '../terminal/line.ts'
import { standJson, standText } from '../opening/moment-text.ts'
import { looking } from '../opening/known-at.ts'

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
