// Brings what a log says to a database and keeps it there: the graph and the intents of the one
// log, or the graph from the control log of a realm and the intents of each cell from its own. Each
// log has a position of its own; where one cannot be projected the others go on, and the failure is
// reported at once and at the end. Neo4j out of reach is waited out; what must not be written over
// is refused.
import { marksOf, cellOfMarks, type CellMark, type LogMark, type Marks } from './driver/mark.ts'
import { advanceCell, advanceProjection, type ProjectionLink } from './driver/writes.ts'
import type { ProjectionMark } from './driver/mark.ts'
import { assert, Fault } from '#record/fault'
import { carried } from './projection/history.ts'
import { batchOf, batchUpTo, markOf } from './projection/pending.ts'
import { newState } from '#state/state'
import type { FaultCode } from '#schemas/faults/registry'
import { keepSnapshots, paceDefault } from '#replay/cache/keeping'
import { Follower } from '#runtime/engine/follower'
import { beginProjection, type BegunProjection, type BegunLog, type Projecting } from './begin.ts'
import { cellSteps, ControlGraph } from './control-graph.ts'
import { ProjectorFold, type Reached, type StepOf } from './fold.ts'
import { inReach, isCode, outOfReach, whenInReach } from './out-of-reach.ts'
import type { CellLog, ProjectedLog } from './projected.ts'

/** One log of those that are followed. */
export interface FollowedLog extends Omit<ProjectedLog, 'cell'> {
  readonly follower: Follower
  /** Why it is not projected any more; null while it is. */
  readonly failure: () => FaultCode | null
}

export interface ProjectorOptions extends Omit<
  Projecting,
  'link' | 'cells' | 'reach' | 'stopping'
> {
  /** Of a realm that has some: the log is its control log then. */
  readonly cells?: readonly CellLog[]
  /** Connects; what it gives is closed at the end. */
  readonly open: () => Promise<ProjectionLink & { close(): Promise<void> }>
  /** Whether it begins by wiping what is there. */
  readonly rebuild?: boolean
  /** Reported of each fold: it begins again where others rebuild the projection meanwhile. */
  readonly onFold?: (followed: FollowedLog) => void
}

/**
 * Projects until the signal aborts, and drains. Resolves with how far the database is then; null
 * where it was out of reach to the end. Throws what the first log that failed failed with, once all
 * have ended.
 */
export async function runProjector(
  options: ProjectorOptions,
  stopping: AbortSignal,
): Promise<Marks | null> {
  const { cells = [], realm, logger } = options
  const waiting = { ...options, cells, stopping, reach: { failures: 0 } }
  try {
    const link = await whenInReach(waiting, options.open)
    try {
      for (let rebuild = options.rebuild === true; ; rebuild = false) {
        const ended = await new Projection(options, { ...waiting, link }).run(rebuild)
        if (ended !== null) return ended
        logger.warn({ realm }, 'projection taken back: begun again')
      }
    } finally {
      await link.close()
    }
  } catch (error) {
    if (isCode(error, 'projector_stopped')) return null
    throw error
  }
}

interface Failed {
  readonly realm: string
  readonly error: unknown
}

/** A log while it is followed. */
interface Following<M extends LogMark> {
  readonly begun: BegunLog<M>
  readonly stepOf: StepOf
  /** Writes what is due, and says how far the database is then; null to begin all again. */
  readonly bring: (fold: ProjectorFold, was: M) => Promise<M | null>
}

class Projection {
  readonly #options: ProjectorOptions
  readonly #at: Projecting
  /** Aborts where all has to end, and perhaps to begin again. */
  readonly #ending = new AbortController()
  #isTakenBack = false
  readonly #failed: Failed[] = []
  readonly #progress = new Map<string, { readonly done: number; readonly total: number }>()

  constructor(options: ProjectorOptions, at: Projecting) {
    this.#options = options
    this.#at = { ...at, stopping: AbortSignal.any([at.stopping, this.#ending.signal]) }
  }

