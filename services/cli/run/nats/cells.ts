// Which cell each agent of a configuration is in: the catalog says it, or the file of users, or
// what the configuration was made with before. No agent is ever put into a cell by a guess.
import { isInOneCell } from '#log/nats-config/rights'
import type { Catalog } from '#rules/catalog/catalog'
import { cellOf } from '#rules/catalog/cells'
import { cellIn } from '#record/names'
import { readCatalog } from '#cli/terminal/opening/seed-file'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'
import type { Remembered } from './remembered.ts'
import { isSame, type UserMade, type UserWanted } from './users.ts'

/** The cells of a realm. */
export interface Cells {
  readonly count: number
  /** Null where none is given. */
  readonly catalog: Catalog | null
  /** Who was in which cell before, among no more cells. */
  readonly known: Remembered['users']
}

interface CellOptions extends Pick<GlobalOptions, 'realm'> {
  readonly cells?: number | undefined
  readonly catalog?: string
}

/**
 * As given, else as the catalog says, else as before; null for a realm of one log. Servers may know
 * more than the catalog has: it is spread over those that are there.
 */
export async function cellsFor(
  { cells, catalog: file, realm }: CellOptions,
  before: Remembered | null,
): Promise<Cells | null> {
  const catalog = file === undefined ? null : await readCatalog(file)
  const count = cells ?? catalog?.cells ?? before?.cells
  if (
    catalog !== null &&
    (catalog.cells === null || count === undefined || catalog.cells > count)
  ) {
    const says = catalog.cells === null ? 'no cells' : `${catalog.cells} cells`
    throw usage(`\`${file}\` has ${says}${count === undefined ? '' : `, and not ${count}`}`)
  }
  if (count === undefined) return null
  if (cellIn(realm) !== null) throw usage(`\`${realm}\` is a cell itself: give its realm`)
  const known = before !== null && (before.cells ?? 0) <= count ? before.users : []
  return { count, catalog, known }
}

/** With the number of cells, wherever it was given. */
export function withCellCount<T>(options: T, cells: Cells | null): T & { readonly cells?: number } {
  return { ...options, ...(cells !== null && { cells: cells.count }) }
}

/** Each agent with its cell. */
export function inCells(users: readonly UserWanted[], cells: Cells | null): readonly UserWanted[] {
  return users.map((user) => ({ ...user, cell: cellFor(user, cells) }))
}

function cellFor(user: UserWanted, cells: Cells | null): number | undefined {
  const { role, name, cell: given } = user
  const who = `\`${role}:${name}\``
  if (!isInOneCell(role)) {
    if (given !== undefined) throw usage(`${who} has a "cell", and only an agent is in one alone`)
    return undefined
  }
  if (cells === null) {
    if (given !== undefined) throw usage(`${who} has a "cell": give --cells too`)
    return undefined
  }
  const { count, catalog, known } = cells
  const placed = catalog === null ? null : cellOf(catalog, name)
  if (placed !== null && given !== undefined && placed !== given) {
    throw usage(`${who} has the "cell" ${given}, and the catalog says ${placed}`)
  }
  const cell = placed ?? given ?? known.find((one) => isSame(one, user))?.cell
  if (cell === undefined) {
    throw usage(`${who} is in no known cell: give --catalog, or its "cell" in --users`)
  }
  if (cell >= count)
    throw usage(`${who} has the "cell" ${cell}: the last of ${count} is ${count - 1}`)
  return cell
}

/** A line for each agent that was in another cell. */
export function movedIn(
  users: readonly UserMade[],
  before: Remembered['users'],
): readonly string[] {
  return users.flatMap((user) => {
    const { role, name, cell } = user
    const was = before.find((one) => isSame(one, user))?.cell
    return was === undefined || was === cell ? [] : [`${role}:${name}: now in cell ${cell}`]
  })
}
