// A log in memory and a real Neo4j beside it, for tests of the projector.
import { afterAll, beforeAll, expect } from 'vitest'
import { systemTimer } from '#system/clock'
import { Neo4jLink, type Neo4jAccess } from '#neo4j/driver/link'
import type { ProjectionMark } from '#neo4j/driver/mark'
import type { ProjectionLink } from '#neo4j/driver/writes'
import { Fault } from '#record/fault'
import type { Log } from '#ports/log'
import { silentLogger } from '#runtime/reporting/logger'
import { checkProjection } from '#neo4j/check'
import type { Compared, ProjectionCheck } from '#neo4j/report'
import { runProjector, type ProjectorOptions } from '#neo4j/projector'
import { shareNeo4j, wipeNeo4j, type SharedNeo4j } from '../support/servers/neo4j-server.ts'

interface Venue {
  readonly link: ProjectionLink
  /** How a command reaches it. */
  readonly access: Neo4jAccess
  /** An empty database. */
  clear(): Promise<void>
}

/** One Neo4j for the tests of a `describe`, which must be skipped where there is none. */
export function testVenue(): Venue {
  let server: SharedNeo4j
  let link: Neo4jLink

  beforeAll(async () => {
    server = await shareNeo4j()
    link = await Neo4jLink.open(server.access)
  })

  afterAll(async () => {
    await link.close()
    await server.dispose()
  })

  return {
    // It is open once the tests run, and not yet when they are written down.
    link: {
      read: (work) => link.read(work),
      write: (work) => link.write(work),
      auto: (cypher, params) => link.auto(cypher, params),
    },
    get access() {
      return server.access
    },
    clear: () => wipeNeo4j(link),
  }
}

const never = new AbortController().signal

/** Brings the database to the end of the log. */
export async function projectOnce(
  log: Log,
  link: ProjectionLink,
  options: Partial<ProjectorOptions> = {},
): Promise<ProjectionMark | null> {
  const marks = await runProjector(projectorOptions(log, link, { once: true, ...options }), never)
  return marks?.control ?? null
}

export function projectorOptions(
  log: Log,
  link: ProjectionLink,
  options: Partial<ProjectorOptions> = {},
): ProjectorOptions {
  const open = async () => ({
    read: link.read.bind(link),
    write: link.write.bind(link),
    auto: link.auto.bind(link),
    // The venue closes it.
    close: async () => undefined,
  })
  const fixed = { realm: 'main', rootKey: null, timer: systemTimer, logger: silentLogger }
  return { log, open, ...fixed, ...options }
}

export function check(log: Log, link: ProjectionLink): Promise<ProjectionCheck> {
  return checkProjection({ log, realm: 'main', rootKey: null, link })
}

/** What a check finds where it can compare. */
export async function compared(log: Log, link: ProjectionLink): Promise<Compared> {
  const found = await check(log, link)
  if ('differences' in found) return found
  return expect.fail(`nothing was compared: ${found.standing}`)
}

/** Refuses what comes after that many statements, as if the process were gone. */
export function dying(link: ProjectionLink, statements: number): ProjectionLink {
  let left = statements
  const die = () => {
    left -= 1
    if (left < 0) throw new Fault('neo4j_query_refused', 'the process is gone')
  }
  return {
    read: (work) => link.read(work),
    auto: (cypher) => link.auto(cypher),
    write: (work) =>
      link.write((run) =>
        work(async (cypher, params) => {
          die()
          return run(cypher, params)
        }),
      ),
  }
}

/** Of the fault that it ends with. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'none'
  } catch (error) {
    return error instanceof Fault ? error.code : String(error)
  }
}
