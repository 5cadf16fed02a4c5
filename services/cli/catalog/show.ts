// Prints the catalog as it is or was.
import { catalogToFile } from '#core/catalog/catalog-file'
import { driftIn } from '#runtime/authoring/plan/drift'
import { exitCodes } from '#schemas/faults/exit'
import type { MomentOptions } from '../opening/moment.ts'
import type { GlobalOptions } from '../opening/options.ts'
import { print, write } from '../terminal/terminal.ts'
import { driftLines } from '../plan/print.ts'
import { catalogLines } from './print.ts'
import { jsonLines } from '../terminal/json-lines.ts'
import { standText } from '../opening/moment-text.ts'
import { looking } from '../opening/known-at.ts'

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
