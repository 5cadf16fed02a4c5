// Steps that change a graph, in change sets that each fit a fact and are all tried, one after the
// other, before the first is bound.
import type { GraphOperation, Provenance } from '#schemas/graph'
import { Fault } from '#core/fault'
import { applyChange } from '#core/graph/change'
import type { Graph } from '#core/graph/graph'
import { authored, withProvenance } from '#core/graph/provenance'
import type { SeedStep } from '#core/graph/seed-steps'
import { bytesOf, inSets, type Piece } from '#core/seed/change-sets'
import type { PieceOrder } from '#core/seed/graph-difference'
import { entryBytesMax } from '#ports/log'

/** Room for what stands around the operations of a change set. */
const bytesAround = 4_096
export const setBytesMax = entryBytesMax - bytesAround

export interface GraphPlan {
  readonly sets: readonly (readonly GraphOperation[])[]
  readonly after: Graph
}

export interface Planning {
  /** Who will sign: it is written with each operation. */
  readonly by: string
  readonly bytesMax?: number
  /** In the order of the file, as long as one set holds them all. */
  readonly pieces: (order: PieceOrder) => readonly Piece<SeedStep>[]
}

/** Throws a Fault with the place of what can not be applied, or is larger than a fact. */
export function graphPlan(graph: Graph, planning: Planning): GraphPlan {
  const whole = split(planning, 'file')
  const sets = whole.length <= 1 ? whole : split(planning, 'needed_first')
  let after = graph
  const planned: (readonly GraphOperation[])[] = []
  for (const steps of sets) {
    const operations = steps.map(({ operation }) => operation)
    const applied = applyChange(after, operations)
    if ('refused' in applied) {
      const { code, message, at } = applied.refused
      throw new Fault(code, 'never', `${steps[at]?.where ?? 'the file'}: ${message}`)
    }
    after = applied.graph
    planned.push(operations)
  }
  return { sets: planned, after }
}

function split(
  { by, pieces, bytesMax = setBytesMax }: Planning,
  order: PieceOrder,
): readonly (readonly SeedStep[])[] {
  // Who wrote it and when is written with each; every moment takes as many bytes.
  const provenance: Provenance = authored(by, 0)
  const sizeOf = ({ operation }: SeedStep): number => {
    return bytesOf(withProvenance(operation, provenance))
  }
  const sets = inSets(pieces(order), sizeOf, bytesMax)
  const large = sets.find((steps) => steps.reduce((sum, step) => sum + sizeOf(step), 0) > bytesMax)
  if (large === undefined) return sets
  const message = `${large[0]?.where ?? 'the file'}: larger than a fact may be: divide it`
  throw new Fault('change_too_large', 'never', message)
}
