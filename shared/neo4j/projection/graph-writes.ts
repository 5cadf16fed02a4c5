// What a projection of the graph must write so that it holds one revision instead of another. It
// is the difference of two revisions, so many change sets cost no more than what is left of them;
// it never reads the projection.
import type { Policy, Provenance, RelationType } from '#schemas/graph'
import type { Edge, LevelRecord, DepthProperties, PrimitiveRecord } from '#knowledge/graph/record'
import { emptyGraph, recordAt, type Graph } from '#knowledge/graph/revision'
import { wordsOf } from './words.ts'

/** What was numbered so far; numbers are given once and ascend in stored order. */
export interface Counters {
  readonly places: number
  readonly orders: number
}

export interface PrimitiveRow {
  readonly key: string
  readonly name: string
  readonly strict: number
  readonly classic: number
  readonly provenance: Provenance | null
}

export interface LevelRow {
  readonly key: string
  readonly level: number
  /** JSON text, as are all properties, metadata and policies here. */
  readonly properties: string
  readonly provenance: Provenance | null
}

/** Every edge of this source, level, type and target. */
export interface UnrelatedRow {
  readonly key: string
  readonly level: number
  readonly type: RelationType
  readonly target: string
}

export interface RelatedRow extends UnrelatedRow {
  readonly targetDepth: number
  readonly order: number
  readonly metadata: string
  readonly policies: string
  readonly provenance: Provenance | null
}

export interface PolicyRow {
  readonly edge: number
  readonly nth: number
  readonly key: string
  readonly target: string
  readonly policy: Omit<Policy, 'metadata'>
}

/**
 * In the order in which it must be written. What goes is named by the keys as they were, all else
 * by the keys as they are.
 */
export interface GraphWrites {
  readonly unrelated: readonly UnrelatedRow[]
  readonly erased: readonly { readonly key: string; readonly level: number }[]
  readonly removed: readonly { readonly key: string }[]
  /** Keys may be swapped: all must be free before the first is taken. */
  readonly renamed: readonly { readonly key: string; readonly to: string }[]
  readonly added: readonly (PrimitiveRow & { readonly place: number })[]
  readonly changed: readonly PrimitiveRow[]
  readonly described: readonly LevelRow[]
  readonly redescribed: readonly LevelRow[]
  readonly related: readonly RelatedRow[]
  readonly policies: readonly PolicyRow[]
  /** The primitives, by their keys as they are, that read otherwise now. */
  readonly reworded: readonly { readonly key: string }[]
  readonly worded: readonly { readonly key: string; readonly text: string }[]
  /** Words that perhaps no primitive has any more. */
  readonly unworded: readonly { readonly text: string }[]
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
  let last = counters
  for (const take of [takeNodes, takeEdgesIn(revisions)]) {
    let draft = newDraft(last)
    let taken = 0
    for (const change of changesBetween(revisions)) {
      take(draft, change)
      taken += 1
      if (taken % slicePrimitives !== 0) continue
      yield draft
      draft = newDraft(draft.counters)
    }
    yield draft
    last = draft.counters
  }
}

function takeEdgesIn(revisions: Revisions): (draft: Draft, change: Change) => void {
  return (draft, change) => takeEdges(draft, revisions, change)
}

