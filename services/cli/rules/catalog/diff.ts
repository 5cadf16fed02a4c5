// Prints what changed in the catalog between two moments.
import { catalogChanges, catalogOperationsBetween } from '#rules/catalog/catalog-difference'
import type { Moment } from '#replay/eras/state-at'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { catalogDiffLines } from './print-diff.ts'
import { toned } from '#cli/terminal/line'
import { standJson, standText } from '#cli/terminal/opening/moment-text'
import { looking } from '#cli/terminal/opening/known-at'

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