  /** Null where it was taken back by others and everything has to begin again. */
  async run(rebuild: boolean): Promise<Marks | null> {
    const begun = await beginProjection(this.#at, rebuild)
    const numbers = this.#at.cells.map(({ cell }) => cell)
    const control = new ControlGraph(begun.state, begun.mark, numbers)
    const cells = this.#at.cells.map((log, index) => {
      const beginning = begun.cells[index]
      assert(beginning !== undefined, 'each cell begins, or cannot')
      return this.#cell(log, control, beginning)
    })
    const [graph, ...marks] = await Promise.all([this.#graph(control, begun), ...cells])
    const [first] = this.#failed
    if (first !== undefined) throw this.#failureOf(first)
    if (this.#isTakenBack) return null
    return { control: graph, cells: marks.filter((mark) => mark !== null) }
  }

  /** The one log, or the control log, from which the graph is. */
  async #graph(control: ControlGraph, begun: BegunProjection): Promise<ProjectionMark> {
    const { link, realm } = this.#at
    const { head } = begun
    await this.#follow(this.#at, {
      begun,
      stepOf: (after) => control.taken(after),
      bring: async ({ pending }, was) => {
        const { point, ...batch } = batchOf(pending)
        assert(point !== null, 'what is due was folded')
        const mark = markOf(point)
        const reported = was.rebuild === null || mark.position >= head
        const work = () => advanceProjection(link, was, { ...batch, mark, reported })
        const now = (await this.#written(work)) ?? (await this.#marks()).control
        if (isAsFar(now, was)) control.written(now)
        return now
      },
    })
    control.end(this.#endOf(realm))
    return control.mark
  }

  /** Why no more of the graph comes; null where it is there as far as was asked. */
  #endOf(realm: string): Fault | null {
    const failed = this.#failed.find((each) => each.realm === realm)
    if (failed?.error instanceof Fault) return failed.error
    const isStopped = this.#at.stopping.aborted
    return isStopped ? new Fault('projector_stopped', 'it was asked to stop') : null
  }

