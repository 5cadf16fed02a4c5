// One concept of the graph as it is written: what of a change set is about it, and the operations
// that turn what stands into what was written.
import { caseFold } from '#record/case-fold'
import { canonical, jsonOf } from '#record/canonical'
import type { Depth, GraphOperation, Primitive, Relatum } from '#schemas/graph'

/** Those about that concept, whatever it is called in between. */
export function operationsOn(
  name: string,
  operations: readonly GraphOperation[],
): readonly GraphOperation[] {
  let called = caseFold(name)
  return operations.filter((operation) => {
    const isIts = caseFold(operation.name) === called
    if (isIts && operation.op === 'rename') called = caseFold(operation.to)
    return isIts
  })
}

/** `before`: null where there is no such concept. */
export function conceptOperations(before: Primitive | null, after: Primitive): GraphOperation[] {
  const { name } = after
  const named: GraphOperation[] = []
  if (before === null) named.push({ op: 'add', name })
  else if (before.name !== name) named.push({ op: 'rename', name: before.name, to: name })
  const had = new Map(before?.depths.map((depth) => [depth.level, depth]))
  const kept = new Set(after.depths.map(({ level }) => level))
  const erased = [...had.keys()].filter((level) => !kept.has(level))
  return [
    ...named,
    ...erased.map((level): GraphOperation => ({ op: 'erase', name, level })),
    ...after.depths.flatMap((depth) => levelOperations(name, had.get(depth.level), depth)),
  ]
}

function levelOperations(name: string, before: Depth | undefined, after: Depth): GraphOperation[] {
  const { level, properties } = after
  const isSame = before !== undefined && same(before.properties, properties)
  const [had, has] = [grouped(before?.relata ?? []), grouped(after.relata)]
  const groups = new Set([...had.keys(), ...has.keys()])
  const edges = [...groups].flatMap((key): readonly GraphOperation[] => {
    const [were, are] = [had.get(key) ?? [], has.get(key) ?? []]
    if (same(were, are)) return []
    const gone = were.slice(0, 1).map(({ type, target }): GraphOperation => {
      return { op: 'unrelate', name, level, type, target }
    })
    return [...gone, ...are.map((relatum) => ({ op: 'relate' as const, name, level, relatum }))]
  })
  return isSame ? edges : [{ op: 'describe', name, level, properties }, ...edges]
}

/** Edges of one type and target can only be taken away together. */
function grouped(relata: readonly Relatum[]): ReadonlyMap<string, readonly Relatum[]> {
  const groups = new Map<string, Relatum[]>()
  for (const relatum of relata) {
    const key = `${relatum.type} ${caseFold(relatum.target)}`
    groups.set(key, [...(groups.get(key) ?? []), relatum])
  }
  return groups
}

function same(one: unknown, other: unknown): boolean {
  return canonical(jsonOf(one)) === canonical(jsonOf(other))
}
