// Who wrote what of the graph. It is written into the operations themselves, when a change set is
// written: a fold adds nothing, or old logs would fold to other graphs.
import type { GraphOperation, Provenance } from '#schemas/graph'

/** The operation with its provenance: its own if it has one. */
export function withProvenance(operation: GraphOperation, provenance: Provenance): GraphOperation {
  switch (operation.op) {
    case 'add':
    case 'describe':
    case 'relate':
      return operation.provenance === undefined ? { ...operation, provenance } : operation
    case 'rename':
    case 'remove':
    case 'erase':
    case 'unrelate':
      return operation
  }
}

/** That this author wrote it, at that moment. */
export function authored(by: string, ms: number): Provenance {
  return { source: 'authored', by, at: new Date(ms).toISOString() }
}
