// Brings a catalog file into the log and says which revisions came of it.
import type { CatalogFile } from '#schemas/catalog'
import { parseCatalogFile } from '#core/catalog/catalog'
import { Fault } from '#core/fault'
import { bindSets } from '#runtime/authoring/bind-sets'
import { plannedCatalog } from '#runtime/authoring/catalog-import'
import { refuseMoved } from '#runtime/authoring/moved'
import type { EditOptions } from '../../edit-options.ts'
import { exitCodes } from '../../exit.ts'
import { withProgress } from '../../progress.ts'
import { print, printJson } from '../../terminal.ts'
import { operationLines } from '../../text/change-text.ts'
import { importLines, tallied, toSignLines } from '../../text/import-text.ts'
import { authorFor, refuseWithoutCatalog } from '../edit.ts'
import { inInput, inputName, readInput } from '../input.ts'
import { withRuntime } from '../opened.ts'
import { demandAgreement } from '../signing.ts'

export interface ImportOptions extends EditOptions {
  readonly exact?: boolean
}

export async function importCatalog(file: string, options: ImportOptions): Promise<number> {
  const read = await inInput(file, () => readCatalog(file))
  return withRuntime(options, { reads: options.dryRun === true }, async (runtime) => {
    refuseWithoutCatalog(runtime)
    const { base } = options
    const dryRun = options.dryRun === true
    if (base !== undefined) await refuseMoved(runtime, 'catalog', base)
    const author = dryRun ? null : await authorFor(runtime, options)
    const planning = { exact: options.exact === true, by: author?.id ?? null, note: options.note }
    const { catalog } = runtime.follower.world
    const sets = await inInput(file, () => plannedCatalog(catalog, read, planning))
    if (author !== null) {
      const lines = toSignLines(inputName(file), sets)
      await demandAgreement(options, { lines, as: author.id })
    }
    const done =
      author === null
        ? null
        : await withProgress((onProgress) => {
            return bindSets(runtime, sets, { ...options, author, onProgress })
          })
    const report = {
      kind: 'catalog' as const,
      dryRun,
      by: author?.id ?? null,
      revisions: done?.revisions ?? [],
      operations: tallied(sets),
      sets: sets.length,
      leftAlone: {},
      moved: done?.moved ?? [],
    }
    if (options.json === true) await printJson(report)
    else {
      const shown = dryRun ? sets.flatMap(({ operations }) => operationLines(operations)) : []
      await print([...importLines(report, inputName(file)), ...shown])
    }
    return exitCodes.yes
  })
}

async function readCatalog(
  name: string,
): Promise<{ readonly file: CatalogFile; readonly settings: ReadonlySet<string> }> {
  const input = await readInput(name, () => false)
  const value = input.as === 'value' ? input.value : null
  const { file, refused } = parseCatalogFile(value)
  if (refused !== undefined) {
    const { code, message, at } = refused
    throw new Fault(code, 'never', at === '' ? message : `${at}: ${message}`)
  }
  const named = typeof value === 'object' && value !== null ? Object.keys(value) : []
  return { file, settings: new Set(named) }
}
