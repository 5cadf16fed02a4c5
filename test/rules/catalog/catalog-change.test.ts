// What a change set makes of a catalog, the stop button, and what the limits are.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CatalogFile, CatalogOperation } from '#schemas/catalog'
import { confirmationOf, emptyCatalog, limitOf } from '#rules/catalog/catalog'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { catalogToFile, operationsFromCatalogFile } from '#rules/catalog/catalog-file'
import { catalog, catalogOf, change, file } from './catalog-sample.ts'

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

  test('is refused for no one', () => {
    expect(change({ op: 'suspend', id: 'unknown' }).refused?.code).toBe('unknown_entry')
  })
})

describe('the limit', () => {
  const of = (id: string, safetyClass: 'READ' | 'WRITE' | 'DESTRUCTIVE', ...roles: string[]) =>
    limitOf(catalog, { id, safetyClass }, { roles })

  test('is the kernel’s where the catalog is silent', () => {
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

test('the operations of a change set can be written as JSON Schema', () => {
  expect(() => z.toJSONSchema(CatalogOperation)).not.toThrow()
  expect(() => z.toJSONSchema(CatalogFile, { io: 'input' })).not.toThrow()
})
