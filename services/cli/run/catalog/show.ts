// Prints the catalog as it is or was.
import { catalogToFile } from '#core/catalog/catalog'
import { exitCodes } from '../../exit.ts'
import type { MomentOptions } from '../../moment.ts'
import type { GlobalOptions } from '../../options.ts'
import { print, write } from '../../terminal.ts'
import { catalogLines } from '../../text/catalog-text.ts'
import { jsonLines } from '../../text/json-lines.ts'
import { standText } from '../../text/moment-text.ts'
import { looking } from '../known-at.ts'

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
