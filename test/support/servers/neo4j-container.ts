// Neo4j in a container, for machines that have Docker and no jars of it.
import { startContainer } from './docker.ts'
import { neo4jVersion } from './neo4j-choice.ts'

export interface Neo4jStart {
  readonly folder: string
  readonly port: number
  readonly password: string
  readonly pace: Pace
}

/** Soon there and small, as tests want it, or quick for long, as measurements do. */
export type Pace = 'soon' | 'quick'

/** A Neo4j that runs, however it was started. */
export interface Neo4jProcess {
  /** As a power failure ends it. */
  end(): Promise<void>
}

const image = `neo4j:${neo4jVersion}-community`

/** It listens on the port of the host. */
export async function runNeo4jContainer(start: Neo4jStart): Promise<Neo4jProcess> {
  const { folder, port, password } = start
  const container = await startContainer({
    image,
    folder: [folder, '/data'],
    environment: {
      NEO4J_AUTH: `neo4j/${password}`,
      NEO4J_dbms_usage__report_enabled: 'false',
      NEO4J_server_bolt_listen__address: `127.0.0.1:${port}`,
      NEO4J_server_http_enabled: 'false',
      NEO4J_server_memory_heap_max__size: '384m',
      NEO4J_server_memory_pagecache_size: '64m',
    },
  })
  await container.says('Started.')
  // A container that was not asked to end gracefully keeps what it committed all the same.
  return { end: () => container.stop(1) }
}
