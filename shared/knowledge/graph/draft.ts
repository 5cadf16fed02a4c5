// A graph while one change set is being applied to it. Nothing of the graph that it started from is
// ever changed, and what a draft says is believed only once the whole set is found sound.
import type { Policy, Provenance, RelationType } from '#schemas/graph'
import { assert } from '#record/fault'
import { caseFold } from '#record/case-fold'
import { pageAt } from './pages.ts'
import type { LevelRecord, DepthProperties } from './record.ts'
import { findFolded, type Graph } from './revision.ts'

/** The target of an edge whose name no one bears yet. */
export const awaited = -1

export interface EdgeSketch {
  readonly type: RelationType
  /** Set once more, if it was `awaited`, when the set is settled. */
  target: number
  readonly targetDepth: number
  readonly sourceDepth: number
  readonly metadata: DepthProperties
  readonly policies: readonly Policy[]
  readonly provenance: Provenance | null
}

export interface LevelSketch {
  readonly level: number
  properties: DepthProperties
  relata: EdgeSketch[]
  provenance: Provenance | null
}

/** A private copy of one primitive; its levels are copied only when one of them is edited. */
export interface Sketch {
  name: string
  folded: string
  readonly provenance: Provenance | null
  readonly levels: readonly LevelRecord[]
  edited: LevelSketch[] | null
  inbound: number
  /** The operation that removed it, if one did. */
  removedAt: number | null
}

/** An edge that the set adds: from whom, to which name, and by which operation. */
export interface AddedEdge {
  readonly source: number
  readonly targetName: string
  readonly at: number
}

export interface GraphDraft {
  readonly base: Graph
  readonly sketches: Map<number, Sketch>
  /** Names that the set gave, and null for those it took away. */
  readonly names: Map<string, number | null>
  /** The ids of removed primitives by the names they had. */
  readonly removed: Map<string, number>
  readonly added: Map<EdgeSketch, AddedEdge>
  /** Each that the set says once, however often it says it: a large set repeats few. */
  readonly provenances: Map<string, Provenance>
  length: number
}

export function draftOf(base: Graph): GraphDraft {
  return {
    base,
    sketches: new Map(),
    names: new Map(),
    removed: new Map(),
    added: new Map(),
    provenances: new Map(),
    length: base.records.length,
  }
}

/** The provenance as the draft keeps it: one object for all that are equal. */
export function keptProvenance(
  { provenances }: GraphDraft,
  provenance: Provenance | undefined,
): Provenance | null {
  if (provenance === undefined) return null
  const { source, by, at, intent } = provenance
  const key = JSON.stringify([source, by, at, intent])
  const known = provenances.get(key)
  if (known !== undefined) return known
  provenances.set(key, provenance)
  return provenance
}

/** The id of who bears the name in the draft, in whatever case. */
export function idOf(draft: GraphDraft, name: string): number | undefined {
  const folded = caseFold(name)
  const changed = draft.names.get(folded)
  return changed === undefined ? findFolded(draft.base, folded) : (changed ?? undefined)
}

/** The sketch of a primitive that the graph has, or that the set added. */
export function sketchOf(draft: GraphDraft, id: number): Sketch {
  const known = draft.sketches.get(id)
  if (known !== undefined) return known
  const record = pageAt(draft.base.records, id)
  assert(record !== undefined, 'a draft is asked for primitives that are there')
  const { name, folded, provenance, levels, inbound } = record
  const sketch = { name, folded, provenance, levels, edited: null, inbound, removedAt: null }
  draft.sketches.set(id, sketch)
  return sketch
}

/**
 * A new primitive under a free name. One that this set removed under that name gets its place
 * again.
 */
export function addSketch(draft: GraphDraft, name: string, provenance: Provenance | null): void {
  const folded = caseFold(name)
  const earlier = draft.removed.get(folded)
  const inbound = earlier === undefined ? 0 : sketchOf(draft, earlier).inbound
  const id = earlier ?? draft.length
  if (earlier === undefined) draft.length += 1
  draft.removed.delete(folded)
  draft.names.set(folded, id)
  const sketch = { name, folded, provenance, levels: [], edited: null, inbound, removedAt: null }
  draft.sketches.set(id, sketch)
}

export function removeSketch(draft: GraphDraft, id: number, at: number): void {
  const sketch = sketchOf(draft, id)
  for (const level of editedLevels(sketch)) dropEdges(draft, id, level.relata)
  sketch.edited = []
  sketch.removedAt = at
  draft.names.set(sketch.folded, null)
  draft.removed.set(sketch.folded, id)
}

export function renameSketch(draft: GraphDraft, id: number, to: string): void {
  const sketch = sketchOf(draft, id)
  draft.names.set(sketch.folded, null)
  sketch.name = to
  sketch.folded = caseFold(to)
  draft.names.set(sketch.folded, id)
}

/** The levels of a sketch, ascending, to be edited in place. */
export function editedLevels(sketch: Sketch): LevelSketch[] {
  sketch.edited ??= sketch.levels.map((level) => ({ ...level, relata: [...level.relata] }))
  return sketch.edited
}

export function addEdge(draft: GraphDraft, edge: EdgeSketch, added: AddedEdge): void {
  draft.added.set(edge, added)
  edge.target = idOf(draft, added.targetName) ?? awaited
  countInbound(draft, { source: added.source, target: edge.target, by: 1 })
}

/** Forgets what these edges did to their targets; the caller takes them off their level. */
export function dropEdges(draft: GraphDraft, source: number, edges: readonly EdgeSketch[]): void {
  for (const edge of edges) {
    draft.added.delete(edge)
    countInbound(draft, { source, target: edge.target, by: -1 })
  }
}

/** Counts the edges of others only: what relates to itself holds no one back from removing it. */
function countInbound(
  draft: GraphDraft,
  change: { readonly source: number; readonly target: number; readonly by: 1 | -1 },
): void {
  const { source, target, by } = change
  if (target !== awaited && target !== source) sketchOf(draft, target).inbound += by
}
