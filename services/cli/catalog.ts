// `warrant catalog show`: who there is and what can be done.
import type { Command } from 'commander'
import { registerCatalogEdits } from './catalog-edit.ts'
import { examples, type GlobalOptions } from './options.ts'

export function registerCatalog(program: Command): void {
  const catalog = program.command('catalog').description('principals, capabilities and limits')
  registerCatalogEdits(catalog)
  const command = catalog
    .command('show')
    .description('print the catalog as tables, or with --json as a seed file')
    .action(async (_options: unknown, called: Command) => {
      const { showCatalog } = await import('./run/show.ts')
      process.exitCode = await showCatalog(called.optsWithGlobals<GlobalOptions>())
    })
  examples(command, ['warrant catalog show', 'warrant catalog show --json'])
}
