// What a projector does with the database: finds out how far it is and brings it further. Rows and
// the position they lead to are one transaction, and it fails where someone else was there first,
// so whatever comes twice is written once.
import type { Graph } from '#knowledge/graph/revision'
import { writesBetween, writesOf, type GraphWrites, type Row } from '../projection/graph-writes.ts'
import { intentWrites, type Judged, type IntentWrites } from '../projection/intent-writes.ts'
import type { FoldMark } from '../projection/pending.ts'
import { notEmpty, otherRealm } from './clearing.ts'
import type { Neo4jLink, RunCypher } from './link.ts'
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
import { Fault } from '#record/fault'
import { relationTypes, type RelationType } from '#schemas/graph'

// What a projection writes, as statements: the difference of two revisions, and intents with their
// verdicts. Names and properties are parameters, and the types of relations a closed list: nothing
// that anyone wrote ever becomes part of a query.

const rowsMax = 5_000

/** A statement, and what it is written for. Each row must be found, but where things go. */
interface Statement {
  readonly cypher: string
  readonly rows: readonly object[]
  readonly goes?: boolean
}

/** To be run in one transaction with the position that the revision belongs to. */
export async function writeGraph(run: RunCypher, writes: GraphWrites): Promise<void> {
  for (const statement of statementsOf(writes)) await unwind(run, statement)
}

/** Throws a Fault where a row finds nothing to be written at: then someone else wrote here. */
async function unwind(run: RunCypher, { cypher, rows, goes = false }: Statement): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsMax) {
    const some = rows.slice(from, from + rowsMax)
    const [answer] = await run(`UNWIND $rows AS row ${cypher}`, { rows: some })
    if (goes || answer?.['written'] === some.length) continue
    const fix = "find out by 'warrant project neo4j --check', and fix it by --rebuild"
    const message = `Neo4j does not hold what was projected there: ${fix}`
    throw new Fault('projection_broken', message)
  }
}

function* statementsOf({ gone, renamed, put, words }: GraphWrites): Generator<Statement> {
  const going = (kind: Row['kind']) => gone.filter((row) => row.kind === kind)
  const coming = (kind: Row['kind'], isNew = true) => {
    return put.filter((row) => row.kind === kind && (row.isNew ?? true) === isNew)
  }
  for (const type of relationTypes) {
    yield { cypher: unrelate(type), rows: going(type), goes: true }
  }
  yield { cypher: unword, rows: going('READS_AS'), goes: true }
  yield { cypher: erase, rows: going('Level') }
  yield { cypher: remove, rows: going('Primitive') }
  yield { cypher: rename, rows: renamed }
  yield { cypher: add, rows: coming('Primitive') }
  yield { cypher: change, rows: coming('Primitive', false) }
  yield { cypher: describe, rows: coming('Level') }
  yield { cypher: redescribe, rows: coming('Level', false) }
  for (const type of relationTypes) yield { cypher: relate(type), rows: coming(type) }
  yield { cypher: show, rows: coming('Policy') }
  yield { cypher: word, rows: coming('READS_AS') }
  yield { cypher: forget, rows: words, goes: true }
}

const written = 'RETURN count(*) AS written'

function unrelate(type: RelationType): string {
  return `MATCH (:Primitive {key: row.key})-[r:${type} {sourceDepth: row.level}]->
      (:Primitive {key: row.target})
    OPTIONAL MATCH (policy:Policy {edge: r.order})
    DETACH DELETE policy DELETE r`
}

const unword = 'MATCH (:Primitive {key: row.key})-[r:READS_AS]->() DELETE r'

const erase = `MATCH (:Primitive {key: row.key})-[:HAS_LEVEL]->(level:Level {level: row.level})
  DETACH DELETE level ${written}`

const remove = `MATCH (p:Primitive {key: row.key})
  WITH p, [(p)-[:HAS_LEVEL]->(level) | level] AS levels,
    [(p)<-[:ON_SOURCE]-(policy) | policy] AS policies
  FOREACH (each IN levels + policies + [p] | DETACH DELETE each) ${written}`

