// Intents with their verdicts as statements: what each touched, what was lacking, and what
// stopped it. For people; nothing that is read back from here decides anything.
import type { IntentWrites } from '#core/projection/intent-writes'
import { unwind } from './writes-graph.ts'
import type { RunCypher } from './link.ts'

/** To be run in one transaction with the position that they belong to, after the graph's. */
export async function writeIntents(run: RunCypher, writes: IntentWrites): Promise<void> {
  await unwind(run, { cypher: keep, rows: writes.intents })
  await unwind(run, { cypher: touch, rows: writes.touched })
  await unwind(run, { cypher: lack, rows: writes.lacked })
  await unwind(run, { cypher: lackUnknown, rows: writes.unknown })
  await unwind(run, { cypher: stop, rows: writes.stopped })
}

const written = 'RETURN count(*) AS written'

const keep = `CREATE (intent:Intent)
  SET intent = row, intent.at = datetime({epochMillis: row.at}) ${written}`

const touch = `MATCH (intent:Intent {position: row.position})
  MATCH (p:Primitive {key: row.key})
  CREATE (intent)-[:TOUCHED {level: row.level}]->(p) ${written}`

const gap =
  '[:LACKED {kind: row.kind, required: row.required, current: row.current, source: row.source}]'

const lack = `MATCH (intent:Intent {position: row.position})
  MATCH (p:Primitive {key: row.key})
  CREATE (intent)-${gap}->(p) ${written}`

const lackUnknown = `MATCH (intent:Intent {position: row.position})
  MERGE (concept:Concept {key: row.key})
    ON CREATE SET concept.name = row.name
  CREATE (intent)-${gap}->(concept) ${written}`

const stop = `MATCH (intent:Intent {position: row.position})
  MATCH (source:Primitive {key: row.key}), (target:Primitive {key: row.target})
  WITH row, intent, COLLECT {
    MATCH (source)-[edge {sourceDepth: row.level}]->(target)
    WHERE type(edge) = row.type
    RETURN edge.order ORDER BY edge.order
  } AS orders
  MATCH (policy:Policy {edge: orders[row.alike], nth: row.nth})
  CREATE (intent)-[:STOPPED_BY {code: row.code}]->(policy) ${written}`
