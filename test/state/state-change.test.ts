// Change sets of the catalog and of the graph: who may make them, and what is void and stepped
// over.
import { beforeEach, expect, test } from 'vitest'
import { MemoryStore } from '#log/memory/log'
import { nameOf } from '#record/names'
import { publicKeyOf, signData } from '#record/crypto/private-key'
import { keyIdOf } from '#record/signature'
import { jsonOf } from '#record/canonical'
import { evolve } from '#state/fold/evolve'
import { newState, type State } from '#state/state'
import type { Fact, Log } from '#ports/log'
import { keys, newKey } from '../support/runtime.ts'
import { logIdOf } from '../support/log-id.ts'
import { FakeTime } from '#testing/fake-time'
import { bind, place } from '../support/scene.ts'

interface ChangeSet {
  readonly kind?: 'catalog' | 'graph'
  readonly revision: number
  readonly by?: string
  readonly operations?: readonly unknown[]
  readonly privateKey?: string | null
  /** What is put into the fact beside, or instead of, what was signed. */
  readonly content?: Readonly<Record<string, unknown>>
  /** Under which revision it is bound, if not its own. */
  readonly boundAs?: number
  /** Of which log it is signed; of this one if not said. */
  readonly logId?: string | null
}

let log: Log
beforeEach(() => {
  log = new MemoryStore(new FakeTime()).open()
})

const admin = { id: 'root', roles: ['policy-admin'], keys: [publicKeyOf(keys.root)] }
const put = (entry: Readonly<Record<string, unknown>>) => ({
  op: 'put',
  collection: 'principals',
  entry,
})
const add = (name: string) => ({ op: 'add', name })

async function bindChange(set: ChangeSet): Promise<void> {
  const { kind = 'catalog', revision, by = 'root', privateKey = keys.root, content } = set
  const { operations = kind === 'catalog' ? [put(admin)] : [add(`p${revision}`)] } = set
  const signed = { by, operations, revision }
  const name = nameOf(place, kind, revision)
  const of = { log: set.logId === undefined ? await logIdOf(log) : set.logId, name }
  const signature = privateKey === null ? undefined : signData(of, jsonOf(signed), privateKey)
  const bound = nameOf(place, kind, set.boundAs ?? revision)
  await bind(log, kind, bound, { ...signed, signature, ...content })
}

/** What a fold makes of the log, and why facts of it are void. */
async function folded(rootKey: string | null = null) {
  const state: State = newState(place, rootKey)
  const voids: string[] = []
  for await (const fact of log.read({})) {
    const { void: why } = evolve(state, fact)
    if (why !== null) voids.push(`${fact.name.slice('main.1.'.length)}: ${why}`)
  }
  return { state, voids }
}

const firstRefused: readonly (readonly [string, Omit<ChangeSet, 'revision'>])[] = [
  ['is not signed', { privateKey: null }],
  ['is signed by a key that it does not name', { privateKey: keys.olga }],
  ['names an author who is not one of its principals', { by: 'olga' }],
  ['gives its author no administration', { operations: [put({ ...admin, roles: ['writer'] })] }],
  ['suspends its author', { operations: [put({ ...admin, suspended: true })] }],
  ['has no operation', { operations: [] }],
  [
    'has an operation that no catalog knows',
    { operations: [put(admin), { op: 'grant', id: 'x' }] },
  ],
  ['cannot be applied', { operations: [put(admin), { op: 'suspend', id: 'unknown' }] }],
  ['says another revision', { content: { revision: 2 } }],
  ['says more than it should', { content: { force: true } }],
]

test.each(firstRefused)(
  'a first catalog that %s is void, and the next may be the first',
  async (_, set) => {
    await bindChange({ revision: 1, ...set })
    expect((await folded()).state.catalog.principals.size).toBe(0)
    await bindChange({ revision: 2 })
    const { state, voids } = await folded()
    expect(voids).toHaveLength(1)
    expect(state.catalogRevision).toBe(2)
    expect([...state.catalog.principals.keys()]).toEqual(['root'])
  },
)

