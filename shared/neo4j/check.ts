// Compares what the database holds with a fold of the log up to the same position: all that a
// projector writes, and what stands beside it. It changes nothing, and fixes nothing.
import { marksOf, withMarksHeld, type Marks } from './driver/mark.ts'
import { layoutFor } from './driver/model.ts'
import { schemaFlaws } from './driver/schema.ts'
import type { ProjectionLink } from './driver/writes.ts'
import { Fault } from '#record/fault'
import type { Timer } from '#ports/clock'
import type { Log } from '#ports/log'
import type { OnProgress } from '#runtime/reporting/progress'
import { compareAll } from './label-digests.ts'
import { foldAll, isOtherLog, newFoldings } from './folding.ts'
import {
  headIn,
  projectedHead,
  markOfLog,
  projectedLogs,
  type CellLog,
  type Heads,
  type Projected,
  type ProjectedLog,
} from './projected.ts'
import { Found, type ProjectionCheck, type Uncompared } from './report.ts'

export interface ProjectionCheckOptions {
  readonly log: Log
  readonly realm: string
  readonly rootKey: string | null
  /** Those of a realm that has some: the log is its control log then. */
  readonly cells?: readonly CellLog[]
  readonly link: ProjectionLink
  /** If given, a projector that is a little behind is given a moment. */
  readonly timer?: Timer
  readonly onProgress?: OnProgress
}

/** Throws a Fault where nothing was ever projected. */
export async function checkProjection(options: ProjectionCheckOptions): Promise<ProjectionCheck> {
  const { realm, rootKey, link, cells = [], onProgress } = options
  const projected: Projected = { logs: projectedLogs(options), rootKey }
  const heads = await headsOf(projected)
  const [control] = projected.logs
  const marks = await caughtUp(options, projected, heads)
  if (marks === null)
    return { standing: 'broken', realm, position: 0, head: headIn(heads, control) }
  // A projector may have brought it further than the ends were when the check began.
  const flaw = flawOf(projected, marks, { heads, now: await headsOf(projected) })
  if (flaw !== null) return flaw
  const foldings = await newFoldings(projected)
  const standingOf = (of: ProjectedLog) => ({
    ...(of.cell !== null && { cell: of.cell }),
    realm,
    position: markOfLog(marks, of).reached ?? 0,
    head: headIn(heads, of),
  })
  const cut = foldings.all.find(({ of, first }) => (markOfLog(marks, of).reached ?? 0) < first)
  if (cut !== undefined) return { standing: 'cut_off', ...standingOf(cut.of) }
  // What takes long is done before anyone has to wait for it.
  await foldAll(foldings, (of) => markOfLog(marks, of), onProgress)
  const other = foldings.all.find((each) => isOtherLog(markOfLog(marks, each.of), each))
  if (other !== undefined) return { standing: 'other_log', ...standingOf(other.of) }
  const flaws = await schemaFlaws(link, layoutFor(cells))
  const check = await withMarksHeld(link, async (run, held) => {
    const moved = flawOf(projected, held, { heads, now: await headsOf(projected) })
    if (moved !== null) return moved
    await foldAll(foldings, (of) => markOfLog(held, of))
    const found = new Found()
    for (const { name, here, there } of flaws) found.compare({ of: 'schema', name }, here, there)
    return compareAll({ run, held, foldings, heads }, found)
  })
  return check ?? { standing: 'broken', ...standingOf(control) }
}

async function headsOf({ logs }: Projected): Promise<Heads> {
  const heads = new Map<ProjectedLog, number>()
  // A cell never has more of what all share than the control log had before.
  for (const of of logs.toReversed()) heads.set(of, await projectedHead(of))
  return heads
}

const triesMax = 20
const betweenMs = 100

/** How far it is, once it is not behind any more or patience has ended; null if unreadable. */
async function caughtUp(
  { link, timer }: ProjectionCheckOptions,
  { logs }: Projected,
  heads: Heads,
): Promise<Marks | null> {
  for (let tries = 1; ; tries += 1) {
    const marks = await readMarks(link)
    if (marks === null || timer === undefined || tries === triesMax) return marks
    const all = [marks.control, ...marks.cells]
    const isRebuilt = all.some(({ rebuild, reached }) => rebuild !== null || reached === null)
    const ends = logs.map((of) => headIn(heads, of))
    const isBehind = all.some(({ reached }, nth) => (reached ?? 0) < (ends[nth] ?? 0))
    if (isRebuilt || !isBehind) return marks
    await new Promise<void>((resolve) => void timer.after(betweenMs, resolve))
  }
}

/** Null where it cannot be read. Throws a Fault where there is none. */
async function readMarks(link: ProjectionLink): Promise<Marks | null> {
  try {
    const marks = await marksOf(link)
    if (marks !== null) return marks
  } catch (error) {
    if (error instanceof Fault && error.code === 'projection_broken') return null
    throw error
  }
  throw new Fault('projection_unfinished', 'nothing is projected there')
}

/** Why nothing can be compared; null where it can. */
function flawOf(
  { logs }: Projected,
  marks: Marks,
  { heads, now }: { readonly heads: Heads; readonly now: Heads },
): Uncompared | null {
  const [{ realm }] = logs
  for (const of of logs) {
    const { cell } = of
    const head = headIn(heads, of)
    const where = { ...(cell !== null && { cell }), head }
    const mark = cell === null ? marks.control : marks.cells.find((each) => each.cell === cell)
    const isCell = mark !== undefined && mark.realm === of.realm
    if (cell !== null && !isCell) return { standing: 'broken', realm, position: 0, ...where }
    const position = mark?.reached ?? 0
    const at = { realm: cell === null ? marks.control.realm : realm, position, ...where }
    if (mark?.realm !== of.realm) return { standing: 'other_realm', ...at }
    if (mark.rebuild !== null || mark.reached === null) return { standing: 'incomplete', ...at }
    if (position > headIn(now, of)) return { standing: 'other_log', ...at }
  }
  return null
}
