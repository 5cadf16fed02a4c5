// Which cell of a realm an agent is in: the catalog says it, and anyone works out the same from it.
// An agent moves by two change sets: it leaves, and when nothing of it is open there, it arrives.
import { LRUCache } from 'lru-cache'
import type { Arrival } from '#schemas/catalog'
import { sha256Hex } from '#record/crypto/crypto'
import { cellIn, type Place } from '#record/names'
import { keysApart } from './layered-map.ts'
import { principalNamed, type Catalog, type CatalogRefusal } from './catalog.ts'
import { topmostOwner } from './confirmers.ts'

// A catalog is never changed, so what was worked out of one stays true.
/**
 * The cell of that agent, counting from 0; null in a realm of one log. Agents of one fleet (their
 * attribute `fleet`) are in one cell, and all others where those of the same topmost owner are.
 */
export function cellOf(catalog: Catalog, agent: string): number | null {
  return catalog.cells === null ? null : cellByKey(catalog.cells, keyOf(catalog, agent))
}

/** An agent that is in another cell after a change. */
export interface Move {
  readonly id: string
  readonly from: number
  readonly to: number
}

/** Those whom a change moves: of their fleets and owners, or of the number of cells. */
export function movesBetween(before: Catalog, after: Catalog): readonly Move[] {
  const { cells } = before
  if (cells === null || after.cells === null) return []
  const isSpread = after.cells !== cells
  if (!isSpread && !isAnyReplaced(before, after)) return []
  const moves: Move[] = []
  for (const id of before.principals.keys()) {
    const old = keyOf(before, id)
    const now = keyOf(after, id)
    if ((old === now && !isSpread) || !after.principals.has(id)) continue
    const [from, to] = [cellByKey(cells, old), cellByKey(after.cells, now)]
    if (from !== to) moves.push({ id, from, to })
  }
  return moves
}

/** Whether one that was there has another fleet or owner: only then can any be elsewhere. */
function isAnyReplaced({ principals }: Catalog, after: Catalog): boolean {
  for (const id of keysApart(principals, after.principals)) {
    const [was, is] = [principals.get(id), after.principals.get(id)]
    if (was === undefined || is === undefined || was === is) continue
    if (was.owner !== is.owner || was.attributes['fleet'] !== is.attributes['fleet']) return true
  }
  return false
}

/**
 * Why a change set may not move those whom it moves, or who arrives and is not moved. What an
 * agent has open, how often it has acted and what stops it are in the log of its cell: the first
 * ends there before it moves, and the others come with it.
 */
export function moveFault(
  before: Catalog,
  after: Catalog,
  arrivals: ReadonlyMap<string, Arrival>,
): CatalogRefusal | null {
  const moves = movesBetween(before, after)
  const spreads = before.cells !== after.cells
  for (const { id, from, to } of moves) {
    const at = `principals/${id}`
    const arrival = arrivals.get(id)
    const isLeaving = before.principals.get(id)?.moving === true
    if (arrival === undefined || !isLeaving) {
      const how = spreads
        ? 'keep the number of cells, or change it with `warrant catalog spread`'
        : 'keep its fleet and owner, or move it with `warrant catalog move`'
      const message = `\`${id}\` is in cell ${from} and would be in ${to}: ${how}`
      return { code: 'cells_fixed', message, at }
    }
    if (arrival.from !== from) {
      const message = `\`${id}\` is in cell ${from}, and arrives from ${arrival.from}: correct it`
      return { code: 'move_refused', message, at }
    }
  }
  const moved = new Set(moves.map(({ id }) => id))
  const stray = [...arrivals.keys()].find((id) => !moved.has(id))
  if (stray === undefined) return null
  const message = `\`${stray}\` arrives and is not moved: leave that out, or change its fleet`
  return { code: 'move_refused', message, at: `principals/${stray}` }
}

/** Why the agent cannot leave its cell: there is none; null where it can. */
export function leaveFault({ cells }: Pick<Catalog, 'cells'>, id: string): CatalogRefusal | null {
  if (cells !== null) return null
  const message = `the realm has one log, so \`${id}\` is in no cell: leave \`moving\` out`
  return { code: 'move_refused', message, at: `principals/${id}` }
}

/** Whether the agent of that token is on its way to another cell. */
export function isMoving(catalog: Catalog, agent: string): boolean {
  return catalog.cells !== null && principalNamed(catalog, agent)?.moving === true
}

/** The agent's cell, where the log of that place is not that of it; null where it is. */
export function cellElsewhere(
  catalog: Catalog,
  { realm }: Place,
  agent: string,
): { readonly cell: number | null } | null {
  const cell = cellOf(catalog, agent)
  return cell === (cellIn(realm)?.index ?? null) ? null : { cell }
}

function keyOf(catalog: Catalog, agent: string): string {
  const fleet = catalog.principals.get(agent)?.attributes['fleet']
  return fleet === undefined ? `owner ${topmostOwner(catalog, agent)}` : `fleet ${fleet}`
}

// A hash for each cell, and each verdict asks for one of the same agents again.
const cellsKnown = new LRUCache<string, number>({ max: 16_384 })

/**
 * Rendezvous hashing (Thaler and Ravishankar, 1998): the cell whose SHA-256 of `<cell> <key>` is
 * the largest, so that another number of cells moves no more than it must.
 */
export function cellByKey(cells: number, key: string): number {
  const place = `${cells} ${key}`
  const known = cellsKnown.get(place)
  if (known !== undefined) return known
  const weights = Array.from({ length: cells }, (_, cell) => sha256Hex(`${cell} ${key}`))
  const at = weights.reduce((best, one, cell) => (one > (weights[best] ?? '') ? cell : best), 0)
  cellsKnown.set(place, at)
  return at
}
