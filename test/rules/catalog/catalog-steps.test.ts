// What a change set costs in a catalog of many agents, counted in entries that are gone through: it
// must not grow with the catalog.
import { describe, expect, test } from 'vitest'
import { emptyCatalog, principalNamed, type Catalog } from '#rules/catalog/catalog'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { cellOf, movesBetween } from '#rules/catalog/cells'
import { identified } from '#rules/catalog/doors/identities'
import { mayBeAsked } from '#rules/catalog/duties'
import { draftMapOf } from '#rules/catalog/layered-map'
import { PackedMap } from '#rules/catalog/packed-map'
import { CatalogOperation } from '#schemas/catalog'

type Entries = Pick<Map<string, unknown>, 'entries' | 'keys' | 'values' | typeof Symbol.iterator>

const ways = ['entries', 'keys', 'values', Symbol.iterator] as const
const many: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 2_000 }, (_, at) => [String(at), at]),
)
const kinds: readonly Entries[] = [
  Map.prototype,
  PackedMap.prototype,
  Object.getPrototypeOf(draftMapOf(many)),
]

/** How many entries of maps are gone through meanwhile. */
function goneThrough(run: () => void): number {
  let count = 0
  const kept = kinds.flatMap((kind) =>
    ways.map((way) => [kind, way, Object.getOwnPropertyDescriptor(kind, way)] as const),
  )
  for (const [kind, way, own] of kept) {
    const made: unknown = own?.value
    if (typeof made !== 'function') continue
    const counting = function* (this: Entries): Generator {
      const each: Iterator<unknown> = Reflect.apply(made, this, [])
      for (let next = each.next(); next.done !== true; next = each.next()) {
        count += 1
        yield next.value
      }
    }
    Object.defineProperty(kind, way, { value: counting, configurable: true, writable: true })
  }
  try {
    run()
  } finally {
    for (const [kind, way, own] of kept) if (own) Object.defineProperty(kind, way, own)
  }
  return count
}

function after(catalog: Catalog, operations: readonly unknown[]): Catalog {
  const parsed = operations.map((one) => CatalogOperation.parse(one))
  const { catalog: made, refused } = applyCatalogChange(catalog, parsed)
  return made ?? expect.fail(refused.message)
}

const put = (entry: object) => ({ op: 'put', collection: 'principals', entry })
const owners = ['ann', 'bea', 'cas'].map((id) => put({ id }))
const cells = { op: 'set', key: 'cells', value: 2 }
const key = (at: number): string => `ed25519:${String(at).padStart(42, 'A')}A`

function agent(at: number): object {
  return put({
    id: at % 7 === 0 ? `agent no. ${at}` : `agent-${at}`,
    owner: 'ann',
    attributes: at % 2 === 0 ? { fleet: `fleet-${at % 9}` } : {},
    keys: [key(at)],
    identities: [{ issuer: 'https://issuer.example', subject: String(at) }],
  })
}

const setSize = 500

function grown(catalog: Catalog, from: number, to: number, as = agent): Catalog {
  let made = catalog
  for (let at = from; at < to; at += setSize) {
    made = after(
      made,
      Array.from({ length: setSize }, (_, one) => as(at + one)),
    )
  }
  return made
}

const few = grown(after(emptyCatalog, [...owners, cells]), 0, 4_000)
const lots = grown(few, 4_000, 32_000)

/** No more for the larger than for the other, apart from how full a layer happens to be. */
function expectSame(run: (catalog: Catalog) => void): void {
  const [small, large] = [few, lots].map((catalog) => goneThrough(() => run(catalog)))
  expect(large).toBeLessThan(4_000 + (small ?? 0))
}

describe('in a catalog eight times as large, it goes through no more', () => {
  test('to add an agent with a key and an identity', () => {
    expectSame((catalog) => after(catalog, [agent(40_000)]))
  })

  test('to refuse nothing where a key is given to another', () => {
    expectSame((catalog) => {
      const freed = after(catalog, [put({ id: 'agent-1', owner: 'ann' })])
      after(freed, [put({ id: 'other', owner: 'ann', keys: [key(1)] })])
    })
  })

  test('to move an agent to another cell', () => {
    const id = 'agent-2'
    const elsewhere = [1, 3, 4, 5, 6, 7, 8, 9].map((number) => `fleet-${number}0`)
    expectSame((catalog) => {
      const from = cellOf(catalog, id)
      const arrive = { op: 'arrive', id, from, at: '2026-01-01T00:00:00Z', uses: [], asks: [] }
      const left = after(catalog, [{ op: 'leave', id }])
      const places = elsewhere.map((fleet) => put({ id, owner: 'ann', attributes: { fleet } }))
      const moves = places.map((place) => {
        const given = CatalogOperation.parse(place)
        return applyCatalogChange(left, [given, CatalogOperation.parse({ ...arrive, block: null })])
      })
      const moved = moves.flatMap(({ catalog: made }) => made ?? [])
      expect(moved.length).toBeGreaterThan(0)
      expect(movesBetween(left, moved[0] ?? left)).toMatchObject([{ id, from }])
    })
  })

  test('to know after a change who is meant, asked and identified', () => {
    expectSame((catalog) => {
      const made = after(catalog, [agent(40_000)])
      expect(mayBeAsked(made, 'ann')).toBe(true)
      expect(mayBeAsked(made, 'agent-1')).toBe(false)
      expect(principalNamed(made, 'agent-1')?.id).toBe('agent-1')
      const identity = { issuer: 'https://issuer.example', subject: '8' }
      expect(identified(made, identity)).toEqual({ principal: 'agent-8' })
    })
  })

  test('to hold the budget of each owner to one cell', () => {
    const value = [{ name: 'calls', per: 'owner', max: 9, windowMs: 60_000 }]
    const [small, large] = [4_000, 32_000].map((size) => {
      const begun = after(emptyCatalog, [...owners, cells, { op: 'set', key: 'budgets', value }])
      const made = grown(begun, 0, size, (at) => put({ id: `agent-${at}`, owner: 'ann' }))
      const elsewhere = Array.from({ length: 9 }, (_, at) =>
        put({ id: 'new', owner: 'ann', attributes: { fleet: `f${at}` } }),
      )
      const codes = elsewhere.map(
        (one) => applyCatalogChange(made, [CatalogOperation.parse(one)]).refused?.code,
      )
      expect(new Set(codes)).toEqual(new Set([undefined, 'budget_spans_cells']))
      return goneThrough(() => after(made, [put({ id: 'new', owner: 'ann' })]))
    })
    expect(large).toBeLessThan(4_000 + (small ?? 0))
  })
})

test('what is shared is found, and named as in the order of the catalog', () => {
  for (const { put: entry, code } of [
    { put: { id: 'zoe', keys: [key(3)] }, code: 'key_shared' },
    {
      put: { id: 'zoe', identities: [{ issuer: 'https://issuer.example', subject: '3' }] },
      code: 'identity_shared',
    },
  ]) {
    const { refused } = applyCatalogChange(lots, [CatalogOperation.parse(put(entry))])
    expect(refused).toMatchObject({ code })
    expect(refused?.message).toContain('`agent-3` and `zoe`')
  }
})