  /** The mark it ended with; null where it failed. */
  async #cell(
    of: CellLog,
    control: ControlGraph,
    begun: BegunLog<CellMark> | Fault,
  ): Promise<CellMark | null> {
    const { log, realm, cell } = of
    let mark: CellMark | null = null
    if (begun instanceof Fault) {
      this.#fail(realm, begun)
      this.#shown(of, new Follower(log, newState({ realm, era: 1 }, this.#at.rootKey)))
    } else {
      mark = begun.mark
      const { head } = begun
      const bring = async (fold: ProjectorFold, was: CellMark): Promise<CellMark | null> => {
        const now = await this.#broughtCell(fold, control, { was, head })
        if (now !== null && isAsFar(now, was)) mark = now
        return now
      }
      await this.#follow(of, { begun, stepOf: cellSteps(control, cell), bring })
    }
    control.left(cell)
    return mark
  }

  async #broughtCell(
    { pending }: ProjectorFold,
    control: ControlGraph,
    { was, head }: { readonly was: CellMark; readonly head: number },
  ): Promise<CellMark | null> {
    const graph = await control.writtenFrom(pending.steps[0]?.point.graphRevision ?? 0)
    if (graph === null) return null
    const { revision: to } = graph.version
    const { judged, point } = batchUpTo(pending, to)
    assert(point !== null, 'what is due was folded')
    const mark = markOf(point)
    const advance = {
      control: graph.mark,
      was,
      graph: graph.version.graph,
      judged: judged.map((each) => {
        return carried(control.history, each.judged, { from: each.revision, to })
      }),
      mark,
      reported: was.rebuild === null || mark.position >= head,
    }
    const written = await this.#written(() => advanceCell(this.#at.link, advance))
    if (written !== null) {
      control.passed(was.cell, point.graphRevision)
      return written
    }
    const marks = await this.#marks()
    if (!isAsFar(marks.control, graph.mark)) return null
    if (isAsFar(marks.control, control.mark)) control.written(marks.control)
    return cellOfMarks(marks, was.cell)
  }

  /** What was written; null where only the database knows. */
  async #written<M extends LogMark>(work: () => Promise<M>): Promise<M | null> {
    try {
      const now = await work()
      inReach(this.#at)
      this.#at.logger.debug({ position: now.reached }, 'projected')
      return now
    } catch (error) {
      if (!isCode(error, 'projection_moved')) await outOfReach(this.#at, error)
      return null
    }
  }

  #marks(): Promise<Marks> {
    return whenInReach(this.#at, async () => {
      const marks = await marksOf(this.#at.link)
      if (marks !== null) return marks
      throw new Fault('projection_broken', 'the projection is gone: fix it by --rebuild')
    })
  }

  /** Follows one log to its end; what it fails with is reported, and the others go on. */
  async #follow<M extends LogMark>(
    of: Omit<ProjectedLog, 'cell'>,
    following: Following<M>,
  ): Promise<void> {
    try {
      if (await this.#hasEnded(of, following)) return
      this.#isTakenBack = true
      this.#ending.abort()
    } catch (error) {
      if (!isCode(error, 'projector_stopped')) this.#fail(of.realm, error)
    }
  }

  /** False where it was taken back by others. */
  async #hasEnded<M extends LogMark>(
    of: Omit<ProjectedLog, 'cell'>,
    { begun, stepOf, bring }: Following<M>,
  ): Promise<boolean> {
    const { realm, log } = of
    const { timer, logger, stopping, once = false } = this.#at
    const { state, head } = begun
    let { mark } = begun
    const to = once ? head : null
    const fold = new ProjectorFold(log, state, { reached: reachedOf(mark, head), to, stepOf })
    const stop = (): void => void fold.follower.stop()
    stopping.addEventListener('abort', stop)
    const kept = this.#kept(of, fold.follower, state.position)
    fold.start()
    if (stopping.aborted) stop()
    this.#shown(of, fold.follower)
    logger.info({ realm, position: mark.reached, head }, 'projecting')
    try {
      while (await fold.due(timer)) {
        const now = await bring(fold, mark)
        if (now === null || !isAsFar(now, mark)) return false
        this.#look(realm, { head, was: mark, now })
        mark = now
        fold.settle(reachedOf(mark, head))
      }
      return true
    } finally {
      stopping.removeEventListener('abort', stop)
      await fold.follower.stop()
      await kept?.stop()
    }
  }

  #kept({ realm, log }: Omit<ProjectedLog, 'cell'>, follower: Follower, from: number) {
    const { snapshots } = this.#at
    if (snapshots === undefined) return null
    return keepSnapshots(
      { ...this.#at, realm, log, ...snapshots, pace: paceDefault },
      follower,
      from,
    )
  }

  #fail(realm: string, error: unknown): void {
    this.#failed.push({ realm, error })
    if (this.#at.cells.length === 0) return
    this.#at.logger.error({ realm, error }, 'a log is not projected any more')
    // All have one database.
    if (error instanceof Fault && !error.code.startsWith('neo4j_')) return
    this.#ending.abort()
  }

  #failureOf({ realm, error }: Failed): unknown {
    if (this.#at.cells.length === 0 || !(error instanceof Fault)) return error
    const { code, message, retry } = error
    return new Fault(code, `${realm}: ${message}`, { cause: error, retry })
  }

  #shown({ realm, log }: Omit<ProjectedLog, 'cell'>, follower: Follower): void {
    const failure = (): FaultCode | null => {
      const failed = this.#failed.find((each) => each.realm === realm)
      if (failed === undefined) return null
      return failed.error instanceof Fault ? failed.error.code : 'follower_failed'
    }
    this.#options.onFold?.({ realm, log, follower, failure })
  }

  #look(realm: string, { head: total, was, now }: Looked): void {
    if (was.reached === null || was.reached >= total) return
    this.#progress.set(realm, { done: Math.min(now.reached ?? 0, total), total })
    const all = [...this.#progress.values()]
    const sum = (of: (each: (typeof all)[0]) => number) =>
      all.reduce((before, each) => before + of(each), 0)
    const facts = { done: sum((each) => each.done), total: sum((each) => each.total) }
    this.#at.onProgress?.({ doing: 'projecting', of: 'facts', ...facts })
  }
}

interface Looked {
  readonly head: number
  readonly was: Pick<LogMark, 'reached'>
  readonly now: Pick<LogMark, 'reached'>
}

function isAsFar({ reached }: Looked['now'], as: Looked['was']): boolean {
  return reached !== null && reached >= (as.reached ?? 0)
}

function reachedOf({ reached, digest, rebuild }: LogMark, head: number): Reached {
  return { reached: reached ?? 0, digest, visibleFrom: rebuild === null ? null : head }
}
