// What a projector does with the database: finds out how far it is, brings it further, wipes it.
// Rows and the position they lead to are one transaction, and it fails where somebody else was
// there first, so whatever comes twice is written once.
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { Graph } from '#core/graph/revision'
import { writesBetween, writesOf, type Counters } from '#core/projection/graph-writes'
import { intentWrites } from '#core/projection/intent-writes'
import type { Batch, Mark } from '#core/projection/pending'
import type { Neo4jLink, Row, Run } from './neo4j-link.ts'
import { schemaStatements } from './neo4j-model.ts'
import { writeGraph } from './neo4j-writes-graph.ts'
import { writeIntents } from './neo4j-writes-intents.ts'

export type ProjectionLink = Pick<Neo4jLink, 'read' | 'write' | 'auto'>

/** How far the database is. `reached` is null while a rebuild has not written its first graph. */
export interface ProjectionMark extends Counters {
  readonly realm: string
  readonly reached: number | null
  readonly fact: string | null
  readonly digest: string | null
  /** Which rebuild it is in; readers are told no position until it is over. */
  readonly rebuild: string | null
}

const indexSecondsMax = 300
// One node, whichever realm it is of: so there can not be two.
const only = `CREATE CONSTRAINT projection_only IF NOT EXISTS
  FOR (n:Projection) REQUIRE (n.only) IS UNIQUE`

/** Makes constraints and indexes and waits for them, and the projection's node where none is. */
export async function prepareProjection(
  link: ProjectionLink,
  realm: string,
): Promise<ProjectionMark> {
  const [found] = await link.read((run) => run('MATCH (n) RETURN count(n) AS nodes'))
  const mark = await projectionMark(link)
  if (mark === null && found?.['nodes'] !== 0) {
    const message = 'the database holds other things: give an empty one, or empty it'
    throw new Fault('neo4j_not_empty', 'never', message)
  }
  for (const statement of [only, ...schemaStatements]) await link.auto(statement)
  await link.auto(`CALL db.awaitIndexes(${indexSecondsMax})`)
  return inRealm(mark ?? (await link.write((run) => begin(run, realm))), realm)
}

async function begin(run: Run, realm: string): Promise<ProjectionMark> {
  const rows = await run(
    `MERGE (p:Projection {only: true})
       ON CREATE SET p += {realm: $realm, reached: 0, position: 0, graphRevision: 0,
         catalogRevision: 0, places: 0, orders: 0}
     RETURN properties(p) AS mark`,
    { realm },
  )
  return markOf(rows[0])
}

function inRealm(mark: ProjectionMark, realm: string): ProjectionMark {
  if (mark.realm === realm) return mark
  const message = `the database holds the realm \`${mark.realm}\`, and not \`${realm}\``
  throw new Fault('projection_of_other_realm', 'never', `${message}: give it one of its own`)
}

/** How far it is; null where nothing was ever projected. */
export async function projectionMark(
  link: Pick<ProjectionLink, 'read'>,
): Promise<ProjectionMark | null> {
  const rows = await link.read((run) => run('MATCH (p:Projection) RETURN properties(p) AS mark'))
  return rows.length === 0 ? null : markOf(rows[0])
}

const Stored = z.object({
  mark: z.object({
    realm: z.string(),
    reached: z.int().min(0).nullable().default(null),
    fact: z.string().nullable().default(null),
    digest: z.string().nullable().default(null),
    rebuild: z.string().nullable().default(null),
    places: z.int().min(0),
    orders: z.int().min(0),
  }),
})

function markOf(row: Row | undefined): ProjectionMark {
  const stored = Stored.safeParse(row)
  if (stored.success) return stored.data.mark
  const message = 'the projection does not say how far it is: mend it by --rebuild'
  throw new Fault('projection_broken', 'never', message)
}

/** What was folded up to a mark, to be brought to where the database is. */
export interface Advance extends Omit<Batch, 'point'> {
  readonly mark: Mark
  /** Readers are told the position: no rebuild is under way, or it ends here. */
  readonly told: boolean
}

