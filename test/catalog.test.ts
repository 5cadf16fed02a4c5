// The catalog: what a change set may do, what it may never leave behind, and what the limits are.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CatalogFile, CatalogOperation } from '#schemas/catalog'
import {
  applyCatalogChange,
  catalogFromFile,
  catalogToFile,
  confirmationOf,
  emptyCatalog,
  limitOf,
  operationsFromCatalogFile,
  type Catalog,
} from '#core/catalog/catalog'

const key = (letter: string) => `ed25519:${letter.repeat(42)}A`

const file = {
  principals: [
    { id: 'alice', keys: [key('a')] },
    { id: 'bob', keys: [key('b')] },
    { id: 'agent', roles: ['writer'], attributes: { tenant: 'eu' }, owner: 'alice' },
  ],
  groups: [{ id: 'desk', members: ['alice', 'bob'] }],
  confirmations: [{ id: 'two', tier: 'four_eyes', group: 'desk', quorum: 2 }],
  capabilities: [
    { id: 'mail.send', description: 'Sends a mail', safetyClass: 'WRITE', confirmation: 'two' },
    { id: 'mail.read', safetyClass: 'READ', argsSchema: { type: 'object' } },
  ],
  limits: [
    { capability: 'mail.send', uses: 3, windowMs: 1000 },
    { safetyClass: 'DESTRUCTIVE', uses: 'unlimited', windowMs: 1 },
  ],
  trustedEvidence: [{ sender: 'bob', for: ['mail.read'] }],
  knownConstraints: ['max_rows'],
  learning: true,
  now: '2024-05-15T15:00:00-05:00',
  callbacks: `sha256:${'0'.repeat(64)}`,
}

function catalogOf(value: unknown): Catalog {
  const { catalog, refused } = catalogFromFile(value)
  if (catalog === undefined) throw new Error(`${refused.at}: ${refused.message}`)
  return catalog
}

const catalog = catalogOf(file)
const refusalOf = (change: Record<string, unknown>) =>
  catalogFromFile({ ...file, ...change }).refused

function change(...operations: unknown[]) {
  return applyCatalogChange(catalog, z.array(CatalogOperation).parse(operations))
}

describe('a seed file', () => {
  test('becomes a catalog, and the catalog the same file with its defaults', () => {
    const written = catalogToFile(catalog)
    expect(written).toEqual(CatalogFile.parse(file))
    expect(catalogToFile(catalogOf(written))).toEqual(written)
    expect(catalog.principals.get('agent')?.suspended).toBe(false)
    expect(catalogOf({})).toEqual(emptyCatalog)
  })

  const problems: [string, Record<string, unknown>, string, string, RegExp][] = [
    ['a list for a map', { learning: 'yes' }, 'catalog_invalid', 'learning', /boolean/],
    ['an unknown key', { principal: [] }, 'catalog_invalid', '', /`principal`/],
    [
      'an unknown key within',
      { principals: [{ id: 'x', role: [] }] },
      'catalog_invalid',
      'principals/0',
      /`role`/,
    ],
    [
      'a limit below one',
      { limits: [{ safetyClass: 'READ', uses: 0, windowMs: 1 }] },
      'catalog_invalid',
      'limits/0/uses',
      />=1/,
    ],
    [
      'a window of no time',
      { limits: [{ safetyClass: 'READ', uses: 1, windowMs: 0 }] },
      'catalog_invalid',
      'limits/0/windowMs',
      />=1/,
    ],
    [
      'a key with spare bits, which would be a second spelling of another',
      { principals: [{ id: 'x', keys: [`ed25519:${'a'.repeat(42)}B`] }] },
      'catalog_invalid',
      'principals/0/keys/0',
      /match/,
    ],
    [
      'an id twice',
      { groups: [{ id: 'g' }, { id: 'g' }] },
      'id_repeated',
      'groups/1/id',
      /keep one/,
    ],
    ['an id that is none', { groups: [{ id: 'a\nb' }] }, 'catalog_invalid', 'groups/0/id', /match/],
    ['half a pair', { groups: [{ id: '\ud800' }] }, 'catalog_invalid', '', /surrogate/],
  ]
  test.each(problems)('is refused for %s, and says where', (_, part, code, at, message) => {
    expect(refusalOf(part)).toMatchObject({ code, at })
    expect(refusalOf(part)?.message).toMatch(message)
  })

  test('is refused for nesting that would break a reader, and for a key that one would drop', () => {
    let nested: object = {}
    for (let depth = 0; depth < 100_000; depth += 1) nested = { nested }
    expect(refusalOf({ capabilities: nested })?.code).toBe('catalog_invalid')
    expect(refusalOf({ capabilities: JSON.parse('[{"__proto__":{}}]') })?.code).toBe(
      'catalog_invalid',
    )
  })
})

