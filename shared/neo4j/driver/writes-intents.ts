// Intents with their verdicts as statements: what each touched, what was lacking, and what
// stopped it. For people; nothing that is read back from here decides anything.
import type { IntentWrites } from '../projection/intent-writes.ts'
import { unwind } from './writes-graph.ts'
import type { RunCypher } from './link.ts'

/** To be run in one transaction with the position that they belong to, after the graph's. */
export async function writeIntents(run: RunCypher, writes: IntentWrites): Promise<void> {
  const isOfCell = writes.intents[0]?.cell !== undefined
  const found = isOfCell ? inCell : inLog
  await unwind(run, { cypher: keep, rows: writes.intents })
  await unwind(run, { cypher: `${found} ${touch}`, rows: writes.touched })
  await unwind(run, { cypher: `${found} ${lack}`, rows: writes.lacked })
  await unwind(run, { cypher: `${found} ${lackUnknown(isOfCell)}`, rows: writes.unknown })
  await unwind(run, { cypher: `${found} ${stop}`, rows: writes.stopped })
}

const inLog = 'MATCH (intent:Intent {position: row.position})'
const inCell = 'MATCH (intent:Intent {cell: row.cell, position: row.position})'

const written = 'RETURN count(*) AS written'

const keep = `CREATE (intent:Intent)
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
