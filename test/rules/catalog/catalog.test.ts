// The seed file of a catalog: what it may never say, and where the refusal says to look.
import { describe, expect, test } from 'vitest'
import { CatalogFile } from '#schemas/catalog'
import { catalogFromFile, catalogToFile, newCatalog } from '#rules/catalog/catalog-file'
import { newestRules } from '#rules/catalog/rules-version'
import { catalog, catalogOf, change, file, key, refusalOf } from './catalog-sample.ts'

describe('a seed file', () => {
  test('becomes a catalog, and the catalog the same file with its defaults', () => {
    const written = catalogToFile(catalog)
    expect(written).toEqual({ ...CatalogFile.parse(file), rules: newestRules })
    expect(catalogToFile(catalogOf(written))).toEqual(written)
    expect(catalog.principals.get('agent')?.suspended).toBe(false)
    expect(catalogOf({})).toEqual(newCatalog)
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
    ['an invalid id', { groups: [{ id: 'a\nb' }] }, 'catalog_invalid', 'groups/0/id', /match/],
    ['half a pair', { groups: [{ id: '\ud800' }] }, 'catalog_invalid', '', /surrogate/],
  ]
  test.each(problems)('is refused for %s, with its place', (_, part, code, at, message) => {
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
    ['an invalid pattern', { properties: { a: { type: 'string', pattern: '(' } } }],
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
