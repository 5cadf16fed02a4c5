// Intents with their verdicts as statements: what each touched, and what was lacking. For people;
// nothing that is read back from here decides anything.
import type { IntentWrites } from '#core/projection/intent-writes'
import { unwind } from './neo4j-writes-graph.ts'
import type { Run } from './neo4j-link.ts'

/** To be run in one transaction with the position that they belong to, after the graph's. */
export async function writeIntents(run: Run, writes: IntentWrites): Promise<void> {
  await unwind(run, { cypher: keep, rows: writes.intents })
  await unwind(run, { cypher: touch, rows: writes.touched })
  await unwind(run, { cypher: lack, rows: writes.lacked })
  await unwind(run, { cypher: lackUnknown, rows: writes.unknown })
}

const written = 'RETURN count(*) AS written'

const keep = `MERGE (intent:Intent {address: row.address})
  SET intent += row ${written}`

const touch = `MATCH (intent:Intent {address: row.address})
  MATCH (p:Primitive {key: row.key})
  CREATE (intent)-[:TOUCHED {level: row.level}]->(p) ${written}`

const gap =
  '[:LACKED {kind: row.kind, required: row.required, current: row.current, source: row.source}]'

const lack = `MATCH (intent:Intent {address: row.address})
  MATCH (p:Primitive {key: row.key})
  CREATE (intent)-${gap}->(p) ${written}`

const lackUnknown = `MATCH (intent:Intent {address: row.address})
  MERGE (concept:Concept {key: row.key})
    ON CREATE SET concept.name = row.name
  CREATE (intent)-${gap}->(concept) ${written}`
