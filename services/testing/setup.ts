// What a test begins with: a catalog and a graph as people write them, the callbacks of their
// policies as functions, and keys that anyone can derive. None of these keys may sign for real.
import { createHash, createPrivateKey } from 'node:crypto'
import { parseCatalogFile, operationsFromCatalogFile } from '#rules/catalog/catalog-file'
import { isPolicyAdmin } from '#rules/catalog/catalog-operations'
import { parseGraphFile } from '#authoring/changes/seed-file'
import { operationsFromFile } from '#knowledge/graph/graph-change'
import { Fault } from '#record/fault'
import { publicKeyOf } from '#record/crypto/private-key'
import type { Author } from '#authoring/change'
import type { Operations } from '#authoring/change-check'
import type { CatalogFile } from '#schemas/catalog'
import type { GraphFile } from '#schemas/graph'
import type { z } from 'zod'
import type { Callback } from './call.ts'

export interface Setup {
  /**
   * As in `catalog.json`. A policy admin is added if there is none who can sign.
   */
  readonly catalog?: z.input<typeof CatalogFile>
  /** Whether a principal that has keys gets a test key in their place; it does by default. */
  readonly testKeys?: boolean
  /** As in `graph.json`. */
  readonly graph?: z.input<typeof GraphFile>
  /** What the policies of the graph call, by name. They run in place, in the test's own process. */
  readonly callbacks?: Readonly<Record<string, Callback>>
  /** Who acts where a step names no one; `agent` by default. */
  readonly agent?: string
  /** The session of each step that names none; null for no session. */
  readonly session?: string | null
  /** When it begins, in milliseconds since 1970; the first of January 2026 by default. */
  readonly now?: number
}

export const agentDefault = 'agent'
export const sessionDefault = 'S-2026-01-01-agent-000000'
export const nowDefault = Date.UTC(2026, 0, 1)

const adminDefault = 'test-policy-admin'
/** What stands before the 32 bytes of an Ed25519 key in PKCS #8. */
const keyHeader = Buffer.from('302e020100300506032b657004220420', 'hex')

// Making a key costs more than all else about a small test.
const made = new Map<string, { readonly privateKey: string; readonly publicKey: string }>()

/** The private test key of that principal, in PEM: the same in every run, and known to anyone. */
export function testKey(principal: string): string {
  return keyPair(principal).privateKey
}

/** The public half, as `keys` of a principal in the catalog has it. */
export function testPublicKey(principal: string): string {
  return keyPair(principal).publicKey
}

function keyPair(principal: string) {
  const known = made.get(principal) ?? makeKeyPair(principal)
  made.set(principal, known)
  return known
}

function makeKeyPair(principal: string) {
  const seed = createHash('sha256').update(`test key of ${principal}`, 'utf8').digest()
  const der = Buffer.concat([keyHeader, seed])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { privateKey, publicKey: publicKeyOf(privateKey) }
}

/** Who signs the change sets of a test, and those that it begins with. */
export interface SignedStart {
  readonly author: Author
  readonly changes: readonly Operations[]
}

/** Throws a Fault that says what is wrong with the catalog or the graph. */
export function signedStartOf({ catalog = {}, testKeys = true, graph }: Setup): SignedStart {
  const { file, refused } = parseCatalogFile(catalog)
  if (refused !== undefined) {
    throw new Fault(refused.code, `the catalog, ${refused.at}: ${refused.message}`)
  }
  const principals = file.principals.map((one) => {
    const isKept = !testKeys || one.keys.length === 0
    return isKept ? one : { ...one, keys: [testPublicKey(one.id)] }
  })
  const signing = principals.filter(({ id, keys }) => keys.includes(testPublicKey(id)))
  const admin = signing.find(isPolicyAdmin)?.id ?? adminDefault
  const added = {
    id: adminDefault,
    roles: ['policy-admin'],
    attributes: {},
    keys: [testPublicKey(adminDefault)],
    suspended: false,
  }
  const all = admin === adminDefault ? [...principals, added] : principals
  const first: Operations = {
    kind: 'catalog',
    operations: operationsFromCatalogFile({ ...file, principals: all }),
  }
  const author = { id: admin, privateKey: testKey(admin) }
  if (graph === undefined) return { author, changes: [first] }
  const operations = operationsFromFile(parseGraphFile(graph))
  return { author, changes: [first, { kind: 'graph', operations }] }
}
