// Brings a graph file into the log and says which revisions came of it.
import { parseGraphFile } from '#core/graph/seed-file'
import { graphOfLines, type ReadGraph } from '#core/graph/ndjson-file'
import { bindSets } from '#runtime/authoring/bind-sets'
import { plannedImport } from '#runtime/authoring/graph-import'
import { localName } from '#runtime/keys'
import { refuseMoved } from '#runtime/authoring/moved'
import type { EditOptions } from '../../edit-options.ts'
import { exitCodes } from '../../exit.ts'
import { withProgress } from '../../progress.ts'
import { print, printJson } from '../../terminal.ts'
import { operationLines } from '../../text/change-text.ts'
import { importLines, tallied } from '../../text/import-text.ts'
import { authorFor, refuseWithoutCatalog } from '../edit.ts'
import { inInput, inputName, readInput } from '../input.ts'
import { withRuntime } from '../opened.ts'

export interface ImportOptions extends EditOptions {
  readonly exact?: boolean
}

export async function importGraph(file: string, options: ImportOptions): Promise<number> {
  const read = await inInput(file, () => readGraph(file))
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

async function readGraph(file: string): Promise<ReadGraph> {
  const input = await readInput(file, isPrimitive)
  if (input.as === 'lines') return graphOfLines(input.lines)
  return { file: parseGraphFile(input.value), provenances: new Map(), lines: null }
}

/** A seed file has its primitives in a list; a line is one of them. */
function isPrimitive(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'name')
}
