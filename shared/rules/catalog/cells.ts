// Which cell of a realm an agent is in: the catalog says it, and anyone works out the same from it.
// An agent moves by two change sets: it leaves, and when nothing of it is open there, it arrives.
import { LRUCache } from 'lru-cache'
import type { Arrival } from '#schemas/catalog'
import { sha256Hex } from '#record/crypto/crypto'
import { cellIn, type Place } from '#record/names'
import { keysApart } from './layered-map.ts'
import { principalNamed, type Catalog, type CatalogRefusal } from './catalog.ts'
import { topmostOwner } from './confirmers.ts'
import { principalIndex } from './people/principal-index.ts'

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

/**
 * Those whom a change moves, by their fleets and owners or by the number of cells, in the order of
 * the catalog.
 */
export function movesBetween(before: Catalog, after: Catalog): readonly Move[] {
  const moves = movedBetween(before, after)
  if (moves.length < 2) return moves
  const byId = new Map(moves.map((move) => [move.id, move]))
  const ordered: Move[] = []
  for (const id of before.principals.keys()) {
    const move = byId.get(id)
    if (move !== undefined) ordered.push(move)
  }
  return ordered
}

/** The same in any order. */
function movedBetween(before: Catalog, after: Catalog): readonly Move[] {
  const { cells } = before
  if (cells === null || after.cells === null) return []
  const isSpread = after.cells !== cells
  const replaced = isSpread ? null : replacedIn(before, after)
  if (replaced?.size === 0) return []
  const moves: Move[] = []
  for (const id of replaced ?? before.principals.keys()) {
    const old = keyOf(before, id)
    const now = keyOf(after, id)
    if ((old === now && !isSpread) || !after.principals.has(id)) continue
    const [from, to] = [cellByKey(cells, old), cellByKey(after.cells, now)]
    if (from !== to) moves.push({ id, from, to })
  }
  return moves
}

/**
 * Those that were there and have another fleet or owner: only they can be elsewhere. Null where
 * one of them owns others, who may be placed by its owner.
 */
function replacedIn({ principals }: Catalog, after: Catalog): ReadonlySet<string> | null {
  const replaced = new Set<string>()
  for (const id of keysApart(principals, after.principals)) {
    const [was, is] = [principals.get(id), after.principals.get(id)]
    if (was === undefined || is === undefined) continue
    const isOfOther = was.owner !== is.owner
    if (!isOfOther && was.attributes['fleet'] === is.attributes['fleet']) continue
    if (isOfOther && principalIndex(after.principals).owned.has(id)) return null
    replaced.add(id)
  }
  return replaced
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
  const moves = movedBetween(before, after)
  const spreads = before.cells !== after.cells
  const faultOf = ({ id, from, to }: Move): CatalogRefusal | null => {
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
    if (arrival.from === from) return null
    const message = `\`${id}\` is in cell ${from}, and arrives from ${arrival.from}: correct it`
    return { code: 'move_refused', message, at }
  }
  if (moves.some((move) => faultOf(move) !== null)) {
    // The first of the catalog is refused.
    for (const move of movesBetween(before, after)) {
      const fault = faultOf(move)
      if (fault !== null) return fault
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
