// Writes the catalog as the log has it now, as a seed file.
import { catalogToFile } from '#rules/catalog/catalog-file'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson, write } from '#cli/terminal/terminal'
import { jsonLines } from '#present/json-lines'
import { writeTexts } from '#cli/terminal/opening/file'
import { withRuntime } from '#cli/terminal/opening/opened'

export function exportCatalog(file: string | undefined, options: GlobalOptions): Promise<number> {
  return withRuntime(options, { reads: true }, async ({ follower }) => {
    const { catalog, catalogRevision: revision } = follower.state
    const text = `${jsonLines(catalogToFile(catalog))}\n`
    if (file === undefined) {
      await write(text)
      return exitCodes.yes
    }
    await writeTexts(file, [text])
    if (options.json === true) await printJson({ file, revision })
    else await print([`revision ${revision} is in ${file}`])
    return exitCodes.yes
  })
}
