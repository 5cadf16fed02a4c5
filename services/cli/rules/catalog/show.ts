// Prints the catalog as it is or was.
import { catalogToFile } from '#rules/catalog/catalog-file'
import { driftIn } from '#authoring/plan/drift'
import { exitCodes } from '#schemas/faults/exit'
import type { MomentOptions } from '#cli/terminal/opening/moment'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, write } from '#cli/terminal/terminal'
import { driftLines } from '../plan/print.ts'
import { catalogLines } from './print.ts'
import { jsonLines } from '#cli/terminal/json-lines'
import { standText } from '#cli/terminal/opening/moment-text'
import { looking } from '#cli/terminal/opening/known-at'

export function showCatalog(options: GlobalOptions & MomentOptions): Promise<number> {
  return looking(options, 'catalog', async ({ knownAt, log, place }) => {
    const known = await knownAt(options.at)
    const { catalog, catalogRevision } = known
    const isNow = options.at === undefined
    const stand = isNow ? `revision ${catalogRevision}` : standText(known, 'catalog')
    if (options.json === true) await write(`${jsonLines(catalogToFile(catalog))}\n`)
    else {
      const drift = isNow ? await driftIn(log, { ...known, place }) : null
      const moved = driftLines(drift)
      await print([...catalogLines(catalog, stand), ...(moved.length > 0 ? ['', ...moved] : [])])
    }
    return exitCodes.yes
  })
}
