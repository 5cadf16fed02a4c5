// What changed in a graph: by primitive what was added, removed and renamed, and of
// those that stayed, their levels and edges. Order makes no difference here.
import type { RelationType } from '#schemas/graph'
import { paired, saidAtLevel, saidOfEdge, type Pairing } from './pairing.ts'
import type { Edge, LevelRecord, DepthProperties, PrimitiveRecord } from './record.ts'
import { primitivesOf, recordAt, type Graph } from './revision.ts'

export type ChangeOf = 'added' | 'removed' | 'changed'

export interface PrimitiveChange {
  readonly change: ChangeOf
  /** As it is now; of one that was removed, as it was. */
  readonly name: string
  readonly renamedFrom: string | null
  /** Ascending. */
  readonly levels: readonly LevelChange[]
}

export interface LevelChange {
  readonly change: ChangeOf
  readonly level: number
  /** The level as it stands, or stood. */
  readonly provenance: LevelRecord['provenance']
  readonly properties: readonly PropertyChange[]
  readonly edges: readonly EdgeChange[]
}

/** Absent on the side where it was not there. */
export interface PropertyChange {
  readonly key: string
  readonly before?: DepthProperties[string]
  readonly after?: DepthProperties[string]
}

export interface EdgeChange {
  readonly type: RelationType
  readonly target: string
  /** Null on the side where it was not there. */
  readonly before: EdgeTerms | null
  readonly after: EdgeTerms | null
}

export type EdgeTerms = Pick<Edge, 'targetDepth' | 'metadata' | 'policies'>

/** Those that were there in their order, then those that came. */
export function differenceOf(before: Graph, after: Graph): readonly PrimitiveChange[] {
  const between = { before, after, pairing: paired(before, after) }
  const changes: PrimitiveChange[] = []
  for (const [id, record] of primitivesOf(before)) {
    const now = between.pairing.after.get(id)
    if (now === undefined) changes.push(whole('removed', before, record))
    else {
      const change = changedPrimitive(between, record, recordAt(after, now))
      if (change !== null) changes.push(change)
    }
  }
  for (const [id, record] of primitivesOf(after)) {
    if (!between.pairing.before.has(id)) changes.push(whole('added', after, record))
  }
  return changes
}

interface Between {
  readonly before: Graph
  readonly after: Graph
  readonly pairing: Pairing
}

type Side = 'added' | 'removed'

function whole(change: Side, graph: Graph, { name, levels }: PrimitiveRecord): PrimitiveChange {
  const all = levels.map((level) => wholeLevel(change, graph, level))
  return { change, name, renamedFrom: null, levels: all }
}

function wholeLevel(change: Side, graph: Graph, level: LevelRecord): LevelChange {
  const side = change === 'added' ? 'after' : 'before'
  const properties = Object.entries(level.properties).map(([key, value]) => ({
    key,
    [side]: value,
  }))
  const edges = level.relata.map((edge) => edgeOn(side, graph, edge))
  return { change, level: level.level, provenance: level.provenance, properties, edges }
}

function edgeOn(side: 'before' | 'after', graph: Graph, edge: Edge): EdgeChange {
  const target = recordAt(graph, edge.target).name
  return { type: edge.type, target, before: null, after: null, [side]: termsOf(edge) }
}

function termsOf({ targetDepth, metadata, policies }: Edge): EdgeTerms {
  return { targetDepth, metadata, policies }
}

function changedPrimitive(
  between: Between,
  was: PrimitiveRecord,
  is: PrimitiveRecord,
): PrimitiveChange | null {
  const levels: LevelChange[] = []
  for (let level = 0; level <= levelMax; level += 1) {
    const change = changedLevel(between, levelOf(was, level), levelOf(is, level))
    if (change !== null) levels.push(change)
  }
  const renamedFrom = was.name === is.name ? null : was.name
  if (renamedFrom === null && levels.length === 0) return null
  return { change: 'changed', name: is.name, renamedFrom, levels }
}

const levelMax = 4

function levelOf({ levels }: PrimitiveRecord, level: number): LevelRecord | null {
  return levels.find((each) => each.level === level) ?? null
}

function changedLevel(
  between: Between,
  was: LevelRecord | null,
  is: LevelRecord | null,
): LevelChange | null {
  if (was === null) return is === null ? null : wholeLevel('added', between.after, is)
  if (is === null) return wholeLevel('removed', between.before, was)
  const properties = changedProperties(was.properties, is.properties)
  const edges = changedEdges(between, was.relata, is.relata)
  const isRestated = saidAtLevel(was) !== saidAtLevel(is)
  if (properties.length === 0 && edges.length === 0 && !isRestated) return null
  const { level, provenance } = is
  return { change: 'changed', level, provenance, properties, edges }
}

/** Those that are no more or are other now, then the new ones. */
export function changedProperties(
  was: DepthProperties,
  is: DepthProperties,
): readonly PropertyChange[] {
  const changes: PropertyChange[] = []
  const before = new Map(Object.entries(was))
  const after = new Map(Object.entries(is))
  for (const [key, value] of before) {
    const now = after.get(key)
    if (now === undefined) changes.push({ key, before: value })
    else if (JSON.stringify(now) !== JSON.stringify(value)) {
      changes.push({ key, before: value, after: now })
    }
  }
  for (const [key, value] of after) if (!before.has(key)) changes.push({ key, after: value })
  return changes
}

/** Edges that are alike are the same; of those left, one that leads alike was changed. */
function changedEdges(
  between: Between,
  was: readonly Edge[],
  is: readonly Edge[],
): readonly EdgeChange[] {
  const targetOf = (edge: Edge): number | undefined => between.pairing.after.get(edge.target)
  const alike = queues(is, (edge) => `${edge.target} ${saidOfEdge(edge)}`)
  const gone = was.filter((edge) => next(alike, `${targetOf(edge)} ${saidOfEdge(edge)}`) === null)
  const left = new Set([...alike.values()].flat())
  const come = is.filter((edge) => left.has(edge))
  const other = queues(come, (edge) => `${edge.target} ${edge.type}`)
  const changes = gone.map((edge) => {
    const now = next(other, `${targetOf(edge)} ${edge.type}`)
    if (now === null) return edgeOn('before', between.before, edge)
    left.delete(now)
    return { ...edgeOn('after', between.after, now), before: termsOf(edge) }
  })
  const added = come.filter((edge) => left.has(edge))
  return [...changes, ...added.map((edge) => edgeOn('after', between.after, edge))]
}

/** The edges by what a key says of them, the first of each last, to be taken from the end. */
function queues(
  edges: readonly Edge[],
  keyOf: (edge: Edge) => string,
): ReadonlyMap<string, Edge[]> {
  const found = new Map<string, Edge[]>()
  for (const edge of edges.toReversed()) {
    const key = keyOf(edge)
    const queue = found.get(key)
    if (queue === undefined) found.set(key, [edge])
    else queue.push(edge)
  }
  return found
}

function next(found: ReadonlyMap<string, Edge[]>, key: string): Edge | null {
  return found.get(key)?.pop() ?? null
}
