// One revision of the knowledge graph: records by id, and where to look for a name. A revision is
// never changed; the next one shares with it all that stayed the same.
import { assert } from '#record/fault'
import { caseFold } from '#record/case-fold'
import { addHint, newNameIndex, type NameIndex } from './name-index.ts'
import { noPages, pageAt, withPlaces, type Pages } from './pages.ts'
import { compile, type Edge, type LevelRecord, type PrimitiveRecord } from './record.ts'

export interface Graph {
  /** How many primitives there are. */
  readonly size: number
  /** By id. Ids ascend in stored order, and who is removed leaves a hole. */
  readonly records: Pages<PrimitiveRecord>
  readonly names: NameIndex
}

export const emptyGraph: Graph = { size: 0, records: noPages, names: newNameIndex() }

/** The record of a primitive that is known to be there. */
export function recordAt(graph: Graph, id: number): PrimitiveRecord {
  const record = pageAt(graph.records, id)
  assert(record !== undefined, 'an id of a graph leads to its primitive')
  return record
}

/**
 * The id of the primitive of that name, however it is cased or composed; undefined if there is
 * none.
 */
export function findId(graph: Graph, name: string): number | undefined {
  // A key is its own key, so a name that is found as it stands needs no folding.
  return findFolded(graph, name) ?? findFolded(graph, caseFold(name))
}

export function findFolded(graph: Graph, folded: string): number | undefined {
  return graph.names.ids.get(folded)?.find((id) => bears(graph, id, folded))
}

/** Whether this revision has a primitive of that id and name: what makes a hint a fact. */
export function bears(graph: Graph, id: number, folded: string): boolean {
  return pageAt(graph.records, id)?.folded === folded
}

export function find(graph: Graph, name: string): PrimitiveRecord | undefined {
  const id = findId(graph, name)
  return id === undefined ? undefined : recordAt(graph, id)
}

/** Every primitive, in stored order. */
export function* primitivesOf(graph: Graph): Generator<readonly [number, PrimitiveRecord]> {
  for (let id = 0; id < graph.records.length; id += 1) {
    const record = pageAt(graph.records, id)
    if (record !== undefined) yield [id, record]
  }
}

/** The next revision: these records are set, or gone where undefined. */
export function nextRevision(
  graph: Graph,
  changed: ReadonlyMap<number, PrimitiveRecord | undefined>,
  length: number,
): Graph {
  // The empty graph is one value for everyone: a graph that starts from it gets an index of its
  // own.
  const names = graph === emptyGraph ? newNameIndex() : graph.names
  let size = graph.size
  for (const [id, record] of changed) {
    const before = pageAt(graph.records, id)
    size += Number(record !== undefined) - Number(before !== undefined)
    if (record !== undefined && record.folded !== before?.folded) {
      addHint(names, record.folded, id)
    }
  }
  const next = { size, records: withPlaces(graph.records, changed, length), names }
  // Holes and hints of names long gone are swept when they outnumber what is there, so that a
  // graph's memory follows its size and not its history, and the sweep costs each change a
  // constant.
  const sweepMin = 1024 + 2 * size
  return length > sweepMin || names.hints.length > sweepMin ? swept(next) : next
}

/** The same graph under new ids without holes, in the same order. */
function swept(graph: Graph): Graph {
  const ids = new Map<number, number>()
  for (const [id] of primitivesOf(graph)) ids.set(id, ids.size)
  const names = newNameIndex()
  const records = new Map<number, PrimitiveRecord>()
  for (const [id, record] of primitivesOf(graph)) {
    const place = renumbered(ids, id)
    const levels = record.levels.map((level) => renumberedLevel(ids, level))
    records.set(place, compile({ ...record, levels }))
    addHint(names, record.folded, place)
  }
  return { size: graph.size, records: withPlaces(noPages, records, ids.size), names }
}

function renumberedLevel(ids: ReadonlyMap<number, number>, level: LevelRecord): LevelRecord {
  const relata = level.relata.map((edge): Edge => ({
    ...edge,
    target: renumbered(ids, edge.target),
  }))
  return { ...level, relata }
}

function renumbered(ids: ReadonlyMap<number, number>, id: number): number {
  const place = ids.get(id)
  assert(place !== undefined, 'an edge leads to a primitive that is there')
  return place
}
