// The registry of faults: every code that an error can have, by area. An error with another code
// does not compile.
import { doorFaults } from '../http/faults-doors.ts'
import { driversFaults, gatewayFaults } from '../action/faults-gateway.ts'
import { warrantsFaults } from '../action/faults-warrants.ts'
import { grantFaults } from '../action/faults-grant.ts'
import { resultsFaults } from '../action/faults-results.ts'
import { outreachFaults } from '../outreach/faults-outreach.ts'
import { workFaults } from '../work/faults-work.ts'
import type { FaultEntry } from './entry.ts'
import { catalogFaults } from './catalog.ts'
import { commandFaults } from './command.ts'
import { erasFaults } from './eras.ts'
import { graphFaults } from './graph.ts'
import { intentsFaults } from './intents.ts'
import { jobsFaults } from './jobs.ts'
import { keysFaults } from './keys.ts'
import { learningFaults } from './learning.ts'
import { linesFaults } from './lines.ts'
import { logFaults } from './log.ts'
import { neo4jFaults } from './neo4j.ts'
import { serversFaults } from './servers.ts'

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
  { title: 'Warrants as tokens', faults: warrantsFaults },
  { title: 'Gateways and tools', faults: gatewayFaults },
  { title: 'Doors and tokens of callers', faults: doorFaults },
  { title: 'Grants', faults: grantFaults },
  { title: 'Neo4j and its projection', faults: neo4jFaults },
  { title: 'Drivers and secrets', faults: driversFaults },
  { title: 'Kept results', faults: resultsFaults },
  { title: 'Reaching people', faults: outreachFaults },
  { title: 'Finished work', faults: workFaults },
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
  ...warrantsFaults,
  ...gatewayFaults,
  ...doorFaults,
  ...grantFaults,
  ...neo4jFaults,
  ...driversFaults,
  ...resultsFaults,
  ...outreachFaults,
  ...workFaults,
} as const

export type FaultCode = keyof typeof faults

export function isFaultCode(text: string): text is FaultCode {
  return Object.hasOwn(faults, text)
}

export function faultEntry(code: FaultCode): FaultEntry {
  return faults[code]
}
