// Which change sets move an agent from cell to cell: those of an agent that left its cell before,
// and that say what it brings along. All others are refused.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { emptyCatalog, type Catalog } from '#rules/catalog/catalog'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { catalogOperationsBetween } from '#rules/catalog/catalog-difference'
import { catalogToFile } from '#rules/catalog/catalog-file'
import { catalogDifference } from '#rules/catalog/catalog-operations'
import { cellOf, isMoving, movesBetween } from '#rules/catalog/cells'
import { CatalogFile, CatalogOperation } from '#schemas/catalog'

function changed(catalog: Catalog, ...operations: unknown[]) {
  return applyCatalogChange(catalog, z.array(CatalogOperation).parse(operations))
}

function after(catalog: Catalog, ...operations: unknown[]): Catalog {
  const { catalog: made, refused } = changed(catalog, ...operations)
  return made ?? expect.fail(refused.message)
}

const put = (id: string, entry: object = {}) => ({
  op: 'put',
  collection: 'principals',
  entry: { id, ...entry },
})
const leave = (id: string) => ({ op: 'leave', id })
const stay = (id: string) => ({ op: 'stay', id })
const arrive = (id: string, from: number) => {
  const at = '2026-01-01T00:00:00Z'
  return { op: 'arrive', id, from, at, uses: [], asks: [], block: null }
}

const people = ['olga', 'ann', 'bea', 'cas', 'dan'].map((id) => put(id))
const plain = after(
  emptyCatalog,
  ...people,
  put('bot', { owner: 'olga' }),
  put('child', { owner: 'bot' }),
  put('settled', { owner: 'olga', attributes: { fleet: 'red' } }),
)
const realm = after(plain, { op: 'set', key: 'cells', value: 2 })
const from = cellOf(realm, 'bot') ?? -1
const to = 1 - from

/** Owners of agents in the cell that the bot is in, and in the other. */
const others = ['ann', 'bea', 'cas', 'dan']
const near = others.find((id) => cellOf(realm, id) === from) ?? ''
const far = others.find((id) => cellOf(realm, id) === to) ?? ''
const given = (owner: string) => put('bot', { owner })
const left = after(realm, leave('bot'), leave('child'))
const arrivals = [arrive('bot', from), arrive('child', from)]

describe('an owner of another cell', () => {
  test('moves the agent and all that have no fleet of their own', () => {
    const moved = after(left, given(far), ...arrivals)
    expect(['bot', 'child'].map((id) => cellOf(moved, id))).toEqual([to, to])
    expect(movesBetween(realm, moved)).toEqual([
      { id: 'bot', from, to },
      { id: 'child', from, to },
    ])
    expect([...moved.principals.values()].filter((one) => 'moving' in one)).toEqual([])
  })

  test.each<readonly [string, string, Catalog, readonly unknown[]]>([
    ['one that has not left its cell', 'cells_fixed', realm, [given(far), ...arrivals]],
    ['one that leaves in the same change', 'cells_fixed', realm, [leave('bot'), given(far)]],
    ['one without its arrival', 'cells_fixed', left, [given(far), arrive('bot', from)]],
    ['an arrival from another cell', 'move_refused', left, [given(far), arrive('bot', to)]],
    ['two arrivals of one', 'move_refused', left, [given(far), ...arrivals, arrive('bot', from)]],
    ['an arrival without a move', 'move_refused', left, [arrive('bot', from)]],
    ['an arrival in the same cell', 'move_refused', left, [given(near), arrive('bot', from)]],
    ['an arrival of no one', 'unknown_entry', left, [arrive('ghost', from)]],
    ['leaving by no one', 'unknown_entry', realm, [leave('ghost')]],
    ['leaving where there are no cells', 'move_refused', plain, [leave('bot')]],
    ['moving where there are no cells', 'move_refused', plain, [put('x', { moving: true })]],
    ['arriving where there are no cells', 'move_refused', plain, [arrive('bot', 0)]],
  ])('is refused with %s', (_what, code, catalog, operations) => {
    expect(changed(catalog, ...operations).refused?.code).toBe(code)
  })

  test('of the same cell moves no one', () => {
    expect(cellOf(after(realm, given(near)), 'child')).toBe(from)
  })
})

describe('an agent that leaves', () => {
  test('is on its way until it stays or arrives, and in no other way', () => {
    expect([isMoving(left, 'bot'), isMoving(left, 'settled'), isMoving(realm, 'bot')]).toEqual([
      true,
      false,
      false,
    ])
    expect(isMoving(after(left, given('olga')), 'bot')).toBe(true)
    expect(isMoving(after(left, stay('bot')), 'bot')).toBe(false)
    expect(isMoving(after(left, stay('bot')), 'child')).toBe(true)
  })

  test('is as it was once it stays', () => {
    const back = after(left, stay('bot'), stay('child'))
    expect(JSON.stringify(catalogToFile(back))).toBe(JSON.stringify(catalogToFile(realm)))
  })

  test('goes on leaving when its file is seeded again, which changes nothing', () => {
    const file = CatalogFile.parse(catalogToFile(realm))
    expect(catalogDifference(left, file, new Set())).toEqual([])
  })

  test('is part of what differs between two catalogs', () => {
    expect(catalogOperationsBetween(left, realm).slice(0, 2)).toEqual([stay('bot'), stay('child')])
    const made = after(realm, ...catalogOperationsBetween(realm, left))
    expect(isMoving(made, 'bot')).toBe(true)
    expect(catalogOperationsBetween(made, left)).toEqual([])
  })
})

describe('another number of cells', () => {
  const three = { op: 'set', key: 'cells', value: 3 }
  const moves = movesBetween(realm, { ...realm, cells: 3 })
  const ids = moves.map(({ id }) => id)

  test('moves only into the new one, and is refused where those have not left', () => {
    expect(ids.length).toBeGreaterThan(0)
    expect(new Set(moves.map((move) => move.to))).toEqual(new Set([2]))
    const { refused } = changed(realm, three)
    expect(refused).toMatchObject({ code: 'cells_fixed', at: `principals/${ids[0]}` })
    expect(refused?.message).toContain('warrant catalog spread')
  })

  test('is taken with the arrivals of all, and undone the same way', () => {
    const gone = after(realm, ...ids.map(leave))
    const all = moves.map((move) => arrive(move.id, move.from))
    expect(changed(gone, three, ...all.slice(1)).refused?.code).toBe('cells_fixed')
    const spread = after(gone, three, ...all)
    expect(ids.map((id) => cellOf(spread, id))).toEqual(ids.map(() => 2))
    const back = after(spread, ...ids.map(leave))
    const arrivals = moves.map((move) => arrive(move.id, 2))
    const two = after(back, { op: 'set', key: 'cells', value: 2 }, ...arrivals)
    expect(moves.map((move) => cellOf(two, move.id))).toEqual(moves.map((move) => move.from))
  })

  test('moves no one who is added in the same change set', () => {
    const gone = after(realm, ...ids.map(leave))
    const all = moves.map((move) => arrive(move.id, move.from))
    expect(after(gone, three, ...all, put('new')).principals.has('new')).toBe(true)
  })
})
