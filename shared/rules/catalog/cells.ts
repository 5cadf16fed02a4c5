// Which cell of a realm an agent is in: the catalog says it, and anyone works out the same from it.
// An agent moves by two change sets: it leaves, and when nothing of it is open there, it arrives.
import type { Arrival } from '#schemas/catalog'
import { sha256Hex } from '#record/crypto/crypto'
import { cellIn, token, type Place } from '#record/names'
import type { Catalog, CatalogRefusal } from './catalog.ts'
import { topmostOwner } from './confirmers.ts'

// A catalog is never changed, so what was worked out of one stays true.
const known = new WeakMap<Catalog, Map<string, number>>()

/**
 * The cell of that agent, counting from 0; null in a realm of one log. Agents of one fleet (their
 * attribute `fleet`) are in one cell, and all others where those of the same topmost owner are.
 */
export function cellOf(catalog: Catalog, agent: string): number | null {
  const { cells } = catalog
  if (cells === null) return null
  const placed = known.get(catalog) ?? new Map<string, number>()
  known.set(catalog, placed)
  const before = placed.get(agent)
  if (before !== undefined) return before
  const cell = cellByKey(cells, keyOf(catalog, agent))
  placed.set(agent, cell)
  return cell
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

const leaving = new WeakMap<Catalog['principals'], ReadonlySet<string>>()

/** Whether the agent of that token is on its way to another cell. */
export function isMoving({ cells, principals }: Catalog, agent: string): boolean {
  if (cells === null) return false
  let tokens = leaving.get(principals)
  if (tokens === undefined) {
    const ids = [...principals.values()].flatMap(({ id, moving }) => (moving === true ? [id] : []))
    tokens = new Set(ids.map(token))
    leaving.set(principals, tokens)
  }
  return tokens.has(agent)
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

/**
 * Rendezvous hashing (Thaler and Ravishankar, 1998): the cell whose SHA-256 of `<cell> <key>` is
 * the largest, so that another number of cells moves no more than it must.
 */
export function cellByKey(cells: number, key: string): number {
  const weights = Array.from({ length: cells }, (_, cell) => sha256Hex(`${cell} ${key}`))
  return weights.reduce((best, weight, cell) => (weight > (weights[best] ?? '') ? cell : best), 0)
}