describe('a name that leads nowhere is refused', () => {
  const four = { tier: 'four_eyes' }
  const refusals: [string, Record<string, unknown>, string, string][] = [
    ['an owner', { principals: [{ id: 'x', owner: 'y' }] }, 'unknown_owner', 'principals/x/owner'],
    ['a member', { groups: [{ id: 'g', members: ['y'] }] }, 'unknown_member', 'groups/g/members'],
    [
      'a group',
      { confirmations: [{ id: 'c', ...four, group: 'y' }] },
      'unknown_group',
      'confirmations/c/group',
    ],
    [
      'a confirmation',
      { capabilities: [{ id: 'x', safetyClass: 'READ', confirmation: 'y' }] },
      'unknown_confirmation',
      'capabilities/x/confirmation',
    ],
    [
      'a capability of a limit',
      { limits: [{ capability: 'y', uses: 1, windowMs: 1 }] },
      'unknown_capability',
      'limits',
    ],
    [
      'a sender',
      { trustedEvidence: [{ sender: 'y', for: [] }] },
      'unknown_sender',
      'trustedEvidence',
    ],
  ]
  test.each(refusals)('as %s', (_, part, code, at) => {
    const bare = { principals: [], groups: [], confirmations: [], capabilities: [], limits: [] }
    const refused = catalogFromFile({ ...file, ...bare, trustedEvidence: [], ...part }).refused
    expect(refused).toMatchObject({ code, at })
    expect(refused?.message).toContain('`y`')
  })
})