/** Brings it further, whole or not at all. Throws `projection_moved` where it is elsewhere. */
export async function advanceProjection(
  link: Pick<ProjectionLink, 'write'>,
  was: ProjectionMark,
  { before, after, judged, mark, told }: Advance,
): Promise<ProjectionMark> {
  const graph = writesBetween(before, after, was)
  const intents = intentWrites(after, judged)
  const next = further(was, graph.counters, { mark, told })
  await link.write(async (run) => {
    await claim(run, was, next)
    await writeGraph(run, graph)
    await writeIntents(run, intents)
  })
  return next.mark
}

interface Next {
  readonly mark: ProjectionMark
  /** What readers are told; null where they are told nothing yet. */
  readonly told: Pick<Mark, 'position' | 'graphRevision' | 'catalogRevision'> | null
}

function further(
  was: ProjectionMark,
  { places, orders }: Counters,
  { mark, told }: Pick<Advance, 'mark' | 'told'>,
): Next {
  const { position, graphRevision, catalogRevision, fact, digest } = mark
  const rebuild = told ? null : was.rebuild
  return {
    mark: { realm: was.realm, reached: position, fact, digest, rebuild, places, orders },
    told: told ? { position, graphRevision, catalogRevision } : null,
  }
}

// What is written first takes the lock, and only then is it looked at: whoever waited here sees
// what the other did.
const claiming = `MATCH (p:Projection {realm: $was.realm})
  SET p.only = true
  WITH p
  WHERE p.places = $was.places AND p.orders = $was.orders AND (p.reached = $was.reached OR
    ($was.reached IS NULL AND p.reached IS NULL AND p.rebuild = $was.rebuild))
  SET p += $is
  RETURN p.realm AS realm`

async function claim(run: Run, was: ProjectionMark, { mark, told }: Next): Promise<void> {
  const rows = await run(claiming, { was, is: { ...mark, ...told } })
  if (rows.length === 1) return
  const what = 'somebody else brought the projection further, or rebuilds it'
  throw new Fault('projection_moved', 'never', `${what}: look how far it is now`)
}

const labels = ['Intent', 'Concept', 'Policy', 'Level', 'Word', 'Primitive'] as const
const wipedMax = 5_000

/**
 * Takes everything out but the mark, which from now on tells readers nothing. `rebuild` says whose
 * it is: of two, the one that began last goes on.
 */
export async function wipeProjection(
  link: Pick<ProjectionLink, 'write'>,
  realm: string,
  rebuild: string,
): Promise<ProjectionMark> {
  const [begun] = await link.write((run) => run(beginning, { realm, rebuild }))
  const mark = markOf(begun)
  for (const label of labels) {
    const wiping = `MATCH (n:${label}) WITH n LIMIT ${wipedMax} DETACH DELETE n
      RETURN count(*) AS wiped`
    let wiped: unknown
    do {
      wiped = await link.write(async (run) => {
        await claim(run, mark, { mark, told: null })
        return (await run(wiping))[0]?.['wiped']
      })
    } while (wiped !== 0)
  }
  return mark
}

const beginning = `MATCH (p:Projection {realm: $realm})
  SET p = {only: true, realm: $realm, rebuild: $rebuild, places: 0, orders: 0}
  RETURN properties(p) AS mark`

/** Writes the graph that the log begins with, which may take several transactions. */
export async function writeFirst(
  link: Pick<ProjectionLink, 'write'>,
  wiped: ProjectionMark,
  first: { readonly graph: Graph; readonly mark: Mark; readonly told: boolean },
): Promise<ProjectionMark> {
  let was = wiped
  for (const writes of writesOf(first.graph, wiped)) {
    const { places, orders } = writes.counters
    const mark = { ...was, places, orders }
    const before = was
    await link.write(async (run) => {
      await claim(run, before, { mark, told: null })
      await writeGraph(run, writes)
    })
    was = mark
  }
  const next = further(was, was, first)
  await link.write((run) => claim(run, was, next))
  return next.mark
}
