// Prints what changed in the catalog between two moments.
import { catalogChanges, catalogOperationsBetween } from '#core/catalog/catalog-difference'
import type { Moment } from '#runtime/eras/state-at'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '../opening/options.ts'
import { print, printJson } from '../terminal/terminal.ts'
import { catalogDiffLines } from './print-diff.ts'
import { toned } from '../terminal/line.ts'
import { standJson, standText } from '../opening/moment-text.ts'
import { looking } from '../opening/known-at.ts'

export function diffCatalog(
  from: Moment,
  to: Moment | undefined,
  options: GlobalOptions,
): Promise<number> {
  return looking(options, 'catalog', async ({ knownAt }) => {
    const before = await knownAt(from)
    const after = await knownAt(to)
    if (options.json === true) {
      const operations = catalogOperationsBetween(before.catalog, after.catalog)
      const stands = { from: standJson(before, 'catalog'), to: standJson(after, 'catalog') }
      await printJson({ ...stands, operations })
    } else {
      await print([
        toned('dim', `from ${standText(before, 'catalog')}`),
        toned('dim', `to ${standText(after, 'catalog')}`),
        ...catalogDiffLines(catalogChanges(before.catalog, after.catalog)),
      ])
    }
    return exitCodes.yes
  })
}