describe('what could never work is refused', () => {
  test('an owner above itself', () => {
    const cycle = ['a', 'b', 'c'].map((id, at) => ({ id, owner: 'bca'[at] }))
    expect(catalogFromFile({ principals: cycle }).refused?.code).toBe('owner_cycle')
    expect(catalogFromFile({ principals: [{ id: 'a', owner: 'a' }] }).refused?.code).toBe(
      'owner_cycle',
    )
    const entry = { id: 'alice', owner: 'agent' }
    expect(change({ op: 'put', collection: 'principals', entry }).refused?.code).toBe('owner_cycle')
  })

  const confirmations: [string, Record<string, unknown>, string | undefined][] = [
    [
      'a quorum that the group cannot reach',
      { tier: 'four_eyes', group: 'desk', quorum: 3 },
      'quorum_out_of_reach',
    ],
    ['the quorum that it just reaches', { tier: 'four_eyes', group: 'desk', quorum: 2 }, undefined],
    ['four eyes without a group', { tier: 'four_eyes' }, 'group_missing'],
    ['a group for the owner alone', { tier: 'confirm', group: 'desk' }, 'confirm_with_group'],
    ['two owners to agree', { tier: 'confirm', quorum: 2 }, 'quorum_out_of_reach'],
    ['the owner', { tier: 'confirm' }, undefined],
  ]
  test.each(confirmations)('as a confirmation: %s', (_, part, code) => {
    const entry = { id: 'c', ...part }
    expect(change({ op: 'put', collection: 'confirmations', entry }).refused?.code).toBe(code)
  })

  test('a member counted twice', () => {
    const groups = [{ id: 'desk', members: ['alice', 'alice'] }]
    expect(refusalOf({ groups })?.code).toBe('quorum_out_of_reach')
  })

  test('a group that shrinks below the quorum of a confirmation', () => {
    const entry = { id: 'desk', members: ['alice'] }
    expect(change({ op: 'put', collection: 'groups', entry }).refused).toMatchObject({
      code: 'quorum_out_of_reach',
      at: 'confirmations/two/quorum',
    })
  })

  test('one key for two principals, who would count as two', () => {
    const entry = { id: 'carol', keys: [key('a')] }
    expect(change({ op: 'put', collection: 'principals', entry }).refused?.code).toBe('key_shared')
    const own = { id: 'alice', keys: [key('a'), key('c')] }
    expect(change({ op: 'put', collection: 'principals', entry: own }).refused).toBeUndefined()
  })

  test('two limits for one thing', () => {
    const limit = { safetyClass: 'READ', uses: 1, windowMs: 1 }
    expect(refusalOf({ limits: [limit, limit] })?.code).toBe('limit_repeated')
  })

  const schemas: [string, Record<string, unknown>][] = [
    ['a misspelt keyword', { type: 'object', propertees: {} }],
    ['an unknown type', { type: 'objekt' }],
    ['an unknown format', { properties: { a: { type: 'string', format: 'nope' } } }],
    ['a pattern that is none', { properties: { a: { type: 'string', pattern: '(' } } }],
    ['a reference outwards', { $ref: 'https://example.org/schema' }],
    ['another draft', { $schema: 'http://json-schema.org/draft-07/schema#' }],
    ['a promise instead of an answer', { $async: true, type: 'object' }],
  ]
  test.each(schemas)('a schema with %s', (_, argsSchema) => {
    const entry = { id: 'x', safetyClass: 'READ', argsSchema }
    expect(change({ op: 'put', collection: 'capabilities', entry }).refused).toMatchObject({
      code: 'args_schema_invalid',
      at: 'capabilities/x/argsSchema',
    })
  })

  test('but not two schemas of one `$id`, of which neither sees the other', () => {
    const ids = ['x', 'y'].map((id, at) => ({
      id,
      safetyClass: 'READ',
      argsSchema: { $id: 'https://example.org/args', type: 'object', minProperties: at },
    }))
    expect(refusalOf({ capabilities: ids, limits: [] })).toBeUndefined()
  })
})

describe('a change set', () => {
  const remove = (collection: string, id: string) => ({ op: 'remove', collection, id })

  test('is applied whole or not at all', () => {
    const before = catalogToFile(catalog)
    const put = { op: 'put', collection: 'groups', entry: { id: 'new', members: ['bob'] } }
    expect(change(put, remove('groups', 'none')).refused).toMatchObject({
      code: 'unknown_entry',
      at: 'groups/none',
    })
    expect(catalogToFile(catalog)).toEqual(before)
    expect(change(put).catalog?.groups.get('new')?.members).toEqual(['bob'])
    expect(catalogToFile(catalog)).toEqual(before)
  })

  test('may name what comes later in it', () => {
    const { operations } = { operations: operationsFromCatalogFile(CatalogFile.parse(file)) }
    expect(applyCatalogChange(emptyCatalog, operations.toReversed()).refused).toBeUndefined()
  })

  test.each([
    ['principals', 'alice', 'principals/agent'],
    ['principals', 'bob', 'groups/desk'],
    ['groups', 'desk', 'confirmations/two'],
    ['capabilities', 'mail.send', 'limits'],
    ['confirmations', 'two', 'capabilities/mail.send'],
  ])('removes nothing that is still named: %s/%s by %s', (collection, id, user) => {
    const { refused } = change(remove(collection, id))
    expect(refused).toMatchObject({ code: 'still_used', at: `${collection}/${id}` })
    expect(refused?.message).toContain(user)
  })

  test('removes what nothing names any more', () => {
    const { catalog: after } = change(
      { op: 'set', key: 'limits', value: [] },
      remove('capabilities', 'mail.send'),
      remove('confirmations', 'two'),
      remove('groups', 'desk'),
    )
    expect(after?.groups.size).toBe(0)
    expect(after?.capabilities.has('mail.send')).toBe(false)
  })

  test('sets each setting, and takes away the present and the callbacks', () => {
    const { catalog: after } = change(
      { op: 'set', key: 'learning', value: false },
      { op: 'set', key: 'knownConstraints', value: [] },
      { op: 'set', key: 'trustedEvidence', value: [] },
      { op: 'set', key: 'now', value: null },
      { op: 'set', key: 'callbacks', value: null },
    )
    expect(after).toMatchObject({
      learning: false,
      knownConstraints: [],
      trustedEvidence: [],
      now: null,
      callbacks: null,
    })
  })
})

