// What changed in a catalog: reported by entry and setting, and as the operations that
// turn the one into the other.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Principal, type CatalogOperation } from '#schemas/catalog'
import { emptyCatalog, type Catalog } from '#rules/catalog/catalog'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { catalogChanges, catalogOperationsBetween } from '#rules/catalog/catalog-difference'
import { catalog, change } from './catalog-sample.ts'

function changed(...operations: unknown[]): Catalog {
  const { catalog: after, refused } = change(...operations)
  return after ?? expect.fail(refused?.message)
}

/** All that it says, in the order of ids; who ever had a key is what came before. */
function contentOf(catalog: Catalog) {
  const { principals, groups, confirmations, capabilities, keyed: _, ...settings } = catalog
  const entries = [principals, groups, confirmations, capabilities].map((each) =>
    [...each.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  )
  return { entries, ...settings, limits: [...settings.limits.values()] }
}

function expectTurned(before: Catalog, after: Catalog): void {
  const operations = catalogOperationsBetween(before, after)
  const { catalog: turned, refused } = applyCatalogChange(before, operations)
  if (turned === undefined) expect.fail(refused.message)
  expect(contentOf(turned)).toEqual(contentOf(after))
  expect(catalogChanges(turned, after)).toEqual([])
  expect(operations.length === 0).toBe(catalogChanges(before, after).length === 0)
}

test('no changes of one that is the same, and all of one that was empty', () => {
  expect(catalogChanges(catalog, catalog)).toEqual([])
  expectTurned(emptyCatalog, catalog)
  expectTurned(catalog, emptyCatalog)
})

test('an entry that was added, removed or changed is reported with what it was and is', () => {
  const carol = Principal.parse({ id: 'carol' })
  const after = changed(
    { op: 'put', collection: 'principals', entry: carol },
    { op: 'remove', collection: 'capabilities', id: 'mail.read' },
    { op: 'set', key: 'learning', value: false },
  )
  expect(catalogChanges(catalog, after)).toMatchObject([
    { collection: 'principals', id: 'carol', before: null, after: { id: 'carol' } },
    { collection: 'capabilities', id: 'mail.read', before: { id: 'mail.read' }, after: null },
    { collection: null, id: 'learning', before: true, after: false },
  ])
  expectTurned(catalog, after)
  expectTurned(after, catalog)
})

test('where people sign is reported as other settings are', () => {
  const here = { id: 'here', rpId: 'localhost', origins: ['http://localhost:7719'] }
  const after = changed({ op: 'set', key: 'consoles', value: [here] })
  expect(catalogChanges(catalog, after)).toMatchObject([
    { collection: null, id: 'consoles', before: [], after: [here] },
  ])
  expectTurned(catalog, after)
  expectTurned(after, catalog)
})

test('who was suspended is released again, which no put would do', () => {
  const stopped = changed({ op: 'suspend', id: 'agent' })
  expect(catalogOperationsBetween(stopped, catalog)[0]).toEqual({ op: 'unsuspend', id: 'agent' })
  expectTurned(stopped, catalog)
  expectTurned(catalog, stopped)
})

const id = fc.constantFrom('alice', 'bob', 'agent', 'desk', 'two', 'carol', 'mail.read')
const operation: fc.Arbitrary<CatalogOperation> = fc.oneof(
  fc.record({
    op: fc.constant('put' as const),
    collection: fc.constant('principals' as const),
    entry: fc
      .record({ id, roles: fc.subarray(['writer', 'reader']), owner: id }, { requiredKeys: ['id'] })
      .map((entry) => Principal.parse(entry)),
  }),
  fc.record({
    op: fc.constant('put' as const),
    collection: fc.constant('groups' as const),
    entry: fc.record({ id, members: fc.array(id, { maxLength: 2 }) }),
  }),
  fc.record({
    op: fc.constant('remove' as const),
    collection: fc.constantFrom('principals', 'groups', 'confirmations', 'capabilities'),
    id,
  }),
  fc.record({ op: fc.constantFrom('suspend' as const, 'unsuspend' as const), id }),
  fc.record({
    op: fc.constant('set' as const),
    key: fc.constant('knownConstraints' as const),
    value: fc.subarray(['max_rows', 'region']),
  }),
)
const edits = fc.array(operation, { maxLength: 8 })

test('applied to the one catalog, the operations make the other', () => {
  fc.assert(
    fc.property(edits, edits, (one, other) => expectTurned(edited(one), edited(other))),
    { numRuns: 500 },
  )
})

/** As many of the edits as can be made. */
function edited(operations: readonly CatalogOperation[]): Catalog {
  return operations.reduce((now, each) => applyCatalogChange(now, [each]).catalog ?? now, catalog)
}
