// The operations that turn one graph into another: the content of every primitive is then the
// same, with its provenance. Only their order may be another, since a new primitive comes last.
import type { GraphOperation, Provenance, Relatum } from '#schemas/graph'
import { assert } from '#record/fault'
import { paired, saidAtLevel, saidOfEdge, type Pairing } from './pairing.ts'
import type { Edge, LevelRecord, PrimitiveRecord } from './record.ts'
import { primitivesOf, recordAt, type Graph } from './revision.ts'

/** What is removed is named as in `before`, and what is added as in `after`. */
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

function turnEdges(
  turn: Turn,
  before: { readonly source: PrimitiveRecord; readonly edges: readonly Edge[] },
  after: { readonly name: string; readonly edges: readonly Edge[] },
): void {
  const said = after.edges.map((edge) => `${edge.target} ${saidOfEdge(edge)}`)
  const was = new Map(
    before.edges.map((edge) => {
      return [edge, `${turn.pairing.after.get(edge.target)} ${saidOfEdge(edge)}`] as const
    }),
  )
  const { kept, gone } = keptEdges(before.edges, (edge, at) => was.get(edge) === said[at])
  for (const edge of gone) turn.unrelated.push(unrelating(turn.before, before.source.name, edge))
  for (const edge of after.edges.slice(kept)) relate(turn, after.name, edge)
}

/**
 * Operations take away all edges of one type and target, and add at the end. So what stays must be
 * what the level begins with, and all that follows is written. Of the edges that go, one of each
 * type and target.
 */
function keptEdges(
  edges: readonly Edge[],
  isInPlace: (edge: Edge, at: number) => boolean,
): { readonly kept: number; readonly gone: readonly Edge[] } {
  const gone: Edge[] = []
  let kept = edges
  // Each round goes one edge on or drops at least one.
  for (let at = 0; at < kept.length;) {
    const edge = itemAt(kept, at)
    if (isInPlace(edge, at)) {
      at += 1
      continue
    }
    const isGone = ({ type, target }: Edge) => type === edge.type && target === edge.target
    at = kept.findIndex(isGone)
    gone.push(itemAt(kept, at))
    kept = kept.filter((other) => !isGone(other))
  }
  return { kept: kept.length, gone }
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

/** Writes the edge with its metadata, policies and provenance. */
function relate(turn: Turn, name: string, edge: Edge): void {
  const { type, sourceDepth: level, targetDepth, metadata, policies, provenance } = edge
  const target = recordAt(turn.after, edge.target).name
  const terms = { metadata: { ...metadata }, policies: [...policies] }
  const relatum: Relatum = { type, target, targetDepth, ...terms }
  turn.related.push({ op: 'relate', name, level, relatum, ...stamped(provenance) })
}

/** Takes away the edge, and all of its level that are of its type and target. */
function unrelating(graph: Graph, name: string, edge: Edge): GraphOperation {
  const { type, sourceDepth: level } = edge
  return { op: 'unrelate', name, level, type, target: recordAt(graph, edge.target).name }
}

function stamped(provenance: Provenance | null): { readonly provenance?: Provenance } {
  return provenance === null ? {} : { provenance }
}
