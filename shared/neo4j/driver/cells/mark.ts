// How far each cell's intents are projected, as a node of its own says. Who writes them locks the
// projection's node first, so that the graph stays as it is meanwhile, and two never wait for each
// other.
import { z } from 'zod'
import { Fault } from '#record/fault'
import type { CypherRow, Neo4jLink, RunCypher } from '../link.ts'
import { markIn, type ProjectionMark } from '../mark.ts'

/** How far the intents of one cell are. */
export interface CellMark {
  readonly cell: number
  readonly realm: string
  /** What was before this position was never written: the log began after it. */
  readonly from: number
  readonly reached: number
  readonly fact: string | null
  readonly digest: string | null
  /** Which rebuild it is in; readers see no position until all of the cell is there. */
  readonly rebuild: string | null
}

export interface NextCellMark {
  readonly mark: CellMark
  /** What readers see; null where they see nothing yet. */
  readonly reported: { readonly position: number } | null
}

/** A cell as its part of a projection begins. */
export interface FirstCell {
  readonly cell: number
  readonly realm: string
  /** What was before this position will not be written. */
  readonly from: number
  /** The rebuild that it is in; null where all of it is there. */
  readonly rebuild: string | null
}

/** Of the graph, and of each cell by its number. */
export interface CellMarks {
  readonly control: ProjectionMark
  readonly cells: readonly CellMark[]
}

const count = z.int().min(0)

const Stored = z.object({
  cell: count,
  realm: z.string(),
  from: count,
  reached: count,
  fact: z.string().nullable().default(null),
  digest: z.string().nullable().default(null),
  rebuild: z.string().nullable().default(null),
})

/** How far all of it is at one moment; null where nothing was ever projected. */
export async function cellMarks(link: Pick<Neo4jLink, 'write'>): Promise<CellMarks | null> {
  return link.write(async (run) => {
    // Who begins the cells, or takes them away, has this lock.
    const rows = await run('MATCH (p:Projection) SET p.only = p.only RETURN properties(p) AS mark')
    if (rows.length === 0) return null
    return { control: markIn(rows), cells: (await heldCells(run)).map(({ mark }) => mark) }
  })
}

/** The node of a cell, with everything that stands there. */
export interface HeldCell {
  readonly mark: CellMark
  readonly labels: unknown
  readonly properties: unknown
}

const reading = 'MATCH (c:Cell) RETURN properties(c) AS mark, labels(c) AS labels ORDER BY c.cell'

/** By their numbers. Throws a Fault where one does not say how far it is. */
export async function heldCells(run: RunCypher): Promise<readonly HeldCell[]> {
  const rows = await run(reading)
  return rows.map((row) => ({
    mark: cellIn(row),
    labels: row['labels'],
    properties: row['mark'],
  }))
}

function cellIn(row: CypherRow): CellMark {
  const stored = Stored.safeParse(row['mark'])
  if (stored.success) return stored.data
  throw unsaid('a cell of the projection does not say how far it is')
}

/** That one of them. Throws a Fault where it is not there. */
export function cellOfMarks(cells: readonly CellMark[], cell: number): CellMark {
  const mark = cells.find((each) => each.cell === cell)
  if (mark === undefined) throw unsaid(`the projection does not say how far cell ${cell} is`)
  return mark
}

function unsaid(what: string): Fault {
  return new Fault('projection_broken', `${what}: write it again by --rebuild`)
}

const beginning = `UNWIND $cells AS cell
  MERGE (c:Cell {cell: cell.cell})
    ON CREATE SET c = cell
  RETURN count(c) AS cells`

/** The nodes of the cells, in the transaction that begins the projection. */
export async function beginCells(run: RunCypher, cells: readonly FirstCell[]): Promise<void> {
  const rows = cells.map(({ rebuild, ...cell }) => {
    const { from } = cell
    return { ...cell, reached: from, ...(rebuild === null ? { position: from } : { rebuild }) }
  })
  await run(beginning, { cells: rows })
}

const claiming = `MATCH (p:Projection {realm: $control.realm})
  SET p.only = true
  WITH p
  WHERE p.reached = $control.reached AND p.places = $control.places
    AND p.orders = $control.orders
  MATCH (c:Cell {cell: $was.cell})
  WHERE c.reached = $was.reached AND c.realm = $was.realm
    AND (c.rebuild = $was.rebuild OR (c.rebuild IS NULL AND $was.rebuild IS NULL))
  SET c += $is
  RETURN c.cell AS cell`

/**
 * Takes a cell from one mark to the next, with the graph where `control` says. Throws
 * `projection_moved` where either is elsewhere.
 */
export async function claimCell(
  run: RunCypher,
  { control, was }: { readonly control: ProjectionMark; readonly was: CellMark },
  { mark, reported }: NextCellMark,
): Promise<void> {
  const rows = await run(claiming, { control, was, is: { ...mark, ...reported } })
  if (rows.length === 1) return
  const what = 'another process moved the projection, or rebuilds it'
  throw new Fault('projection_moved', `${what}: look how far it is now`)
}
