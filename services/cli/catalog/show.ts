// Prints the catalog as it is or was.
import { catalogToFile } from '#core/catalog/catalog-file'
import { exitCodes } from '#schemas/faults/exit'
import type { MomentOptions } from '../opening/moment.ts'
import type { GlobalOptions } from '../opening/options.ts'
import { print, write } from '../terminal/terminal.ts'
import { catalogLines } from './print.ts'
import { jsonLines } from '../terminal/json-lines.ts'
import { standText } from '../opening/moment-text.ts'
import { looking } from '../opening/known-at.ts'

export function showCatalog(options: GlobalOptions & MomentOptions): Promise<number> {
  return looking(options, 'catalog', async ({ knownAt }) => {
    const known = await knownAt(options.at)
    const { catalog, catalogRevision } = known
    const isNow = options.at === undefined
    const stand = isNow ? `revision ${catalogRevision}` : standText(known, 'catalog')
    if (options.json === true) await write(`${jsonLines(catalogToFile(catalog))}\n`)
    else await print(catalogLines(catalog, stand))
    return exitCodes.yes
  })
}
