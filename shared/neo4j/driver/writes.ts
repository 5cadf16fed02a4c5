// What a projector does with the database: finds out how far it is and brings it further. Rows and
// the position they lead to are one transaction, and it fails where someone else was there first,
// so whatever comes twice is written once.
import type { Graph } from '#knowledge/graph/revision'
import { writesBetween, writesOf } from '../projection/graph-writes.ts'
import { intentWrites, type Judged } from '../projection/intent-writes.ts'
import type { FoldMark } from '../projection/pending.ts'
import { notEmpty, otherRealm } from './clearing.ts'
import type { Neo4jLink } from './link.ts'
import {
  beginCells,
  beginMarks,
  claimMark,
  marksOf,
  type CellMark,
  type FirstCell,
  type ProjectionMark,
  type SeenMark,
} from './mark.ts'
import { layoutFor } from './model.ts'
import { makeSchema } from './schema.ts'
import { writeGraph, writeIntents } from './statements.ts'

export type ProjectionLink = Pick<Neo4jLink, 'read' | 'write' | 'auto'>

/** Makes constraints and indexes and waits for them, and the projection's nodes where none are. */
export async function prepareProjection(
  link: ProjectionLink,
  realm: string,
  cells: readonly FirstCell[],
): Promise<ProjectionMark> {
  const [found] = await link.read((run) => run('MATCH (n) RETURN count(n) AS nodes'))
  const marks = await marksOf(link)
  if (marks === null && found?.['nodes'] !== 0) throw notEmpty()
  if (marks !== null && marks.control.realm !== realm) throw otherRealm(marks.control.realm, realm)
  await makeSchema(link, layoutFor(cells))
  const mark = marks?.control ?? (await link.write((run) => beginMarks(run, realm, cells)))
  if (mark.realm !== realm) throw otherRealm(mark.realm, realm)
  return mark
}

/** What was folded up to a mark, to be brought to where the database is. */
export interface Advance {
  readonly before: Graph
  readonly after: Graph
  readonly judged: readonly Judged[]
  readonly mark: FoldMark
  /** Readers see the position: no rebuild is under way, or it ends here. */
  readonly reported: boolean
}

/** Brings it further, whole or not at all. Throws `projection_moved` where it is elsewhere. */
export async function advanceProjection(
  link: Pick<ProjectionLink, 'write'>,
  was: ProjectionMark,
  { before, after, judged, mark: to, reported }: Advance,
): Promise<ProjectionMark> {
  const graph = writesBetween(before, after, was)
  const intents = intentWrites(after, judged)
  const mark = further({ ...was, ...graph.counters }, to, reported)
  await link.write(async (run) => {
    await claimMark(run, { was }, { mark, reported: reported ? seen(to) : null })
    await writeGraph(run, graph)
    await writeIntents(run, intents)
  })
  return mark
}

function further<M extends CellMark | ProjectionMark>(
  was: M,
  { position, fact, digest }: FoldMark,
  reported: boolean,
): M {
  return { ...was, reached: position, fact, digest, rebuild: reported ? null : was.rebuild }
}

function seen({ position, graphRevision, catalogRevision }: FoldMark): SeenMark {
  return { position, graphRevision, catalogRevision }
}

/** Where the graph is, and the cell; and what comes next of the cell. */
export interface CellAdvance extends Pick<Advance, 'judged' | 'mark' | 'reported'> {
  readonly control: ProjectionMark
  readonly was: CellMark
  /** As it is there: intents are tied to it. */
  readonly graph: Graph
}

/** Brings a cell further, whole or not at all. Throws `projection_moved` where it is elsewhere. */
export async function advanceCell(
  link: Pick<ProjectionLink, 'write'>,
  { control, was, graph, judged, mark: to, reported }: CellAdvance,
): Promise<CellMark> {
  const intents = intentWrites(graph, judged)
  const mark = further(was, to, reported)
  const { position } = to
  await link.write(async (run) => {
    const claim = { mark, reported: reported ? { position } : null }
    await claimMark(run, { was: control, cell: was }, claim)
    await writeIntents(run, intents)
  })
  return mark
}

export interface FirstGraph {
  readonly graph: Graph
  readonly mark: FoldMark
  readonly reported: boolean
  readonly cells: readonly FirstCell[]
}

/** Writes the graph that the log begins with, which may take several transactions. */
export async function writeFirst(
  link: Pick<ProjectionLink, 'write'>,
  cleared: ProjectionMark,
  { graph, mark: to, reported, cells }: FirstGraph,
): Promise<ProjectionMark> {
  let was = cleared
  for (const writes of writesOf(graph, cleared)) {
    const before = was
    was = { ...was, ...writes.counters }
    const mark = was
    await link.write(async (run) => {
      await claimMark(run, { was: before }, { mark, reported: null })
      await writeGraph(run, writes)
    })
  }
  const mark = further(was, to, reported)
  await link.write(async (run) => {
    await claimMark(run, { was }, { mark, reported: reported ? seen(to) : null })
    await beginCells(run, cells)
  })
  return mark
}
