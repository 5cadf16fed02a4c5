// A package that only some installations need, and this one lacks: NATS, Neo4j, MCP,
// metrics and traces are left to who uses them, and so is the native part of SQLite on systems
// without glibc.
import { Fault } from '#record/fault'

/** What is installed together, at the versions that `peerDependencies` allows. */
export const packagesFor = {
  NATS: ['@nats-io/jetstream@3', '@nats-io/nkeys@2', '@nats-io/transport-node@3'],
  Neo4j: ['neo4j-driver@6'],
  MCP: ['@modelcontextprotocol/client@2', '@modelcontextprotocol/server@2'],
  'OpenID Connect': ['jose@6', 'openid-client@6'],
  metrics: ['prom-client@15'],
  traces: [
    '@opentelemetry/api@1',
    '@opentelemetry/exporter-trace-otlp-http@0.223',
    '@opentelemetry/resources@2',
    '@opentelemetry/sdk-trace-node@2',
  ],
} as const

const notFound = /^Cannot find (?:package|module) '(?<name>(?:@[\w-]+\/)?[a-z][\w-]*)'/

/** A fault that says what to install; null for an error that is about something else. */
export function missingPackage(error: unknown): Fault | null {
  if (!(error instanceof Error) || error instanceof Fault) return null
  const name = notFound.exec(error.message)?.groups?.['name']
  const needed = name === undefined ? null : neededWith(name)
  if (needed === null) return null
  const { use, packages } = needed
  const fix = `\`npm install ${packages.join(' ')}\``
  return new Fault('package_missing', `${use} needs \`${name}\`, which is not installed: ${fix}`, {
    cause: error,
  })
}

function neededWith(name: string): { use: string; packages: readonly string[] } | null {
  if (name.startsWith('@libsql/')) return { use: 'a log in a file', packages: [`${name}@0.5`] }
  for (const [use, packages] of Object.entries(packagesFor)) {
    if (packages.some((one) => one.startsWith(`${name}@`))) return { use, packages }
  }
  return null
}
