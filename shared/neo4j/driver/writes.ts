// What a projector does with the database: finds out how far it is and brings it further. Rows and
// the position they lead to are one transaction, and it fails where someone else was there first,
// so whatever comes twice is written once.
import type { Graph } from '#knowledge/graph/revision'
import { writesBetween, writesOf, type Counters } from '../projection/graph-writes.ts'
import { intentWrites } from '../projection/intent-writes.ts'
import type { Batch, FoldMark } from '../projection/pending.ts'
import { notEmpty, otherRealm } from './clearing.ts'
import type { Neo4jLink, RunCypher } from './link.ts'
import { beginMark, claimMark, projectionMark, type NextMark, type ProjectionMark } from './mark.ts'
import type { Layout } from './model.ts'
import { makeSchema } from './schema.ts'
import { writeGraph } from './writes-graph.ts'
import { writeIntents } from './writes-intents.ts'

export type ProjectionLink = Pick<Neo4jLink, 'read' | 'write' | 'auto'>

/** Makes constraints and indexes and waits for them, and the projection's node where none is. */
export function prepareProjection(link: ProjectionLink, realm: string): Promise<ProjectionMark> {
  return prepared(link, realm, { layout: 'log', begin: (run) => beginMark(run, realm) })
}

/** How a projection begins where none is. */
export interface FirstOf {
  readonly layout: Layout
  readonly begin: (run: RunCypher) => Promise<ProjectionMark>
}

export async function prepared(
  link: ProjectionLink,
  realm: string,
  { layout, begin }: FirstOf,
): Promise<ProjectionMark> {
  const [found] = await link.read((run) => run('MATCH (n) RETURN count(n) AS nodes'))
  const mark = await projectionMark(link)
  if (mark === null && found?.['nodes'] !== 0) throw notEmpty()
  if (mark !== null && mark.realm !== realm) throw otherRealm(mark.realm, realm)
  await makeSchema(link, layout)
  const now = mark ?? (await link.write(begin))
  if (now.realm !== realm) throw otherRealm(now.realm, realm)
  return now
}

/** What was folded up to a mark, to be brought to where the database is. */
export interface Advance extends Omit<Batch, 'point'> {
  readonly mark: FoldMark
  /** Readers see the position: no rebuild is under way, or it ends here. */
  readonly reported: boolean
}

/** Brings it further, whole or not at all. Throws `projection_moved` where it is elsewhere. */
export async function advanceProjection(
  link: Pick<ProjectionLink, 'write'>,
  was: ProjectionMark,
  { before, after, judged, mark, reported }: Advance,
): Promise<ProjectionMark> {
  const graph = writesBetween(before, after, was)
  const intents = intentWrites(after, judged)
  const next = further(was, graph.counters, { mark, reported })
  await link.write(async (run) => {
    await claimMark(run, was, next)
    await writeGraph(run, graph)
    await writeIntents(run, intents)
  })
  return next.mark
}

function further(
  was: ProjectionMark,
  { places, orders }: Counters,
  { mark, reported }: Pick<Advance, 'mark' | 'reported'>,
): NextMark {
  const { position, graphRevision, catalogRevision, fact, digest } = mark
  const { realm, from } = was
  const rebuild = reported ? null : was.rebuild
  return {
    mark: { realm, from, reached: position, fact, digest, rebuild, places, orders },
    reported: reported ? { position, graphRevision, catalogRevision } : null,
  }
}

export interface FirstGraph {
  readonly graph: Graph
  readonly mark: FoldMark
  readonly reported: boolean
  /** What is written in the transaction that completes it. */
  readonly beside?: (run: RunCypher) => Promise<void>
}

/** Writes the graph that the log begins with, which may take several transactions. */
export async function writeFirst(
  link: Pick<ProjectionLink, 'write'>,
  cleared: ProjectionMark,
  first: FirstGraph,
): Promise<ProjectionMark> {
  let was = cleared
  for (const writes of writesOf(first.graph, cleared)) {
    const { places, orders } = writes.counters
    const mark = { ...was, places, orders }
    const before = was
    await link.write(async (run) => {
      await claimMark(run, before, { mark, reported: null })
      await writeGraph(run, writes)
    })
    was = mark
  }
  const next = further(was, was, first)
  await link.write(async (run) => {
    await claimMark(run, was, next)
    await first.beside?.(run)
  })
  return next.mark
}
