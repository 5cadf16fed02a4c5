// Where the projection of a realm of cells begins: how far the database is with the graph and with
// each cell, and the states from which their logs are folded on.
import { randomBytes } from 'node:crypto'
import {
  beginCells,
  cellMarks,
  cellOfMarks,
  type CellMark,
  type CellMarks,
} from './driver/cells/mark.ts'
import { prepareCells } from './driver/cells/writes.ts'
import { clearProjection } from './driver/clearing.ts'
import type { ProjectionMark } from './driver/mark.ts'
import { writeFirst, type ProjectionLink } from './driver/writes.ts'
import { Fault } from '#record/fault'
import type { State } from '#state/state'
import type { Log } from '#ports/log'
import { soundBeginningOf } from '#replay/eras/beginning'
import type { OnProgress } from '#runtime/reporting/progress'
import { inReach, whenInReach } from './out-of-reach.ts'
import { believedBy, demandFits, unfinished, type Stream } from './stream.ts'

/** The log of a cell, which has all that is about its intents. */
export interface CellLog {
  readonly cell: number
  readonly realm: string
  readonly log: Log
}

/** All that is projected: the stream is that of the control log, which has the graph. */
export interface CellStreams extends Stream {
  readonly link: ProjectionLink
  readonly cells: readonly CellLog[]
  /** A realm that the database may say it holds, and is wiped all the same. */
  readonly replaces?: string
  readonly onProgress?: OnProgress
}

export interface BegunCell {
  readonly state: State
  readonly mark: CellMark
  readonly head: number
}

export interface BegunCells {
  readonly state: State
  readonly mark: ProjectionMark
  readonly head: number
  /** In the order of the cells; for one that cannot be projected, why. */
  readonly cells: readonly (BegunCell | Fault)[]
}

export async function beginAll(at: CellStreams, rebuild: boolean): Promise<BegunCells> {
  // Others bring it on meanwhile, so how far it is comes first: no end is before it then.
  const found = rebuild ? null : await marksOf(at)
  // A cell never has more of what all share than the control log had before.
  const heads = await Promise.all(at.cells.map(({ log }) => faultOr(headOf(log))))
  const head = await headOf(at.log)
  // The control log has one era, so it begins with its first fact; its graphs are needed from the
  // one on that the first intent was judged at.
  const { state } = await soundBeginningOf(at.log, at, at.rootKey)
  if (found === null) return rebuilt(at, { state, head, heads })
  const { control: mark, cells: marks } = found
  demandFits(mark.reached ?? 0, { first: state.position, head })
  const begun = at.cells.map(async (cell, index) => {
    const end = heads[index] ?? 0
    return end instanceof Fault ? end : faultOr(beginCell(at, cell, { marks, end }))
  })
  return { state, mark, head, cells: await Promise.all(begun) }
}

async function headOf(log: Log): Promise<number> {
  return (await log.head()).position
}

async function faultOr<T>(work: Promise<T>): Promise<T | Fault> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

async function marksOf(at: CellStreams): Promise<CellMarks> {
  const { link, realm } = at
  const realms = at.cells.map((cell) => cell.realm)
  await whenInReach(at, () => prepareCells(link, realm, realms))
  inReach(at)
  return whenInReach(at, async () => {
    const marks = await cellMarks(link)
    if (marks === null || marks.control.reached === null) throw unfinished()
    return marks
  })
}

async function beginCell(
  at: CellStreams,
  { cell, realm, log }: CellLog,
  { marks, end }: { readonly marks: CellMarks['cells']; readonly end: number },
): Promise<BegunCell> {
  const mark = cellOfMarks(marks, cell)
  if (mark.realm !== realm) {
    const what = `the projection says that cell ${cell} is the realm \`${mark.realm}\``
    throw new Fault('projection_broken', `${what}: write it again by --rebuild`)
  }
  const believed = await believedBy({ ...at, log, realm }, mark.reached)
  const state = believed ?? (await soundBeginningOf(log, { realm }, at.rootKey)).state
  demandFits(mark.reached, { first: state.position, head: end })
  return { state, mark, head: end }
}

/** Nothing is wiped unless each log can be projected from its beginning. */
async function rebuilt(
  at: CellStreams,
  of: {
    readonly state: State
    readonly head: number
    readonly heads: readonly (number | Fault)[]
  },
): Promise<BegunCells> {
  const { state, head } = of
  const rebuild = randomBytes(12).toString('hex')
  const cells = await Promise.all(
    at.cells.map(async ({ cell, realm, log }, index): Promise<BegunCell> => {
      const end = of.heads[index] ?? 0
      if (end instanceof Fault) throw end
      const { state: first } = await soundBeginningOf(log, { realm }, at.rootKey)
      const { position: from } = first
      const mark = { cell, realm, from, reached: from, fact: null, digest: null }
      return { state: first, head: end, mark: { ...mark, rebuild: from < end ? rebuild : null } }
    }),
  )
  const marks = cells.map(({ mark }) => mark)
  const mark = await whenInReach(at, () => wipedAndBegun(at, { state, head, rebuild, marks }))
  inReach(at)
  return { state, mark, head, cells }
}

interface Wiping {
  readonly state: State
  readonly head: number
  readonly rebuild: string
  readonly marks: readonly CellMark[]
}

async function wipedAndBegun(
  { link, realm, replaces, onProgress }: CellStreams,
  { state, head, rebuild, marks }: Wiping,
): Promise<ProjectionMark> {
  const { graph, position, graphRevision, catalogRevision } = state
  const cleared = await clearProjection(link, {
    realm,
    layout: 'cells',
    replaces: replaces ?? null,
    rebuild,
    from: position,
    onWiped: (done, total) => onProgress?.({ doing: 'wiping', of: 'nodes', done, total }),
  })
  const mark = { position, graphRevision, catalogRevision, fact: null, digest: null }
  const firsts = marks.map(({ cell, realm: of, from, rebuild: within }) => {
    return { cell, realm: of, from, rebuild: within }
  })
  return writeFirst(link, cleared, {
    graph,
    mark,
    reported: position >= head,
    beside: (run) => beginCells(run, firsts),
  })
}
