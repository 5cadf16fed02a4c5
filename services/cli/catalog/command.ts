// `warrant catalog show` and `diff`: who there is and what can be done, now and before.
import type { Command } from 'commander'
import type { Moment } from '#runtime/eras/state-at'
import { registerCatalogEdits } from './edit-command.ts'
import { registerCheck } from './tools/check-command.ts'
import { momentSpelling } from '#services/client/reading/moment'
import { moment, withMoment, type MomentOptions } from '../opening/moment.ts'
import { examples, type GlobalOptions } from '../opening/options.ts'

export function registerCatalog(program: Command): void {
  const catalog = program.command('catalog').description('principals, capabilities and limits')
  registerShow(catalog)
  registerDiff(catalog)
  registerCatalogEdits(catalog)
  registerCheck(catalog)
}

function registerShow(catalog: Command): void {
  const command = withMoment(
    catalog
      .command('show')
      .description('print the catalog as tables, or with --json as a seed file'),
  ).action(async (_options: unknown, called: Command) => {
    const { showCatalog } = await import('./show.ts')
    process.exitCode = await showCatalog(called.optsWithGlobals<GlobalOptions & MomentOptions>())
  })
  examples(command, ['warrant catalog show', 'warrant catalog show --at r3 --json'])
}

function registerDiff(catalog: Command): void {
  const command = catalog
    .command('diff')
    .description('show what changed in the catalog; with --json: the operations for it')
    .argument('<from>', momentSpelling, moment)
    .argument('[to]', 'the same; else as it is now', moment)
    .action(async (from: Moment, to: Moment | undefined, _options: unknown, called: Command) => {
      const { diffCatalog } = await import('./diff.ts')
      process.exitCode = await diffCatalog(from, to, called.optsWithGlobals<GlobalOptions>())
    })
  examples(command, ['warrant catalog diff r1', 'warrant catalog diff r4 r3 --json'])
}
