// Which cell of a realm an agent is in: the catalog says it, and anyone works out the same from it.
import { createHash } from 'node:crypto'
import type { Principal } from '#schemas/catalog'
import type { Catalog, CatalogRefusal } from './catalog.ts'
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

/**
 * The agent that a change set would move to another cell, as a refusal: what it has open, how often
 * it has acted and what stops it are in the log of its cell, and would not go with it.
 */
export function movedAgent(before: Catalog, after: Catalog): CatalogRefusal | null {
  const { cells } = before
  if (cells === null) return null
  const isPlacedAlike = [...before.principals.values()].every((one) => {
    const now = after.principals.get(one.id)
    return now === undefined || (now.owner === one.owner && fleetOf(now) === fleetOf(one))
  })
  if (isPlacedAlike) return null
  for (const id of before.principals.keys()) {
    const [from, to] = [before, after].map((catalog) => placeIn(cells, keyOf(catalog, id)))
    if (from === to || !after.principals.has(id)) continue
    const message = `\`${id}\` is in cell ${from} and would be in ${to}: keep its fleet and owner`
    return { code: 'cells_fixed', message, at: `principals/${id}` }
  }
  return null
}

function fleetOf({ attributes }: Pick<Principal, 'attributes'>): string | undefined {
  return attributes['fleet']
}

function keyOf(catalog: Catalog, agent: string): string {
  const principal = catalog.principals.get(agent)
  const fleet = principal && fleetOf(principal)
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
