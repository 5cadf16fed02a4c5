// Reads a graph file and brings it into the graph.
import { plannedImport } from '#runtime/authoring/graph-import'
import { signerChoice } from '../editing/signing.ts'
import { operationLines } from '../editing/change-text.ts'
import { readGraphFile } from './graph-file.ts'
import { importFile, type ImportCommandOptions } from '../editing/import.ts'
import { inInput } from '../opening/input.ts'

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
