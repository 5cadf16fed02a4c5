// The registry of faults: every code that an error can have, by area. An error with another code
// does not compile.
import type { FaultEntry } from './faults/entry.ts'
import { catalogFaults } from './faults/catalog.ts'
import { commandFaults } from './faults/command.ts'
import { erasFaults } from './faults/eras.ts'
import { graphFaults } from './faults/graph.ts'
import { intentsFaults } from './faults/intents.ts'
import { jobsFaults } from './faults/jobs.ts'
import { keysFaults } from './faults/keys.ts'
import { learningFaults } from './faults/learning.ts'
import { linesFaults } from './faults/lines.ts'
import { logFaults } from './faults/log.ts'
import { neo4jFaults } from './faults/neo4j.ts'
import { serversFaults } from './faults/servers.ts'

/** In the order in which the page lists them. */
export const faultAreas = [
  { title: 'Command line and input', faults: commandFaults },
  { title: 'Lines of JSON', faults: linesFaults },
  { title: 'The log', faults: logFaults },
  { title: 'Servers and credentials', faults: serversFaults },
  { title: 'Eras, snapshots and history', faults: erasFaults },
  { title: 'Stages and jobs', faults: jobsFaults },
  { title: 'Keys and signatures', faults: keysFaults },
  { title: 'Graph', faults: graphFaults },
  { title: 'Catalog and seeds', faults: catalogFaults },
  { title: 'Proposals and rulings', faults: learningFaults },
  { title: 'Intents, verdicts and reviews', faults: intentsFaults },
  { title: 'Neo4j and its projection', faults: neo4jFaults },
] as const

const faults = {
  ...commandFaults,
  ...linesFaults,
  ...logFaults,
  ...serversFaults,
  ...erasFaults,
  ...jobsFaults,
  ...keysFaults,
  ...graphFaults,
  ...catalogFaults,
  ...learningFaults,
  ...intentsFaults,
  ...neo4jFaults,
} as const

export type FaultCode = keyof typeof faults

export function faultEntry(code: FaultCode): FaultEntry {
  return faults[code]
}
