// The difference of two revisions as statements. Names and properties are parameters, and the types
// of relations a closed list: nothing that anyone wrote ever becomes part of a query.
import { Fault } from '#record/fault'
import type { GraphWrites } from '../projection/graph-writes.ts'
import { relationTypes, type RelationType } from '#schemas/graph'
import type { RunCypher } from './link.ts'

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
export async function unwind(
  run: RunCypher,
  { cypher, rows, goes = false }: Statement,
): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsMax) {
    const some = rows.slice(from, from + rowsMax)
    const [answer] = await run(`UNWIND $rows AS row ${cypher}`, { rows: some })
    if (goes || answer?.['written'] === some.length) continue
    const fix = "find out by 'warrant project neo4j --check', and fix it by --rebuild"
    const message = `Neo4j does not hold what was projected there: ${fix}`
    throw new Fault('projection_broken', message)
  }
}

function* statementsOf(writes: GraphWrites): Generator<Statement> {
  for (const type of relationTypes) {
    const rows = writes.unrelated.filter((row) => row.type === type)
    yield { cypher: unrelate(type), rows, goes: true }
  }
  yield { cypher: erase, rows: writes.erased }
  yield { cypher: remove, rows: writes.removed }
  yield { cypher: rename, rows: writes.renamed }
  yield { cypher: add, rows: writes.added }
  yield { cypher: change, rows: writes.changed }
  yield { cypher: describe, rows: writes.described }
  yield { cypher: redescribe, rows: writes.redescribed }
  for (const type of relationTypes) {
    yield { cypher: relate(type), rows: writes.related.filter((row) => row.type === type) }
  }
  yield { cypher: show, rows: writes.policies }
  yield { cypher: unword, rows: writes.reworded, goes: true }
  yield { cypher: word, rows: writes.worded }
  yield { cypher: forget, rows: writes.unworded, goes: true }
}

const written = 'RETURN count(*) AS written'

function stamp(variable: string): string {
  return ['source', 'by', 'at', 'intent']
    .map((each) => `${variable}.${each} = row.provenance.${each}`)
    .join(', ')
}

function unrelate(type: RelationType): string {
  return `MATCH (:Primitive {key: row.key})-[r:${type} {sourceDepth: row.level}]->
      (:Primitive {key: row.target})
    OPTIONAL MATCH (policy:Policy {edge: r.order})
    DETACH DELETE policy DELETE r`
}

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

const add = `CREATE (p:Primitive {key: row.key, name: row.name, place: row.place,
    strict: row.strict, classic: row.classic})
  SET ${stamp('p')} ${written}`

const change = `MATCH (p:Primitive {key: row.key})
  SET p.name = row.name, p.strict = row.strict, p.classic = row.classic, ${stamp('p')} ${written}`

const describe = `MATCH (p:Primitive {key: row.key})
  CREATE (p)-[:HAS_LEVEL]->(level:Level {of: p.place, level: row.level,
    properties: row.properties})
  SET ${stamp('level')} ${written}`

const redescribe = `MATCH (:Primitive {key: row.key})-[:HAS_LEVEL]->(level:Level {level: row.level})
  SET level.properties = row.properties, ${stamp('level')} ${written}`

function relate(type: RelationType): string {
  return `MATCH (source:Primitive {key: row.key})
    MATCH (target:Primitive {key: row.target})
    CREATE (source)-[r:${type} {sourceDepth: row.level, targetDepth: row.targetDepth,
      order: row.order, metadata: row.metadata, policies: row.policies}]->(target)
    SET ${stamp('r')} ${written}`
}

const show = `MATCH (source:Primitive {key: row.key})
  MATCH (target:Primitive {key: row.target})
  CREATE (policy:Policy {edge: row.edge, nth: row.nth})
  CREATE (source)<-[:ON_SOURCE]-(policy)-[:ON_TARGET]->(target)
  SET policy += row.policy ${written}`

const unword = 'MATCH (:Primitive {key: row.key})-[r:READS_AS]->() DELETE r'

const word = `MATCH (p:Primitive {key: row.key})
  MERGE (word:Word {text: row.text})
  CREATE (p)-[:READS_AS]->(word) ${written}`

const forget = `MATCH (word:Word {text: row.text})
  WHERE NOT EXISTS { ()-[:READS_AS]->(word) }
  DELETE word`
