// What it takes to move an agent to another fleet or owner, or to spread all over another number of
// cells: whom it moves, from which cell to which, and the two change sets. It binds nothing.
import type { Arrival, CatalogOperation, Principal } from '#schemas/catalog'
import { principalIn, type Catalog } from '#rules/catalog/catalog'
import { movesBetween, type Move } from '#rules/catalog/cells'
import { ownersOf } from '#rules/catalog/confirmers'
import { checkedCatalog } from '../change-check.ts'

/** Where an agent is to be; `fleet: null` places it by its owners again. */
export type Placing = { readonly fleet: string | null } | { readonly owner: string }

export interface MovePlan {
  /** All whom it moves, each from one cell to another. */
  readonly moves: readonly Move[]
  /** Those who do not leave their cell yet, in the first change set. */
  readonly leave: readonly CatalogOperation[]
  /** The second one, with what each brings along; of a plain change the only one. */
  arrive(catalog: Catalog, arrivals: readonly Arrival[]): readonly CatalogOperation[]
}

/** Throws a Fault where the catalog would refuse it: nothing is to be signed that cannot end. */
export function movePlan(catalog: Catalog, id: string, placing: Placing): MovePlan {
  const entry = placedSo(principalIn(catalog, id), placing)
  const after = { ...catalog, principals: new Map(catalog.principals).set(id, entry) }
  const moves = movesBetween(catalog, after)
  return planOf(catalog, moves, (now, arrivals) => {
    const before = principalIn(now, id)
    const then = placedSo(before, placing)
    const put = { op: 'put' as const, collection: 'principals' as const, entry: then }
    const ending = moves.length > 0 ? arrivals : staying(now, id)
    return [...(isSame(before, then) ? [] : [put]), ...ending]
  })
}

/** The same of all whom another number of cells moves. */
export function spreadPlan(catalog: Catalog, cells: number): MovePlan {
  const moves = movesBetween(catalog, { ...catalog, cells })
  const set = { op: 'set' as const, key: 'cells' as const, value: cells }
  return planOf(catalog, moves, (now, arrivals) => {
    if (now.cells !== cells) return [set, ...arrivals]
    // Nothing is to be moved: whom an interrupted spreading let leave stays.
    return [...now.principals.values()].flatMap(({ id, moving }) =>
      moving === true ? [{ op: 'stay' as const, id }] : [],
    )
  })
}

function planOf(catalog: Catalog, moves: readonly Move[], arrive: MovePlan['arrive']): MovePlan {
  const leave = moves.flatMap((move): readonly CatalogOperation[] => {
    const isLeaving = catalog.principals.get(move.id)?.moving === true
    return isLeaving ? [] : [{ op: 'leave', id: move.id }]
  })
  const at = new Date(0).toISOString()
  const bare = moves.map(({ id: moved, from }): Arrival => {
    return { op: 'arrive', id: moved, from, at, uses: [], asks: [], block: null }
  })
  const left = leave.length === 0 ? catalog : checkedCatalog(catalog, leave)
  const operations = arrive(left, bare)
  if (operations.length > 0) checkedCatalog(left, operations)
  return { moves, leave, arrive }
}

/** What ends the move of the agent, and of those who are placed with it, where they are. */
export function staying(catalog: Catalog, id: string): readonly CatalogOperation[] {
  const all = [...catalog.principals.values()].filter(({ id: other, attributes, moving }) => {
    if (moving !== true) return false
    const isPlacedWith = attributes['fleet'] === undefined && ownersOf(catalog, other).includes(id)
    return other === id || isPlacedWith
  })
  return all.map((one) => ({ op: 'stay', id: one.id }))
}

// A put does not end a move, whatever it says of it.
function placedSo(principal: Principal, placing: Placing): Principal {
  const { moving: _, ...entry } = principal
  if ('owner' in placing) return { ...entry, owner: placing.owner }
  const { fleet } = placing
  const { fleet: _before, ...attributes } = entry.attributes
  return { ...entry, attributes: fleet === null ? attributes : { ...attributes, fleet } }
}

function isSame(one: Principal, other: Principal): boolean {
  return one.owner === other.owner && one.attributes['fleet'] === other.attributes['fleet']
}