test('where a root key is demanded, no other key can make the first catalog', async () => {
  const stranger = { ...admin, keys: [publicKeyOf(keys.olga)] }
  await bindChange({ revision: 1, operations: [put(stranger)], privateKey: keys.olga })
  const rootKey = keyIdOf(publicKeyOf(keys.root))
  const refused = await folded(rootKey)
  expect(refused.voids).toEqual([expect.stringContaining('root key')])
  expect(refused.state.catalog.principals.size).toBe(0)
  await bindChange({ revision: 2, logId: null })
  expect((await folded(rootKey)).state.catalogRevision).toBe(2)
  // Anyone who demands nothing believes the first who came.
  expect((await folded()).state.catalogRevision).toBe(1)
})

test('a key that only calls itself the root key is not it', async () => {
  const stranger = { ...admin, keys: [publicKeyOf(keys.olga)] }
  const operations = [put(stranger)]
  const name = nameOf(place, 'catalog', 1)
  const signature = signData(
    { log: null, name },
    jsonOf({ by: 'root', operations, revision: 1 }),
    keys.olga,
  )
  const rootKey = keyIdOf(publicKeyOf(keys.root))
  const forged = { ...signature, key: rootKey }
  await bindChange({ revision: 1, operations, content: { signature: forged } })
  expect((await folded(rootKey)).state.catalog.principals.size).toBe(0)
})

async function genesis(): Promise<void> {
  const olga = { id: 'olga', keys: [publicKeyOf(keys.olga)] }
  const retired = {
    id: 'retired',
    roles: ['policy-admin'],
    keys: [publicKeyOf(keys.piet)],
    suspended: true,
  }
  await bindChange({ revision: 1, operations: [put(admin), put(olga), put(retired)] })
}

const laterRefused: readonly (readonly [string, Omit<ChangeSet, 'revision'>])[] = [
  ['is not signed', { privateKey: null }],
  ['is signed by a key that the catalog does not know', { privateKey: newKey() }],
  ['is signed by someone else', { privateKey: keys.olga }],
  ['is made by one who is no policy admin', { by: 'olga', privateKey: keys.olga }],
  ['is made by a suspended policy admin', { by: 'retired', privateKey: keys.piet }],
  ['is made by no one whom the catalog knows', { by: 'mallory', privateKey: newKey() }],
  ['was changed after it was signed', { content: { by: 'root', note: 'and one thing more' } }],
]

test.each(laterRefused)('a later change set of either kind that %s is void', async (_, set) => {
  await genesis()
  await bindChange({ revision: 2, operations: [put({ ...admin, id: 'mine' })], ...set })
  await bindChange({ kind: 'graph', revision: 1, ...set })
  const refused = await folded()
  expect(refused.voids).toHaveLength(2)
  expect(refused.state.catalog.principals.has('mine')).toBe(false)
  expect({ ...refused.state }).toMatchObject({ catalogRevision: 1, graphRevision: 0 })
  await bindChange({ revision: 3, operations: [put({ ...admin, id: 'next', keys: [] })] })
  await bindChange({ kind: 'graph', revision: 2 })
  const { state } = await folded()
  expect({ ...state }).toMatchObject({ catalogRevision: 3, graphRevision: 2 })
})

test('no one becomes a policy admin by the change that needs one', async () => {
  await genesis()
  const olga = { id: 'olga', roles: ['policy-admin'], keys: [publicKeyOf(keys.olga)] }
  await bindChange({ revision: 2, by: 'olga', privateKey: keys.olga, operations: [put(olga)] })
  expect((await folded()).state.catalogRevision).toBe(1)
  await bindChange({ revision: 3, operations: [put(olga)] })
  await bindChange({ kind: 'graph', revision: 1, by: 'olga', privateKey: keys.olga })
  expect({ ...(await folded()).state }).toMatchObject({ catalogRevision: 3, graphRevision: 1 })
})

