// Which cell of a realm an agent is in: the catalog says it, and anyone works out the same from it.
import { createHash } from 'node:crypto'
import type { Catalog } from './catalog.ts'
import { ownersOf } from './confirmers.ts'

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
  const cell = placeIn(cells, keyOf(catalog, agent))
  placed.set(agent, cell)
  return cell
}

function keyOf(catalog: Catalog, agent: string): string {
  const fleet = catalog.principals.get(agent)?.attributes['fleet']
  return fleet === undefined
    ? `owner ${ownersOf(catalog, agent).at(-1) ?? agent}`
    : `fleet ${fleet}`
}

/**
 * Rendezvous hashing (Thaler and Ravishankar, 1998): the cell whose SHA-256 of `<cell> <key>` is
 * the largest, so that another number of cells moves no more than it must.
 */
function placeIn(cells: number, key: string): number {
  const weights = Array.from({ length: cells }, (_, cell) =>
    createHash('sha256').update(`${cell} ${key}`, 'utf8').digest('hex'),
  )
  return weights.reduce((best, weight, cell) => (weight > (weights[best] ?? '') ? cell : best), 0)
}
