// Steps that change a graph, in change sets that each fit a fact and are all tried, one after the
// other, before the first is bound.
import type { GraphOperation } from '#schemas/graph'
import { Fault } from '#record/fault'
import { placeholderWritten } from '#record/placeholder'
import { applyChange } from '#knowledge/graph/graph-change'
import type { Graph } from '#knowledge/graph/revision'
import { authored, withProvenance } from './changes/provenance.ts'
import type { SeedStep } from '#knowledge/graph/seed-steps'
import { bytesOf, inSets, type Piece } from '#record/change-sets'
import type { PieceOrder } from './changes/seed-operations.ts'
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

/** Throws a Fault with the place of what cannot be applied, or is larger than a fact. */
export function graphPlan(graph: Graph, planning: Planning): GraphPlan {
  let after = graph
  const sets: (readonly GraphOperation[])[] = []
  for (const steps of parted(planning)) {
    const operations = steps.map(({ operation }) => operation)
    const placeholder = placeholderWritten(operations)
    if (placeholder !== null) {
      const where = steps[placeholder.at]?.where ?? 'the file'
      throw new Fault('placeholder_left', `${where}: ${placeholder.message}`)
    }
    const applied = applyChange(after, operations, { literals: true })
    if ('refused' in applied) {
      const { code, message, at } = applied.refused
      throw new Fault(code, `${steps[at]?.where ?? 'the file'}: ${message}`)
    }
    after = applied.graph
    sets.push(operations)
  }
  return { sets, after }
}

function parted(planning: Planning): readonly (readonly SeedStep[])[] {
  const { by, pieces, bytesMax = setBytesMax } = planning
  const sizeOf = sizesBy(by)
  const whole = pieces('file').flat(2)
  if (fits(whole, sizeOf, bytesMax)) return whole.length === 0 ? [] : [whole]
  const sets = inSets(pieces('needed_first'), sizeOf, bytesMax)
  const large = sets.find((steps) => !fits(steps, sizeOf, bytesMax))
  if (large === undefined) return sets
  const message = `${large[0]?.where ?? 'the file'}: larger than a fact may be: divide it`
  throw new Fault('change_too_large', message)
}

type SizeOf = (step: SeedStep) => number

function fits(steps: readonly SeedStep[], sizeOf: SizeOf, bytesMax: number): boolean {
  let bytes = 0
  for (const step of steps) {
    bytes += sizeOf(step)
    if (bytes > bytesMax) return false
  }
  return true
}

/** The sizes of steps as they will be written: with who wrote them, where they do not say it. */
function sizesBy(by: string): SizeOf {
  // Every moment takes as many bytes.
  const provenance = authored(by, 0)
  const bracesBytes = 2
  const stampBytes = bytesOf({ provenance }) - bracesBytes
  const sizes = new Map<SeedStep, number>()
  return (step) => {
    const known = sizes.get(step)
    if (known !== undefined) return known
    const { operation } = step
    const isStamped = withProvenance(operation, provenance) !== operation
    const size = bytesOf(operation) + (isStamped ? stampBytes : 0)
    sizes.set(step, size)
    return size
  }
}