// All keys are free before the first is taken: names may change places.
const rename = `MATCH (p:Primitive {key: row.key})
  REMOVE p.key
  WITH collect({p: p, to: row.to}) AS moves
  UNWIND moves AS move
  WITH move.p AS p, move.to AS to
  SET p.key = to ${written}`

const add = `CREATE (p:Primitive {key: row.key, place: row.place})
  SET p += row.node ${written}`

const change = `MATCH (p:Primitive {key: row.key})
  SET p += row.node ${written}`

const describe = `MATCH (p:Primitive {key: row.key})
  CREATE (p)-[:HAS_LEVEL]->(level:Level {of: p.place, level: row.level})
  SET level += row.node ${written}`

const redescribe = `MATCH (:Primitive {key: row.key})-[:HAS_LEVEL]->(level:Level {level: row.level})
  SET level += row.node ${written}`

function relate(type: RelationType): string {
  return `MATCH (source:Primitive {key: row.key})
    MATCH (target:Primitive {key: row.target})
    CREATE (source)-[r:${type}]->(target)
    SET r = row.node ${written}`
}

const show = `MATCH (source:Primitive {key: row.key})
  MATCH (target:Primitive {key: row.target})
  CREATE (source)<-[:ON_SOURCE]-(policy:Policy {edge: row.edge, nth: row.nth})
    -[:ON_TARGET]->(target)
  SET policy += row.node ${written}`

const word = `MATCH (p:Primitive {key: row.key})
  MERGE (word:Word {text: row.text})
  CREATE (p)-[:READS_AS]->(word) ${written}`

const forget = `MATCH (word:Word {text: row.text})
  WHERE NOT EXISTS { ()-[:READS_AS]->(word) }
  DELETE word`

/** To be run in one transaction with the position that they belong to, after the graph's. */
async function writeIntents(run: RunCypher, writes: IntentWrites): Promise<void> {
  const isOfCell = writes.intents[0]?.cell !== undefined
  const key = isOfCell ? '{cell: row.cell, position: row.position}' : '{position: row.position}'
  const found = `MATCH (intent:Intent ${key})`
  await unwind(run, { cypher: keep(key), rows: writes.intents })
  await unwind(run, { cypher: `${found} ${touch}`, rows: writes.touched })
  await unwind(run, { cypher: `${found} ${lack}`, rows: writes.lacked })
  await unwind(run, { cypher: `${found} ${lackUnknown(isOfCell)}`, rows: writes.unknown })
  await unwind(run, { cypher: `${found} ${stop}`, rows: writes.stopped })
}

const keep = (key: string) => `MERGE (intent:Intent ${key})
  SET intent = row, intent.at = datetime({epochMillis: row.at}) ${written}`

const touch = `MATCH (p:Primitive {key: row.key})
  CREATE (intent)-[:TOUCHED {level: row.level}]->(p) ${written}`

const gap =
  '[:LACKED {kind: row.kind, required: row.required, current: row.current, source: row.source}]'

const lack = `MATCH (p:Primitive {key: row.key})
  CREATE (intent)-${gap}->(p) ${written}`

// Cells have no order: the name that comes first by its characters stays.
const leastName = `ON MATCH SET concept.name =
      CASE WHEN row.name < concept.name THEN row.name ELSE concept.name END`

function lackUnknown(isOfCell: boolean): string {
  return `MERGE (concept:Concept {key: row.key})
    ON CREATE SET concept.name = row.name
    ${isOfCell ? leastName : ''}
  CREATE (intent)-${gap}->(concept) ${written}`
}

const stop = `MATCH (source:Primitive {key: row.key}), (target:Primitive {key: row.target})
  WITH row, intent, COLLECT {
    MATCH (source)-[edge {sourceDepth: row.level}]->(target)
    WHERE type(edge) = row.type
    RETURN edge.order ORDER BY edge.order
  } AS orders
  MATCH (policy:Policy {edge: orders[row.alike], nth: row.nth})
  CREATE (intent)-[:STOPPED_BY {code: row.code}]->(policy) ${written}`

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
