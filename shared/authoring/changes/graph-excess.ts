// What a graph has and a file lacks, as the steps that take it away.
import type { GraphFile, GraphOperation, Primitive, RelationType } from '#schemas/graph'
import { caseFold } from '#record/case-fold'
import { primitiveToFile } from '#knowledge/graph/graph'
import { primitivesOf, type Graph } from '#knowledge/graph/revision'
import type { SeedStep } from '#knowledge/graph/seed-steps'
import type { Piece } from '#record/change-sets'

/**
 * First edges and levels of primitives that stay, then primitives. `parted`: whether the sets may
 * be parted between them; then primitives that go release each other first.
 */
export function graphExcess(
  graph: Graph,
  file: GraphFile,
  { parted }: { readonly parted: boolean },
): readonly Piece<SeedStep>[] {
  const wanted = new Map(file.primitives.map((each) => [caseFold(each.name), each]))
  const edits: GraphOperation[] = []
  const removals: GraphOperation[] = []
  for (const [, record] of primitivesOf(graph)) {
    const stored = primitiveToFile(graph, record)
    const kept = wanted.get(record.folded)
    if (kept === undefined) {
      if (parted) edits.push(...erasures(stored, new Set()))
      removals.push({ op: 'remove', name: stored.name })
    } else edits.push(...surplus(stored, kept))
  }
  return [...edits, ...removals].map((operation) => [[{ operation, where: 'the graph' }]])
}

function erasures(stored: Primitive, kept: ReadonlySet<number>): readonly GraphOperation[] {
  return stored.depths
    .filter(({ level }) => !kept.has(level))
    .map(({ level }) => ({ op: 'erase', name: stored.name, level }))
}

function surplus(stored: Primitive, kept: Primitive): readonly GraphOperation[] {
  const operations = [...erasures(stored, new Set(kept.depths.map(({ level }) => level)))]
  const { name } = stored
  for (const { level, relata } of kept.depths) {
    const wanted = new Set(relata.map(keyOf))
    const gone = new Map<string, GraphOperation>()
    for (const relatum of stored.depths.find((each) => each.level === level)?.relata ?? []) {
      const { type, target } = relatum
      const key = keyOf(relatum)
      if (!wanted.has(key)) gone.set(key, { op: 'unrelate', name, level, type, target })
    }
    operations.push(...gone.values())
  }
  return operations
}

function keyOf({ type, target }: { readonly type: RelationType; readonly target: string }): string {
  return `${type} ${caseFold(target)}`
}
