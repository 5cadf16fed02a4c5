// Budgets are checked when they are written: what they read, what they allow, and that no key is of
// several cells.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { emptyCatalog, type Catalog } from '#rules/catalog/catalog'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { catalogOperationsBetween } from '#rules/catalog/catalog-difference'
import { catalogFromFile, catalogToFile } from '#rules/catalog/catalog-file'
import { catalogDifference } from '#rules/catalog/catalog-operations'
import { cellOf } from '#rules/catalog/cells'
import { CatalogFile, CatalogOperation } from '#schemas/catalog'

const changed = (catalog: Catalog, ...operations: unknown[]) => {
  return applyCatalogChange(catalog, z.array(CatalogOperation).parse(operations))
}

const after = (catalog: Catalog, ...operations: unknown[]): Catalog => {
  const { catalog: made, refused } = changed(catalog, ...operations)
  return made ?? expect.fail(refused.message)
}

const set = (...value: object[]) => ({ op: 'set', key: 'budgets', value })
const put = (collection: string, entry: object) => ({ op: 'put', collection, entry })
const schema = { type: 'object', properties: { amount: { type: 'number' } } }
const pay = put('capabilities', { id: 'pay', safetyClass: 'READ', argsSchema: schema })
const base = after(emptyCatalog, pay)
const payments = {
  name: 'payments',
  of: 'args.amount',
  max: 10,
  windowMs: 1,
  capabilities: ['pay'],
}

describe('a budget', () => {
  test.each([
    [
      { ...payments, of: 'args.amonut' },
      'budget_unusable',
      'budgets/0/of',
      'did you mean `amount`',
    ],
    [{ ...payments, per: 'args' }, 'budget_unusable', 'budgets/0/per', 'must to string'],
    [{ ...payments, when: '1' }, 'budget_unusable', 'budgets/0/when', 'must to bool'],
    [{ ...payments, max: 1e-19 }, 'budget_unusable', 'budgets/0/max', 'a decimal above 0'],
    [{ ...payments, max: 1e30 }, 'budget_unusable', 'budgets/0/max', 'a decimal above 0'],
    [{ ...payments, max: '0.00' }, 'budget_unusable', 'budgets/0/max', 'a decimal above 0'],
    [{ ...payments, capabilities: ['apy'] }, 'unknown_capability', 'budgets/0/capabilities', 'apy'],
  ])('is refused with its place and what to do: %j', (one, code, at, text) => {
    const { refused } = changed(base, set(one))
    expect(refused).toMatchObject({ code, at })
    expect(refused?.message).toContain(text)
  })

  test('of a name that another has is refused', () => {
    expect(changed(base, set(payments, payments)).refused).toMatchObject({
      code: 'budget_repeated',
      at: 'budgets/1/name',
    })
  })

  test.each([{ max: 0 }, { max: -1 }, { max: '1e3' }, { max: '-1' }, { windowMs: 0 }, { per: '' }])(
    'that makes no sense is not even read: %j',
    (part) => {
      expect(() => changed(base, set({ ...payments, ...part }))).toThrow()
    },
  )

  test('keeps the capability that it names, and its arguments', () => {
    const held = after(base, set(payments))
    const gone = changed(held, { op: 'remove', collection: 'capabilities', id: 'pay' })
    expect(gone.refused).toMatchObject({ code: 'still_used' })
    const other = { type: 'object', properties: { sum: { type: 'number' } } }
    const without = put('capabilities', { id: 'pay', safetyClass: 'READ', argsSchema: other })
    expect(changed(held, without).refused).toMatchObject({ code: 'budget_unusable' })
  })

  test('is in the file, in a difference, and goes where a file is to be all there is', () => {
    const held = after(base, set(payments))
    const file = CatalogFile.parse(catalogToFile(held))
    expect(catalogFromFile(file).catalog?.budgets).toEqual([payments])
    expect(catalogOperationsBetween(base, held)).toEqual([set(payments)])
    expect(catalogOperationsBetween(held, base)).toEqual([set()])
    const bare = CatalogFile.parse(catalogToFile(base))
    expect(catalogDifference(held, bare, new Set())).toEqual([])
    expect(catalogDifference(held, bare, new Set(['budgets']))).toEqual([set()])
  })
})

describe('in a realm of several cells', () => {
  const people = ['ann', 'bea', 'cas', 'dan'].map((id) => put('principals', { id }))
  const realm = after(base, ...people, { op: 'set', key: 'cells', value: 2 })
  const agent = (id: string, owner: string, fleet?: string) => {
    return put('principals', { id, owner, ...(fleet !== undefined && { attributes: { fleet } }) })
  }

  test.each([
    ['for all together', {}],
    ['per tenant', { per: 'tenant' }],
    ['per attribute', { per: 'principal.attributes.team' }],
    ['per argument', { per: 'string(args.amount)' }],
  ])('a budget %s is refused, unless each cell has the whole of it', (_what, part) => {
    const one = { ...payments, ...part }
    expect(changed(realm, set(one)).refused).toMatchObject({ code: 'budget_spans_cells' })
    expect(after(realm, set({ ...one, perCell: true })).budgets).toHaveLength(1)
  })

  test.each(['agent', 'session', 'owner'])('a budget per %s is in one cell', (per) => {
    const held = after(realm, agent('a1', 'ann'), agent('a2', 'ann'), set({ ...payments, per }))
    expect(held.budgets).toHaveLength(1)
  })

  test('one that spans cells keeps a realm of one log from becoming one of cells', () => {
    const held = after(base, set({ ...payments, per: 'tenant' }))
    const spread = { op: 'set', key: 'cells', value: 2 }
    expect(changed(held, spread).refused).toMatchObject({ code: 'budget_spans_cells' })
    expect(changed(held, spread, set({ ...payments, per: 'agent' })).refused).toBeUndefined()
  })

  test('an owner whose agents fleets would part is refused, and so is such a fleet', () => {
    const cell = cellOf(after(realm, agent('a1', 'ann')), 'a1')
    const fleets = ['red', 'blue', 'green', 'grey']
    const far = fleets.find((fleet) => cellOf(after(realm, agent('x', 'ann', fleet)), 'x') !== cell)
    const near = fleets.find(
      (fleet) => cellOf(after(realm, agent('x', 'ann', fleet)), 'x') === cell,
    )
    const owned = set({ ...payments, per: 'owner' })
    const held = after(realm, agent('a1', 'ann'), owned)
    expect(changed(held, agent('a2', 'ann', far)).refused).toMatchObject({
      code: 'budget_spans_cells',
      at: 'budgets/0',
    })
    expect(changed(held, agent('a2', 'ann', near)).refused).toBeUndefined()
    expect(changed(held, agent('a2', 'bea', far)).refused).toBeUndefined()
    const parted = after(realm, agent('a1', 'ann'), agent('a2', 'ann', far))
    expect(changed(parted, owned).refused?.message).toContain(
      '`ann` and what it owns are in several cells',
    )
  })
})
