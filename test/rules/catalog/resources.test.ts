// The resources that a catalog lists: what one may be called, and how they are written, changed and
// found.
import { describe, expect, test } from 'vitest'
import { emptyCatalog } from '#rules/catalog/catalog'
import { catalogFromFile, catalogToFile, parseCatalogFile } from '#rules/catalog/catalog-file'
import { catalogChanges, catalogOperationsBetween } from '#rules/catalog/catalog-difference'
import { candidatesOf } from '#rules/catalog/doors/searching'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { catalogText } from '#state/eras/genesis'

const catalogWith = (...resources: readonly object[]) => {
  const { catalog, refused } = catalogFromFile({ resources })
  return catalog ?? expect.fail(refused.message)
}

test.each(['record', 'record:', ':1', '', 'a\u0000:b'])('`%s` is no id of one', (id) => {
  const { refused } = catalogFromFile({ resources: [{ id }] })
  expect(refused).toMatchObject({ code: 'catalog_invalid', at: 'resources/0/id' })
})

test('it has properties of any kind, and none that are too long, nor anything else', () => {
  const properties = { owner: 'ann', size: [1, { kB: true }], none: null }
  const one = catalogWith({ id: 'doc:urn:x:1', properties }).resources.get('doc:urn:x:1')
  expect(one).toEqual({ id: 'doc:urn:x:1', properties })
  expect(catalogWith({ id: 'doc:1' }).resources.get('doc:1')?.properties).toEqual({})
  for (const more of [{ properties: { text: 'x'.repeat(8_000) } }, { owner: 'ann' }]) {
    const { refused } = parseCatalogFile({ resources: [{ id: 'doc:1', ...more }] })
    expect(refused?.code).toBe('catalog_invalid')
  }
})

test('one id stands once in a file', () => {
  const { refused } = parseCatalogFile({ resources: [{ id: 'doc:1' }, { id: 'doc:1' }] })
  expect(refused).toMatchObject({ code: 'id_repeated', at: 'resources/1/id' })
})

test('a change puts and removes them, and a catalog without any does not mention them', () => {
  const before = catalogWith({ id: 'doc:1' }, { id: 'doc:2', properties: { owner: 'ann' } })
  const after = catalogWith({ id: 'doc:2', properties: { owner: 'ben' } }, { id: 'doc:3' })
  expect(catalogChanges(before, after).map(({ collection, id }) => [collection, id])).toEqual([
    ['resources', 'doc:1'],
    ['resources', 'doc:2'],
    ['resources', 'doc:3'],
  ])
  const { catalog } = applyCatalogChange(before, catalogOperationsBetween(before, after))
  expect(catalog?.resources).toEqual(after.resources)
  expect(catalogToFile(emptyCatalog)).not.toHaveProperty('resources')
  expect(catalogText(emptyCatalog)).not.toContain('resource')
  expect(catalogToFile(after).resources).toEqual([...after.resources.values()])
  const missing = applyCatalogChange(after, [{ op: 'remove', collection: 'resources', id: 'x:1' }])
  expect(missing.refused).toMatchObject({ code: 'unknown_entry', at: 'resources/x:1' })
})

describe('what a search ranges over', () => {
  const who = { role: 'staff' }
  const { catalog = emptyCatalog } = catalogFromFile({
    principals: [
      { id: 'app', evaluates: { subjects: [{ type: 'user', who }] } },
      { id: 'other' },
      ...['b', 'a', 'B'].map((id) => ({ id, roles: ['staff'] })),
    ],
    capabilities: ['doc.read', 'doc.a.b', 'doc', 'docs.read', 'doc.'].map((id) => {
      return { id, safetyClass: 'READ' }
    }),
    resources: ['doc:b', 'doc:a:c', 'docs:x', 'doc:a'].map((id) => ({ id })),
  })

  test.each([
    ['subjects', 'user', 'app', ['B', 'a', 'b']],
    ['subjects', 'user', 'other', []],
    ['subjects', 'robot', 'app', []],
    ['resources', 'doc', 'other', ['a', 'a:c', 'b']],
    ['resources', 'doc:a', 'app', []],
    ['resources', 'do', 'app', []],
    ['actions', 'doc', 'app', ['read']],
    ['actions', 'doc.a', 'app', ['b']],
    ['actions', '__proto__', 'app', []],
  ] as const)('%s of the type %s, for %s', (of, type, caller, ids) => {
    for (const _ of [1, 2]) {
      expect(candidatesOf(catalog, caller, { for: of, type })).toEqual(ids)
    }
  })

  test('is that of its own catalog', () => {
    const { catalog: after = emptyCatalog } = applyCatalogChange(catalog, [
      { op: 'remove', collection: 'principals', id: 'a' },
      { op: 'remove', collection: 'resources', id: 'doc:a' },
    ])
    expect(candidatesOf(after, 'app', { for: 'subjects', type: 'user' })).toEqual(['B', 'b'])
    expect(candidatesOf(after, 'app', { for: 'resources', type: 'doc' })).toEqual(['a:c', 'b'])
    expect(candidatesOf(catalog, 'app', { for: 'resources', type: 'doc' })).toHaveLength(3)
  })
})
