// Neo4j in a container, for machines that have Docker and no jars of it.
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
const startMsMax = 600_000

/** On the network of the host, so that the port is what it is without a container. */
export async function runNeo4jContainer(start: Neo4jStart): Promise<Neo4jProcess> {
  const { folder, port, password } = start
  const { GenericContainer, Wait } = await import('testcontainers')
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`
  const container = await new GenericContainer(image)
    .withNetworkMode('host')
    .withUser(user)
    .withBindMounts([{ source: folder, target: '/data' }])
    .withEnvironment({
      NEO4J_AUTH: `neo4j/${password}`,
      NEO4J_dbms_usage__report_enabled: 'false',
      NEO4J_server_bolt_listen__address: `127.0.0.1:${port}`,
      NEO4J_server_http_enabled: 'false',
      NEO4J_server_memory_heap_max__size: '384m',
      NEO4J_server_memory_pagecache_size: '64m',
    })
    .withWaitStrategy(Wait.forLogMessage('Started.'))
    .withStartupTimeout(startMsMax)
    .start()
  // A container that was not asked to end gracefully keeps what it committed all the same.
  return { end: async () => void (await container.stop({ timeout: 1 })) }
}