function newDraft(counters: Counters): Draft {
  return {
    unrelated: [],
    erased: [],
    removed: [],
    renamed: [],
    added: [],
    changed: [],
    described: [],
    redescribed: [],
    related: [],
    policies: [],
    reworded: [],
    worded: [],
    unworded: [],
    counters: { ...counters },
  }
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

function takeNodes(draft: Draft, { was, is }: Change): void {
  if (is === undefined) {
    if (was !== undefined) remove(draft, was)
    return
  }
  if (was === undefined) {
    draft.added.push({ ...primitiveRow(is), place: draft.counters.places })
    draft.counters.places += 1
    word(draft, is)
  } else alter(draft, was, is)
  if (was?.levels === is.levels) return
  const key = is.folded
  for (const level of is.levels) {
    const known = levelIn(was, level)
    if (known === undefined) draft.described.push(levelRow(key, level))
    else if (isRewritten(known, level)) draft.redescribed.push(levelRow(key, level))
  }
}

function remove(draft: Draft, was: PrimitiveRecord): void {
  draft.removed.push({ key: was.folded })
  for (const text of wordsOf(was.folded)) draft.unworded.push({ text })
}

function alter(draft: Draft, was: PrimitiveRecord, is: PrimitiveRecord): void {
  if (was.folded !== is.folded) {
    draft.renamed.push({ key: was.folded, to: is.folded })
    draft.reworded.push({ key: is.folded })
    for (const text of wordsOf(was.folded)) draft.unworded.push({ text })
    word(draft, is)
  }
  const isSame =
    was.name === is.name &&
    was.strict === is.strict &&
    was.classic === is.classic &&
    was.provenance === is.provenance
  if (!isSame) draft.changed.push(primitiveRow(is))
  for (const level of was.levels) {
    const { folded: key } = was
    if (levelIn(is, level) === undefined) draft.erased.push({ key, level: level.level })
  }
}

function word(draft: Draft, { folded: key }: PrimitiveRecord): void {
  for (const text of wordsOf(key)) draft.worded.push({ key, text })
}

// An edge is one object through all revisions of a line, from the set that wrote it to the one that
// took it away. A set takes away all edges that are alike, so what goes needs no number.
function takeEdges(draft: Draft, revisions: Revisions, { was, is }: Change): void {
  // With a primitive goes all that hangs on it.
  if (is === undefined || was?.edges === is.edges) return
  const known = new Set(was?.edges)
  const kept = new Set(is.edges)
  if (was !== undefined) {
    const gone = was.edges.filter((edge) => !kept.has(edge))
    for (const row of unrelatedRows(revisions.before, was, gone)) draft.unrelated.push(row)
  }
  for (const edge of is.edges) {
    if (!known.has(edge)) relate(draft, is, recordAt(revisions.after, edge.target), edge)
  }
}

function unrelatedRows(
  before: Graph,
  was: PrimitiveRecord,
  edges: readonly Edge[],
): Iterable<UnrelatedRow> {
  const rows = new Map<string, UnrelatedRow>()
  for (const { type, sourceDepth: level, target: id } of edges) {
    const target = recordAt(before, id).folded
    rows.set(`${level} ${type} ${id}`, { key: was.folded, level, type, target })
  }
  return rows.values()
}

function relate(draft: Draft, source: PrimitiveRecord, to: PrimitiveRecord, edge: Edge): void {
  const { type, targetDepth, sourceDepth: level, metadata, policies, provenance } = edge
  const [key, target, order] = [source.folded, to.folded, draft.counters.orders]
  draft.counters.orders += 1
  draft.related.push({
    key,
    level,
    type,
    target,
    targetDepth,
    order,
    metadata: JSON.stringify(metadata),
    policies: JSON.stringify(policies),
    provenance,
  })
  for (const [nth, { metadata: _, ...policy }] of policies.entries()) {
    draft.policies.push({ edge: order, nth, key, target, policy })
  }
}

function primitiveRow(record: PrimitiveRecord): PrimitiveRow {
  const { folded: key, name, strict, classic, provenance } = record
  return { key, name, strict, classic, provenance }
}

function levelRow(key: string, { level, properties, provenance }: LevelRecord): LevelRow {
  return { key, level, properties: textOf(properties), provenance }
}

function textOf(properties: DepthProperties): string {
  return JSON.stringify(properties)
}

function levelIn(
  record: PrimitiveRecord | undefined,
  { level }: LevelRecord,
): LevelRecord | undefined {
  return record?.levels.find((each) => each.level === level)
}

function isRewritten(was: LevelRecord, is: LevelRecord): boolean {
  return was.properties !== is.properties || was.provenance !== is.provenance
}
