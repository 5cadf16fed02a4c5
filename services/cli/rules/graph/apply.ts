// Applies operations from a file as one change set of the graph: all of them or none.
import { GraphOperation } from '#schemas/graph'
import type { EditOptions } from '../editing/edit-options.ts'
import { edit } from '../editing/edit.ts'
import { readOperations } from '../editing/operations-file.ts'

export async function applyToGraph(file: string, options: EditOptions): Promise<number> {
  const operations = await readOperations(file, GraphOperation)
  return edit(options, { kind: 'graph', operations })
}
