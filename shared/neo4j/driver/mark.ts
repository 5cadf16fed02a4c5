// How far a projection is, as nodes say that every projector writes first: one of the whole, and
// where a realm has cells one of each cell. What another projector wrote before is seen there.
import { z } from 'zod'
import type { JsonMap } from '#record/canonical'
import { Fault } from '#record/fault'
import type { Counters } from '../projection/graph-writes.ts'
import type { FoldMark } from '../projection/pending.ts'
import type { Neo4jLink, RunCypher } from './link.ts'

/** How far the database is with one log. */
export interface LogMark {
  readonly realm: string
  /** What was before this position was never written: the log began after it. */
  readonly from: number
  /** Null while a rebuild has not written its first graph. */
  readonly reached: number | null
  readonly fact: string | null
  readonly digest: string | null
  /** Which rebuild it is in; readers see no position until it has ended. */
  readonly rebuild: string | null
}

/** Of the one log, or of the control log, from which the graph is. */
export interface ProjectionMark extends LogMark, Counters {}

/** Of the intents of one cell. */
export interface CellMark extends LogMark {
  readonly cell: number
  readonly reached: number
}

export interface Marks {
  readonly control: ProjectionMark
  /** By their numbers; none where there is one log. */
  readonly cells: readonly CellMark[]
}

/** What readers see; null where they see nothing yet. */
export type SeenMark = Pick<FoldMark, 'position' | 'graphRevision' | 'catalogRevision'> | null

const whole = z.int().min(0)
const text = z.string().nullable().default(null)
const Stored = { realm: z.string(), from: whole, fact: text, digest: text, rebuild: text }
const StoredMark = z.object({
  ...Stored,
  reached: whole.nullable().default(null),
  places: whole,
  orders: whole,
})
const StoredCell = z.object({ ...Stored, cell: whole, reached: whole })

/** With everything that stands there, each node with its properties and labels. */
export interface HeldMarks extends Marks {
  readonly nodes: { readonly control: JsonMap; readonly cells: readonly JsonMap[] }
}

// Anyone who writes rows takes this lock first; to set what is so already changes nothing.
const reading = `MATCH (n:Projection) SET n.only = n.only
  RETURN properties(n) AS node, labels(n) AS labels`
const readingCells = `MATCH (n:Cell)
  RETURN properties(n) AS node, labels(n) AS labels ORDER BY n.cell`

/**
 * Lets the caller look, while no one brings the projection further; null where nothing was ever
 * projected. May be called more than once, since what is transient is tried again.
 */
export async function withMarksHeld<T>(
  link: Pick<Neo4jLink, 'write'>,
  look: (run: RunCypher, held: HeldMarks) => Promise<T>,
): Promise<T | null> {
  return link.write(async (run) => {
    const rows = await run(reading)
    if (rows.length === 0) return null
    const control = markIn(rows)
    const cells = await run(readingCells)
    const nodes = { control: rows[0] ?? {}, cells }
    return look(run, { control, cells: cells.map(({ node }) => cellIn(node)), nodes })
  })
}

/** How far all of it is at one moment; null where nothing was ever projected. */
export function marksOf(link: Pick<Neo4jLink, 'write'>): Promise<Marks | null> {
  return withMarksHeld(link, async (_, { control, cells }) => ({ control, cells }))
}

function markIn(rows: readonly JsonMap[]): ProjectionMark {
  const stored = StoredMark.safeParse(rows[0]?.['node'])
  if (stored.success && rows.length === 1) return stored.data
  throw unsaid('the projection does not say how far it is')
}

function cellIn(node: unknown): CellMark {
  const stored = StoredCell.safeParse(node)
  if (stored.success) return stored.data
  throw unsaid('a cell of the projection does not say how far it is')
}

/** That one of them. Throws a Fault where it is not there. */
export function cellOfMarks({ cells }: Pick<Marks, 'cells'>, cell: number): CellMark {
  const mark = cells.find((each) => each.cell === cell)
  if (mark === undefined) throw unsaid(`the projection does not say how far cell ${cell} is`)
  return mark
}

function unsaid(what: string): Fault {
  return new Fault('projection_broken', `${what}: write it again by --rebuild`)
}

/** A cell as its part of a projection begins. */
export type FirstCell = Pick<CellMark, 'cell' | 'realm' | 'from' | 'rebuild'>

/** The nodes where there are none yet, in the transaction that begins the projection. */
export async function beginMarks(
  run: RunCypher,
  realm: string,
  cells: readonly FirstCell[],
): Promise<ProjectionMark> {
  const rows = await run(
    `MERGE (n:Projection {only: true})
       ON CREATE SET n += {realm: $realm, from: 0, reached: 0, position: 0, graphRevision: 0,
         catalogRevision: 0, places: 0, orders: 0}
     RETURN properties(n) AS node`,
    { realm },
  )
  const mark = markIn(rows)
  if (mark.reached === 0 && mark.rebuild === null) await beginCells(run, cells)
  return mark
}

export async function beginCells(run: RunCypher, cells: readonly FirstCell[]): Promise<void> {
  const rows = cells.map(({ rebuild, ...cell }) => {
    const { from } = cell
    return { ...cell, reached: from, ...(rebuild === null ? { position: from } : { rebuild }) }
  })
  await run('UNWIND $rows AS row MERGE (n:Cell {cell: row.cell}) ON CREATE SET n = row', { rows })
}

// What is written first takes the lock, and only then is it looked at: anyone who waited here sees
// what the other did.
const claiming = `MATCH (n:Projection {realm: $was.realm})
  SET n.only = true
  WITH n
  WHERE n.places = $was.places AND n.orders = $was.orders AND (n.reached = $was.reached OR
    ($was.reached IS NULL AND n.reached IS NULL AND n.rebuild = $was.rebuild))
`

const claimingCell = `WITH n AS whole
  MATCH (n:Cell {cell: $cell.cell})
  WHERE n.reached = $cell.reached AND n.realm = $cell.realm
    AND (n.rebuild = $cell.rebuild OR (n.rebuild IS NULL AND $cell.rebuild IS NULL))
`

/**
 * Takes the whole, or the cell that is named with the whole where it says, from one mark to the
 * next. Throws `projection_moved` where either is elsewhere.
 */
export async function claimMark(
  run: RunCypher,
  { was, cell }: { readonly was: ProjectionMark; readonly cell?: CellMark },
  { mark, reported }: { readonly mark: LogMark; readonly reported: object | null },
): Promise<void> {
  const claim = cell === undefined ? claiming : claiming + claimingCell
  const is = { ...mark, ...reported }
  const params = { was, cell: cell ?? null, is }
  const rows = await run(`${claim} SET n += $is RETURN n.realm AS realm`, params)
  if (rows.length === 1) return
  const what = 'another process moved the projection, or rebuilds it'
  throw new Fault('projection_moved', `${what}: look how far it is now`)
}
