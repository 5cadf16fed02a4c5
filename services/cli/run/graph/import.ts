// Brings a graph file into the log and says which revisions came of it.
import { bindSets } from '#runtime/authoring/bind-sets'
import { plannedImport } from '#runtime/authoring/graph-import'
import { localName } from '#runtime/keys'
import { refuseMoved } from '#runtime/authoring/moved'
import type { EditOptions } from '../../edit-options.ts'
import { exitCodes } from '../../exit.ts'
import { withProgress } from '../../progress.ts'
import { print, printJson } from '../../terminal.ts'
import { operationLines } from '../../text/change-text.ts'
import { importLines, tallied, toSignLines } from '../../text/import-text.ts'
import { authorFor, refuseWithoutCatalog } from '../edit.ts'
import { readGraphFile } from '../graph-file.ts'
import { inInput, inputName } from '../input.ts'
import { withRuntime } from '../opened.ts'
import { demandAgreement } from '../signing.ts'

export interface ImportOptions extends EditOptions {
  readonly exact?: boolean
}

export async function importGraph(file: string, options: ImportOptions): Promise<number> {
  const read = await inInput(file, () => readGraphFile(file))
  return withRuntime(options, { reads: options.dryRun === true }, async (runtime) => {
    refuseWithoutCatalog(runtime)
    const { base } = options
    const dryRun = options.dryRun === true
    if (base !== undefined) await refuseMoved(runtime, 'graph', base)
    const author = dryRun ? null : await authorFor(runtime, options)
    const by = author?.id ?? options.as ?? localName
    const exact = options.exact === true
    const { sets, leftAlone } = await inInput(file, () => {
      return plannedImport(runtime, read, { ...options, by, exact })
    })
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
      kind: 'graph' as const,
      dryRun,
      by: author?.id ?? null,
      revisions: done?.revisions ?? [],
      operations: tallied(sets),
      sets: sets.length,
      leftAlone,
      moved: done?.moved ?? [],
    }
    if (options.json === true) await printJson(report)
    else {
      const shown = dryRun ? operationLines(sets.flatMap(({ operations }) => operations)) : []
      await print([...importLines(report, inputName(file)), ...shown])
    }
    return exitCodes.yes
  })
}