describe('the stop button', () => {
  const suspended = (result: ReturnType<typeof change>) =>
    result.catalog?.principals.get('agent')?.suspended
  const stop = { op: 'suspend', id: 'agent' }
  const seeded = { op: 'put', collection: 'principals', entry: { id: 'agent', owner: 'alice' } }

  test('suspends, once or twice', () => {
    expect(suspended(change(stop))).toBe(true)
    expect(suspended(change(stop, stop))).toBe(true)
  })

  test('stays pressed when the agent is seeded again', () => {
    expect(suspended(change(stop, seeded))).toBe(true)
    expect(suspended(change(stop, seeded, { op: 'unsuspend', id: 'agent' }))).toBe(false)
  })

  test('is refused for nobody', () => {
    expect(change({ op: 'suspend', id: 'nobody' }).refused?.code).toBe('unknown_entry')
  })
})

describe('the limit', () => {
  const of = (id: string, safetyClass: 'READ' | 'WRITE' | 'DESTRUCTIVE', ...roles: string[]) =>
    limitOf(catalog, { id, safetyClass }, { roles })

  test('is the kernel’s where the catalog says nothing', () => {
    const limit = (safetyClass: 'READ' | 'WRITE' | 'DESTRUCTIVE') =>
      limitOf(emptyCatalog, { id: 'x', safetyClass }, null)
    expect(limit('READ')).toEqual({ uses: 60, windowMs: 60_000 })
    expect(limit('WRITE')).toEqual({ uses: 10, windowMs: 60_000 })
    expect(limit('DESTRUCTIVE')).toEqual({ uses: 2, windowMs: 60_000 })
  })

  test('is that of the capability, then that of its class', () => {
    expect(of('mail.send', 'WRITE')).toEqual({ uses: 3, windowMs: 1000 })
    expect(of('mail.send', 'DESTRUCTIVE')).toEqual({ uses: 3, windowMs: 1000 })
    expect(of('other', 'DESTRUCTIVE')).toBeNull()
    expect(of('other', 'WRITE')).toEqual({ uses: 10, windowMs: 60_000 })
  })

  test('is ten times as much for a service, wherever it comes from', () => {
    expect(of('other', 'READ', 'service')).toEqual({ uses: 600, windowMs: 60_000 })
    expect(of('mail.send', 'WRITE', 'service')).toEqual({ uses: 30, windowMs: 1000 })
    expect(of('other', 'DESTRUCTIVE', 'service')).toBeNull()
  })

  test('of a capability named as a class is its own', () => {
    const odd = catalogOf({
      capabilities: [{ id: 'READ', safetyClass: 'WRITE' }],
      limits: [{ capability: 'READ', uses: 1, windowMs: 1 }],
    })
    expect(limitOf(odd, { id: 'other', safetyClass: 'READ' }, null)?.uses).toBe(60)
    expect(limitOf(odd, { id: 'READ', safetyClass: 'WRITE' }, null)?.uses).toBe(1)
  })
})

test('a confirmation that is not there is none, and without a name it is the owner', () => {
  expect(confirmationOf(catalog, 'nowhere')).toBeNull()
  expect(confirmationOf(catalog, 'two')).toMatchObject({ tier: 'four_eyes', quorum: 2 })
  expect(confirmationOf(catalog, undefined)).toEqual({
    id: null,
    tier: 'confirm',
    quorum: 1,
    decideWithinMs: 900_000,
    useWithinMs: 300_000,
  })
})

test('the operations of a change set can be said in JSON Schema', () => {
  expect(() => z.toJSONSchema(CatalogOperation)).not.toThrow()
  expect(() => z.toJSONSchema(CatalogFile, { io: 'input' })).not.toThrow()
})
