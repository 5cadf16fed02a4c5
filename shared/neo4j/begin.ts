// Where a projection begins: how far the database is with the graph and with each cell, and the
// states from which their logs are folded on.
import { randomBytes } from 'node:crypto'
import { clearProjection } from './driver/clearing.ts'
import {
  cellOfMarks,
  marksOf,
  type CellMark,
  type FirstCell,
  type Marks,
  type ProjectionMark,
} from './driver/mark.ts'
import { layoutFor } from './driver/model.ts'
import { prepareProjection, writeFirst, type ProjectionLink } from './driver/writes.ts'
import { Fault } from '#record/fault'
import type { State } from '#state/state'
import type { Clock } from '#ports/clock'
import { believedState } from '#replay/cache/store'
import { soundBeginningOf } from '#replay/eras/beginning'
import type { OnProgress } from '#runtime/reporting/progress'
import { inReach, whenInReach, type WithinReach } from './out-of-reach.ts'
import { projectedHead, type CellLog, type ProjectedLog } from './projected.ts'

/** The one log or the control log, and those of its cells, with what is needed to project them. */
export interface Projecting extends WithinReach, Omit<ProjectedLog, 'cell'> {
  readonly cells: readonly CellLog[]
  readonly rootKey: string | null
  readonly link: ProjectionLink
  /** Where snapshots of the fold lie, if any are to be used and written. */
  readonly snapshots?: { readonly folder: string; readonly clock: Clock }
  /** A realm that the database may say it holds, and is wiped all the same. */
  readonly replaces?: string
  readonly onProgress?: OnProgress
}

export interface BegunLog<M> {
  readonly state: State
  readonly mark: M
  /** The end of the log: when a rebuild is there it has ended. */
  readonly head: number
}

export interface BegunProjection extends BegunLog<ProjectionMark> {
  /** In the order of the cells; for one that cannot be projected, why. */
  readonly cells: readonly (BegunLog<CellMark> | Fault)[]
}

export async function beginProjection(at: Projecting, rebuild: boolean): Promise<BegunProjection> {
  const { log, cells, rootKey } = at
  // Others bring it on meanwhile, so how far it is comes first: no end is before it then.
  const found = rebuild ? null : await marksFound(at)
  // A cell never has more of what all share than the control log had before.
  const heads = await Promise.all(cells.map((cell) => faultOr(projectedHead(cell))))
  const head = await projectedHead({ log })
  if (found === null) return rebuilt(at, head, heads)
  const { control: mark } = found
  // Of cells the graphs are needed from the one on that the first intent was judged at.
  const believed = cells.length === 0 ? await believedBy(at, mark.reached ?? 0) : null
  const state = believed ?? (await soundBeginningOf(log, at, rootKey)).state
  demandFits(mark.reached ?? 0, { first: state.position, head })
  const begun = cells.map(async (cell, index) => {
    const end = heads[index] ?? 0
    return end instanceof Fault ? end : faultOr(beginCell(at, cell, { marks: found, end }))
  })
  return { state, mark, head, cells: await Promise.all(begun) }
}

async function faultOr<T>(work: Promise<T>): Promise<T | Fault> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

async function marksFound(at: Projecting): Promise<Marks> {
  const { link, realm } = at
  const cells = at.cells.map((of) => ({ cell: of.cell, realm: of.realm, from: 0, rebuild: null }))
  await whenInReach(at, () => prepareProjection(link, realm, cells))
  inReach(at)
  return whenInReach(at, async () => {
    const marks = await marksOf(link)
    if (marks !== null && marks.control.reached !== null) return marks
    const what = 'the projection is being rebuilt, or a rebuild was left unfinished'
    throw new Fault('projection_unfinished', `${what}: run it with --rebuild if no one does`)
  })
}

/** Of a snapshot of the fold, if there is one from where the projection can be gone on with. */
async function believedBy(
  at: Projecting,
  reached: number,
  { log, realm }: Omit<ProjectedLog, 'cell'> = at,
): Promise<State | null> {
  const { snapshots } = at
  if (snapshots === undefined) return null
  const state = await believedState({ ...at, log, realm, folder: snapshots.folder })
  return state !== null && state.position <= reached ? state : null
}

async function beginCell(
  at: Projecting,
  of: CellLog,
  { marks, end }: { readonly marks: Marks; readonly end: number },
): Promise<BegunLog<CellMark>> {
  const { cell, realm, log } = of
  const mark = cellOfMarks(marks, cell)
  if (mark.realm !== realm) {
    const what = `the projection says that cell ${cell} is the realm \`${mark.realm}\``
    throw new Fault('projection_broken', `${what}: write it again by --rebuild`)
  }
  const believed = await believedBy(at, mark.reached, of)
  const state = believed ?? (await soundBeginningOf(log, of, at.rootKey)).state
  demandFits(mark.reached, { first: state.position, head: end })
  return { state, mark, head: end }
}

/** Throws a Fault where this log cannot bring the projection on from where it is. */
function demandFits(
  reached: number,
  { first, head }: { readonly first: number; readonly head: number },
): void {
  const fix = 'project this log by --rebuild'
  if (reached > head) {
    const what = `the projection is at position ${reached}, and the log ends at ${head}`
    throw new Fault('projection_ahead', `${what}: it is of another log, or ${fix}`)
  }
  if (reached < first) {
    const what = `the projection is at position ${reached}, and the log begins after ${first}`
    throw new Fault('projection_behind', `${what}: ${fix}`)
  }
}

/** Nothing is wiped unless each log can be projected from its beginning. */
async function rebuilt(
  at: Projecting,
  head: number,
  heads: readonly (number | Fault)[],
): Promise<BegunProjection> {
  const { state } = await soundBeginningOf(at.log, at, at.rootKey)
  const rebuild = randomBytes(12).toString('hex')
  const cells = await Promise.all(
    at.cells.map(async (of, index): Promise<BegunLog<CellMark>> => {
      const { cell, realm } = of
      const end = heads[index] ?? 0
      if (end instanceof Fault) throw end
      const { state: first } = await soundBeginningOf(of.log, of, at.rootKey)
      const { position: from } = first
      const mark = { cell, realm, from, reached: from, fact: null, digest: null }
      return { state: first, head: end, mark: { ...mark, rebuild: from < end ? rebuild : null } }
    }),
  )
  const firsts = cells.map(({ mark: { cell, realm, from, rebuild: within } }) => {
    return { cell, realm, from, rebuild: within }
  })
  const mark = await whenInReach(at, () => wipedAndBegun(at, { state, head, rebuild, firsts }))
  inReach(at)
  return { state, mark, head, cells }
}

interface Wiping {
  readonly state: State
  readonly head: number
  readonly rebuild: string
  readonly firsts: readonly FirstCell[]
}

async function wipedAndBegun(
  { link, realm, cells, replaces, onProgress }: Projecting,
  { state, head, rebuild, firsts }: Wiping,
): Promise<ProjectionMark> {
  const { graph, position, graphRevision, catalogRevision } = state
  const cleared = await clearProjection(link, {
    realm,
    layout: layoutFor(cells),
    replaces: replaces ?? null,
    rebuild,
    from: position,
    onWiped: (done, total) => onProgress?.({ doing: 'wiping', of: 'nodes', done, total }),
  })
  const mark = { position, graphRevision, catalogRevision, fact: null, digest: null }
  return writeFirst(link, cleared, { graph, mark, reported: position >= head, cells: firsts })
}
