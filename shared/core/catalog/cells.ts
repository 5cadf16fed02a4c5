// Which cell of a realm an agent is in: the catalog says it, and anyone works out the same from it.
import { createHash } from 'node:crypto'
import { cellIn, type Place } from '../kernel/names.ts'
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
  const cell = placeIn(cells, keyOf(catalog, agent))
  placed.set(agent, cell)
  return cell
}

/**
 * The agent that a change set would move to another cell, as a refusal: what it has open, how often
 * it has acted and what stops it are in the log of its cell, and would not go with it.
 */
export function movedAgent(before: Catalog, after: Catalog): CatalogRefusal | null {
  const { cells } = before
  if (cells === null) return null
  for (const id of before.principals.keys()) {
    const old = keyOf(before, id)
    const now = keyOf(after, id)
    if (old === now || !after.principals.has(id)) continue
    const from = placeIn(cells, old)
    const to = placeIn(cells, now)
    if (from === to) continue
    const message = `\`${id}\` is in cell ${from} and would be in ${to}: keep its fleet and owner`
    return { code: 'cells_fixed', message, at: `principals/${id}` }
  }
  return null
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
function placeIn(cells: number, key: string): number {
  const weights = Array.from({ length: cells }, (_, cell) =>
    createHash('sha256').update(`${cell} ${key}`, 'utf8').digest('hex'),
  )
  return weights.reduce((best, weight, cell) => (weight > (weights[best] ?? '') ? cell : best), 0)
}
