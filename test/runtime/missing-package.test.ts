// What is left to who needs it: each such package is in the table with the version that fits, and
// where it is missing the error says what to install.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { missingPackage, packagesFor } from '#runtime/reporting/missing-package'

interface Manifest {
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

async function manifest(): Promise<Manifest> {
  return JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'))
}

/** What Node throws where a package is missing. */
async function errorOf(name: string): Promise<unknown> {
  try {
    return await import(/* @vite-ignore */ name)
  } catch (error) {
    return error
  }
}

/** An adapter is for who has its framework already, and no command needs one. */
const frameworks: ReadonlySet<string> = new Set([
  '@anthropic-ai/claude-agent-sdk',
  '@langchain/core',
  '@langchain/langgraph',
  '@openai/agents-core',
  'ai',
  'langchain',
])

test('every optional peer is in the table, at the version that fits', async () => {
  const { peerDependencies, peerDependenciesMeta } = await manifest()
  const named = new Map(
    Object.values(packagesFor)
      .flat()
      .map((one) => [one.slice(0, one.lastIndexOf('@')), one.slice(one.lastIndexOf('@') + 1)]),
  )
  const peers = Object.entries(peerDependencies).filter(([name]) => !frameworks.has(name))
  expect([...named.keys()].toSorted()).toEqual(peers.map(([name]) => name).toSorted())
  for (const name of frameworks) expect(peerDependenciesMeta[name]).toEqual({ optional: true })
  for (const [name, range] of peers) {
    expect(range.replace(/^[\^~]/, '').startsWith(`${named.get(name)}.`)).toBe(true)
    expect(peerDependenciesMeta[name]).toEqual({ optional: true })
  }
})

test('the native parts of SQLite are of the version that is bundled', async () => {
  const { optionalDependencies, devDependencies } = await manifest()
  const versions = new Set(Object.values(optionalDependencies))
  expect([...versions]).toEqual([devDependencies['libsql']])
})

test('a missing package is a fault that says what to install', () => {
  const error = new Error("Cannot find package '@nats-io/nkeys' imported from /somewhere/link.js")
  expect(missingPackage(error)).toMatchObject({
    code: 'package_missing',
    message:
      'NATS needs `@nats-io/nkeys`, which is not installed: ' +
      '`npm install @nats-io/jetstream@3 @nats-io/nkeys@2 @nats-io/transport-node@3`',
    cause: error,
  })
  const native = new Error("Cannot find module '@libsql/linux-x64-musl'\nRequire stack:\n- x")
  expect(missingPackage(native)?.message).toContain('npm install @libsql/linux-x64-musl@0.5')
})

test('any other error is left as it is', async () => {
  expect(missingPackage(await errorOf('no-such-package-of-anyone'))).toBeNull()
  expect(missingPackage(new Error('Cannot find what you want'))).toBeNull()
  expect(missingPackage(new Fault('usage', "Cannot find package 'prom-client'"))).toBeNull()
  expect(missingPackage(null)).toBeNull()
})
