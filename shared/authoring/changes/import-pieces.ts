// What a file that was read would change of a graph, so arranged that an empty graph becomes the
// very one that the file was written from: primitives and edges in their order, and who wrote them.
import { asRead, type ReadGraph } from './ndjson-file.ts'
import { isPulling } from '#knowledge/graph/record'
import type { Graph } from '#knowledge/graph/revision'
import type { SeedStep } from '#knowledge/graph/seed-steps'
import type { Bundle, Piece } from '#record/change-sets'
import { graphDifference, type PieceOrder } from './seed-operations.ts'

/**
 * New primitives are named first, in the order of the file, and each is then described with all its
 * edges. One that has a name and does not exist yet is not known, so wherever the pieces are parted
 * nothing is known before all that it needs, and its rules, are there.
 */
export function importPieces(
  graph: Graph,
  read: ReadGraph,
  order: PieceOrder,
): readonly Piece<SeedStep>[] {
  const { pieces } = graphDifference(graph, read.file, order)
  const inOrder = byPlace(read)
  const steps = pieces.flat(2)
  const adds = inOrder(steps.filter(({ operation }) => operation.op === 'add'))
  const edges = new Map(adds.map(({ operation }) => [operation.name, new Array<SeedStep>()]))
  for (const step of steps) {
    if (step.operation.op === 'relate') edges.get(step.operation.name)?.push(step)
  }
  const rest = pieces.map((piece) =>
    piece.flatMap((bundle): readonly Bundle<SeedStep>[] => {
      const operation = bundle[0]?.operation
      const own = edges.get(operation?.name ?? '')
      if (own === undefined) return [bundle]
      if (operation?.op !== 'add') return []
      return definitionOf(bundle.slice(1), inOrder(own))
    }),
  )
  return [...adds.map((step) => [[step]]), ...rest].map((piece) =>
    piece.map((bundle) => bundle.map((step) => withAuthor(step, read))),
  )
}

/**
 * Existence comes last and with every edge on it that asks for something: even where a primitive is
 * too large for one set, it is not known before.
 */
function definitionOf(
  describes: readonly SeedStep[],
  edges: readonly SeedStep[],
): readonly Bundle<SeedStep>[] {
  const exists = describes.filter(isOnExistence)
  const first = edges.filter(isOnExistence)
  const asking = 1 + first.findLastIndex(asksForSomething)
  return [
    ...[...describes, ...edges].filter((step) => !isOnExistence(step)).map((step) => [step]),
    [...exists, ...first.slice(0, asking)],
    ...first.slice(asking).map((step) => [step]),
  ]
}

function isOnExistence({ operation }: SeedStep): boolean {
  return 'level' in operation && operation.level === 0
}

function asksForSomething({ operation }: SeedStep): boolean {
  if (operation.op !== 'relate') return false
  const { type, policies } = operation.relatum
  return isPulling(type) || policies.length > 0
}

function withAuthor(step: SeedStep, { provenances }: ReadGraph): SeedStep {
  return { ...step, operation: asRead(step.operation, provenances) }
}

/** Sorts steps by where in the file the name or the relatum stands that they are about. */
function byPlace({ file }: ReadGraph): (steps: readonly SeedStep[]) => readonly SeedStep[] {
  const places = new Map<unknown, number>()
  for (const { name, depths } of file.primitives) {
    places.set(name, places.size)
    for (const { relata } of depths) for (const each of relata) places.set(each, places.size)
  }
  const placeOf = ({ operation }: SeedStep): number => {
    return places.get(operation.op === 'relate' ? operation.relatum : operation.name) ?? 0
  }
  return (steps) => steps.toSorted((one, other) => placeOf(one) - placeOf(other))
}
