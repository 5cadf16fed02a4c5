// The operations that turn one graph into another: all that is said of every primitive is then the
// same, with its provenance. Only their order may be another, since a new primitive comes last.
import type { GraphOperation, Provenance, Relatum } from '#schemas/graph'
import { assert } from '#core/fault'
import { paired, saidAtLevel, saidOfEdge, type Pairing } from './pairing.ts'
import type { Edge, LevelRecord, PrimitiveRecord } from './record.ts'
import { primitivesOf, recordAt, type Graph } from './revision.ts'

/** What is taken away is said in the words of before, and what is put there in those of after. */
interface Turn {
  readonly before: Graph
  readonly after: Graph
  readonly pairing: Pairing
  readonly unrelated: GraphOperation[]
  readonly removed: GraphOperation[]
  readonly renamed: GraphOperation[]
  readonly added: GraphOperation[]
  readonly described: GraphOperation[]
  readonly related: GraphOperation[]
}

/** One change set; what it comes to when it is applied to `before` is `after`. */
export function operationsBetween(before: Graph, after: Graph): readonly GraphOperation[] {
  const lists = { unrelated: [], removed: [], renamed: [], added: [], described: [], related: [] }
  const turn: Turn = { before, after, pairing: paired(before, after), ...lists }
  for (const [id, { name }] of primitivesOf(before)) {
    if (!turn.pairing.after.has(id)) turn.removed.push({ op: 'remove', name })
  }
  for (const [id, record] of primitivesOf(after)) {
    const known = turn.pairing.before.get(id)
    if (known === undefined) addWhole(turn, record)
    else turnPrimitive(turn, recordAt(before, known), record)
  }
  const { unrelated, removed, renamed, added, described, related } = turn
  return [...unrelated, ...removed, ...renamed, ...added, ...described, ...related]
}

function addWhole(turn: Turn, { name, provenance, levels }: PrimitiveRecord): void {
  turn.added.push({ op: 'add', name, ...stamped(provenance) })
  for (const level of levels) {
    describe(turn, name, level)
    for (const edge of level.relata) relate(turn, name, edge)
  }
}

function turnPrimitive(turn: Turn, before: PrimitiveRecord, after: PrimitiveRecord): void {
  const { name } = after
  if (before.name !== name) turn.renamed.push({ op: 'rename', name: before.name, to: name })
  const known = new Map(before.levels.map((level) => [level.level, level]))
  for (const level of after.levels) {
    const was = known.get(level.level)
    known.delete(level.level)
    if (was === undefined || saidAtLevel(was) !== saidAtLevel(level)) describe(turn, name, level)
    turnEdges(turn, { source: before, edges: was?.relata ?? [] }, { name, edges: level.relata })
  }
  for (const level of known.keys()) {
    turn.unrelated.push({ op: 'erase', name: before.name, level })
  }
}

/**
 * Operations take away all edges of one type and target, and add at the end. So what stays must be
 * what the level begins with, and all that follows is written.
 */
function turnEdges(
  turn: Turn,
  before: { readonly source: PrimitiveRecord; readonly edges: readonly Edge[] },
  after: { readonly name: string; readonly edges: readonly Edge[] },
): void {
  const said = after.edges.map((edge) => `${edge.target} ${saidOfEdge(edge)}`)
  let kept = before.edges.map((edge) => {
    return { edge, said: `${turn.pairing.after.get(edge.target)} ${saidOfEdge(edge)}` }
  })
  // Each round goes one edge on or drops at least one.
  for (let at = 0; at < kept.length;) {
    const { edge, said: was } = itemAt(kept, at)
    if (was === said[at]) {
      at += 1
      continue
    }
    const { type, sourceDepth: level } = edge
    const operation = { op: 'unrelate' as const, name: before.source.name, level, type }
    turn.unrelated.push({ ...operation, target: recordAt(turn.before, edge.target).name })
    const isGone = (other: Edge): boolean => other.type === type && other.target === edge.target
    at = kept.findIndex((each) => isGone(each.edge))
    kept = kept.filter((each) => !isGone(each.edge))
  }
  for (const edge of after.edges.slice(kept.length)) relate(turn, after.name, edge)
}

function itemAt<T>(list: readonly T[], at: number): T {
  const item = list[at]
  assert(item !== undefined, 'a place within a list has its item')
  return item
}

function describe(turn: Turn, name: string, level: LevelRecord): void {
  const { properties, provenance } = level
  const operation = { op: 'describe' as const, name, level: level.level, ...stamped(provenance) }
  turn.described.push({ ...operation, properties: { ...properties } })
}

function relate(turn: Turn, name: string, edge: Edge): void {
  const { type, targetDepth, metadata, policies, provenance } = edge
  const target = recordAt(turn.after, edge.target).name
  const terms = { metadata: { ...metadata }, policies: [...policies] }
  const relatum: Relatum = { type, target, targetDepth, ...terms }
  const operation = { op: 'relate' as const, name, level: edge.sourceDepth, relatum }
  turn.related.push({ ...operation, ...stamped(provenance) })
}

function stamped(provenance: Provenance | null): { readonly provenance?: Provenance } {
  return provenance === null ? {} : { provenance }
}