test('operations that were changed after they were signed are void', async () => {
  await genesis()
  const operations = [
    put({ id: 'mallory', roles: ['policy-admin'], keys: [publicKeyOf(keys.quin)] }),
  ]
  await bindChange({ revision: 2, content: { operations } })
  await bindChange({ kind: 'graph', revision: 1, content: { operations: [add('other')] } })
  const { state } = await folded()
  expect({ ...state }).toMatchObject({ catalogRevision: 1, graphRevision: 0 })
})

test('a change set bound under another revision than the one it was signed for is void', async () => {
  await genesis()
  await bindChange({ kind: 'graph', revision: 7, boundAs: 1 })
  await bindChange({ kind: 'graph', revision: 7, boundAs: 2, content: { revision: 2 } })
  const { state, voids } = await folded()
  expect(state.graphRevision).toBe(0)
  expect(voids).toHaveLength(2)
})

test('a revision out of turn is void, and its name is stepped over when its turn comes', async () => {
  await genesis()
  await bindChange({ kind: 'graph', revision: 3 })
  await bindChange({ kind: 'graph', revision: 1 })
  const { state } = await folded()
  expect(state.graphRevision).toBe(1)
  expect(state.graphSequence.next).toBe(2)
  await bindChange({ kind: 'graph', revision: 2 })
  const stepped = await folded()
  expect(stepped.state.graphRevision).toBe(2)
  expect(stepped.state.graphSequence.next).toBe(4)
  await bindChange({ kind: 'graph', revision: 4 })
  expect((await folded()).state.graphRevision).toBe(4)
})

test('revisions that are no numbers are void and change nothing', async () => {
  await genesis()
  for (const token of ['0', '-1', '01', '1e3', 'x', '9'.repeat(16), '']) {
    if (token === '') continue
    await log.append({ name: `main.1.graph.${token}`, bytes: Buffer.from('{}') })
    await log.append({ name: `main.1.catalog.${token}`, bytes: Buffer.from('{}') })
  }
  const { state, voids } = await folded()
  expect(voids).toHaveLength(12)
  expect({ ...state }).toMatchObject({ catalogRevision: 1, graphRevision: 0 })
  expect(state.graphSequence.next).toBe(1)
})

test('before there is a catalog no one can change the graph', async () => {
  await bindChange({ kind: 'graph', revision: 1 })
  expect((await folded()).state.graphRevision).toBe(0)
  await genesis()
  await bindChange({ kind: 'graph', revision: 2 })
  expect((await folded()).state.graphRevision).toBe(2)
})

test('what is not signed is not even tried', async () => {
  await genesis()
  const operations = [{ op: 'suspend', id: 'unknown' }]
  await bindChange({ revision: 2, operations, privateKey: newKey() })
  await bindChange({ revision: 3, operations })
  const { voids } = await folded()
  expect(voids[0]).toContain('not a policy admin')
  expect(voids[1]).toContain('unknown_entry')
})

test('a set is applied whole or not at all', async () => {
  await genesis()
  const dangling = { op: 'describe', name: 'nowhere', level: 0, properties: {} }
  await bindChange({ kind: 'graph', revision: 1, operations: [add('moon'), dangling] })
  const owned = [put({ id: 'pet', owner: 'unknown' })]
  await bindChange({ revision: 2, operations: [put({ id: 'anna' }), ...owned] })
  const { state, voids } = await folded()
  expect(voids).toHaveLength(2)
  expect(state.catalog.principals.has('anna')).toBe(false)
  expect(state.graphRevision).toBe(0)
})

test('what its author left to its default is signed as it was written', async () => {
  await genesis()
  await bindChange({ revision: 2, operations: [put({ id: 'short' })] })
  const { state, voids } = await folded()
  expect(voids).toEqual([])
  expect(state.catalog.principals.get('short')).toMatchObject({ roles: [], suspended: false })
})

test('the log keeps what was void, so that anyone can see it', async () => {
  await genesis()
  await bindChange({ kind: 'graph', revision: 1, privateKey: null })
  const facts: Fact[] = []
  for await (const fact of log.read({}, ['main.1.graph.*'])) facts.push(fact)
  expect(facts).toHaveLength(1)
})
