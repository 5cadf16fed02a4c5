// Reads a graph file and brings it into the graph.
import { plannedImport } from '#authoring/graph-import'
import { signerChoice } from '#cli/terminal/signing'
import { operationLines } from '#operations/proposals/operation-lines'
import { readGraphFile } from '#cli/terminal/opening/graph-file'
import { importFile, type ImportCommandOptions } from '../editing/edit.ts'
import { inInput } from '#cli/terminal/opening/input'

export async function importGraph(file: string, options: ImportCommandOptions): Promise<number> {
  const read = await inInput(file, () => readGraphFile(file))
  const exact = options.exact === true
  return importFile(file, options, {
    kind: 'graph',
    plan: (runtime, author) => {
      const { own } = signerChoice(runtime, options).keys.places
      const by = author ?? options.as ?? own
      return plannedImport(runtime, read, { ...options, by, exact })
    },
    shown: (sets) => operationLines(sets.flatMap(({ operations }) => operations)),
  })
}
