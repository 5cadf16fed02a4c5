// What a projection of the graph must write so that it holds one revision instead of another. It
// is the difference of two revisions, so many change sets cost no more than what is left of them;
// it never reads the projection.
import type { JsonMap } from '#record/canonical'
import type { Edge, LevelRecord, PrimitiveRecord } from '#knowledge/graph/record'
import { emptyGraph, recordAt, type Graph } from '#knowledge/graph/revision'
import type { Provenance, RelationType } from '#schemas/graph'
import { wordsOf } from './words.ts'

/** What was numbered so far; numbers are given once and ascend in stored order. */
export interface Counters {
  readonly places: number
  readonly orders: number
}

/** A primitive, or what hangs on one, by its key; `node` is what is written of it. */
export interface Row extends JsonMap {
  /** The label of a node, the type of a relation. */
  readonly kind: 'Primitive' | 'Level' | 'Policy' | 'READS_AS' | RelationType
  readonly key: string
  /** Absent where all of the kind are. */
  readonly isNew?: boolean
  readonly node?: JsonMap
}

/**
 * In the order in which it must be written. What goes is named by the keys as they were, all else
 * by the keys as they are. Edges go with all that are alike.
 */
export interface GraphWrites {
  readonly gone: readonly Row[]
  /** Keys may be swapped: all must be free before the first is taken. */
  readonly renamed: readonly { readonly key: string; readonly to: string }[]
  readonly put: readonly Row[]
  /** Words that perhaps no primitive has any more. */
  readonly words: readonly { readonly text: string }[]
  /** Numbered up to here. */
  readonly counters: Counters
}

type Open<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer R)[] ? R[] : T[K] }
type Draft = Omit<Open<GraphWrites>, 'counters'> & { counters: { places: number; orders: number } }

interface Revisions {
  readonly before: Graph
  readonly after: Graph
}

interface Change {
  readonly was: PrimitiveRecord | undefined
  readonly is: PrimitiveRecord | undefined
}

/** Both revisions must be of one line: ids of the one are those of the other. */
export function writesBetween(before: Graph, after: Graph, counters: Counters): GraphWrites {
  const draft = newDraft(counters)
  const revisions = { before, after }
  for (const change of changesBetween(revisions)) {
    takeNodes(draft, change)
    takeEdges(draft, revisions, change)
  }
  return draft
}

/** Primitives of one slice: anyone who writes a whole graph never holds more rows than it needs. */
const slicePrimitives = 2_000

/** A whole graph in slices: all primitives first, since edges lead to any of them. */
export function* writesOf(graph: Graph, counters: Counters): Generator<GraphWrites> {
  const revisions = { before: emptyGraph, after: graph }
  let draft = newDraft(counters)
  for (const what of ['nodes', 'edges'] as const) {
    let taken = 0
    for (const change of changesBetween(revisions)) {
      if (what === 'nodes') takeNodes(draft, change)
      else takeEdges(draft, revisions, change)
      taken += 1
      if (taken % slicePrimitives !== 0) continue
      yield draft
      draft = newDraft(draft.counters)
    }
    yield draft
    draft = newDraft(draft.counters)
  }
}

function newDraft(counters: Counters): Draft {
  return { gone: [], renamed: [], put: [], words: [], counters: { ...counters } }
}

/** Revisions share all that stayed the same, down to whole pages of records. */
function* changesBetween({ before, after }: Revisions): Generator<Change> {
  const pages = Math.max(before.records.pages.length, after.records.pages.length)
  for (let index = 0; index < pages; index += 1) {
    const one = before.records.pages[index]
    const other = after.records.pages[index]
    if (one === other) continue
    const length = Math.max(one?.length ?? 0, other?.length ?? 0)
    for (let place = 0; place < length; place += 1) {
      const change = { was: one?.[place], is: other?.[place] }
      if (change.was !== change.is) yield change
    }
  }
}

function takeNodes({ gone, renamed, put, words, counters }: Draft, { was, is }: Change): void {
  if (was !== undefined && was.folded !== is?.folded) {
    const { folded: key } = was
    for (const text of wordsOf(key)) words.push({ text })
    if (is === undefined) gone.push({ kind: 'Primitive', key })
    else {
      renamed.push({ key, to: is.folded })
      gone.push({ kind: 'READS_AS', key })
    }
  }
  if (is === undefined) return
  const { folded: key, name, strict, classic, provenance } = is
  const isSame =
    was?.name === name &&
    was.strict === strict &&
    was.classic === classic &&
    was.provenance === provenance
  if (!isSame) {
    const isNew = was === undefined
    const node = { name, strict, classic, ...stamped(provenance) }
    put.push({ kind: 'Primitive', key, isNew, ...(isNew && { place: counters.places }), node })
  }
  if (was === undefined) counters.places += 1
  if (was?.folded !== key) {
    for (const text of wordsOf(key)) put.push({ kind: 'READS_AS', key, text })
  }
  if (was?.levels === is.levels) return
  for (const { level } of was?.levels ?? []) {
    const isGone = levelIn(is, level) === undefined
    if (isGone) gone.push({ kind: 'Level', key: was?.folded ?? key, level })
  }
  for (const { level, properties, provenance: by } of is.levels) {
    const known = levelIn(was, level)
    if (known?.properties === properties && known.provenance === by) continue
    const node = { properties: JSON.stringify(properties), ...stamped(by) }
    put.push({ kind: 'Level', key, level, isNew: known === undefined, node })
  }
}

function levelIn(record: PrimitiveRecord | undefined, level: number): LevelRecord | undefined {
  return record?.levels.find((each) => each.level === level)
}

/** A property that is null is not there. */
function stamped(by: Provenance | null) {
  return {
    source: by?.source ?? null,
    by: by?.by ?? null,
    at: by?.at ?? null,
    intent: by?.intent ?? null,
  }
}

// An edge is one object through all revisions of a line, from the set that wrote it to the one that
// took it away. A set takes away all edges that are alike, so what goes needs no number.
function takeEdges(draft: Draft, { before, after }: Revisions, { was, is }: Change): void {
  // With a primitive goes all that hangs on it.
  if (is === undefined || was?.edges === is.edges) return
  const known = new Set(was?.edges)
  const kept = new Set(is.edges)
  const gone = new Map<string, Row>()
  for (const edge of was?.edges ?? []) {
    if (kept.has(edge)) continue
    const { type: kind, sourceDepth: level, target: id } = edge
    const target = recordAt(before, id).folded
    gone.set(`${level} ${kind} ${id}`, { kind, key: was?.folded ?? '', level, target })
  }
  draft.gone.push(...gone.values())
  for (const edge of is.edges) {
    if (!known.has(edge)) relate(draft, is, recordAt(after, edge.target), edge)
  }
}

function relate(
  { put, counters }: Draft,
  source: PrimitiveRecord,
  to: PrimitiveRecord,
  edge: Edge,
) {
  const { type: kind, targetDepth, sourceDepth, metadata, policies, provenance } = edge
  const [key, target, order] = [source.folded, to.folded, counters.orders]
  counters.orders += 1
  const node = {
    sourceDepth,
    targetDepth,
    order,
    metadata: JSON.stringify(metadata),
    policies: JSON.stringify(policies),
    ...stamped(provenance),
  }
  put.push({ kind, key, target, node })
  for (const [nth, { metadata: _, ...policy }] of policies.entries()) {
    put.push({ kind: 'Policy', key, target, edge: order, nth, node: { ...policy } })
  }
}
