// Brings a realm of cells to a database and keeps it there: the graph from the control log, and the
// intents of each cell from its own, each log with a position of its own. Where one cannot be
// projected the others go on, and the failure is reported at once and at the end.
import { advanceCell } from './driver/cells/writes.ts'
import { cellMarks, cellOfMarks, type CellMark } from './driver/cells/mark.ts'
import type { ProjectionMark } from './driver/mark.ts'
import { advanceProjection } from './driver/writes.ts'
import { assert, Fault } from '#record/fault'
import { carried } from './projection/history.ts'
import { intentWrites } from './projection/intent-writes.ts'
import { batchOf, batchUpTo, markOf } from './projection/pending.ts'
import { newState } from '#state/state'
import type { FaultCode } from '#schemas/faults/registry'
import { Follower } from '#runtime/engine/follower'
import { beginAll, type BegunCell, type CellLog, type CellStreams } from './cells-begin.ts'
import { cellSteps, ControlGraph } from './control-graph.ts'
import { ProjectorFold, type StepOf } from './fold.ts'
import type { ProjectorOptions } from './projector.ts'
import { inReach, isCode, outOfReach, whenInReach } from './out-of-reach.ts'
import { followed, reachedOf } from './stream.ts'

/** One log of those that are followed. */
export interface FollowedLog extends Omit<CellLog, 'cell'> {
  readonly follower: Follower
  /** Why it is not projected any more; null while it is. */
  readonly failure: () => FaultCode | null
}

/** The log is the control log. */
export interface CellsProjectorOptions extends Omit<ProjectorOptions, 'onFold'> {
  readonly cells: readonly CellLog[]
  readonly onFold?: (followed: FollowedLog) => void
}

/** How far the database is with the graph, and with each cell. */
export interface CellsProjected {
  readonly control: ProjectionMark
  readonly cells: readonly CellMark[]
}

/**
 * Projects until the signal aborts, and drains. Resolves with how far the database is then; null
 * where it was out of reach to the end. Throws what the first log that failed failed with, once all
 * have ended.
 */
export async function runCellsProjector(
  options: CellsProjectorOptions,
  stopping: AbortSignal,
): Promise<CellsProjected | null> {
  const waiting = { ...options, stopping, reach: { failures: 0 } }
  try {
    const link = await whenInReach(waiting, options.open)
    try {
      return await project(options, { ...waiting, link, onFold: () => undefined })
    } finally {
      await link.close()
    }
  } catch (error) {
    if (isCode(error, 'projector_stopped')) return null
    throw error
  }
}

async function project(options: CellsProjectorOptions, at: CellStreams): Promise<CellsProjected> {
  for (let rebuild = options.rebuild === true; ; rebuild = false) {
    const ended = await new Projection(options, at).run(rebuild)
    if (ended !== null) return ended
    at.logger.warn({ realm: at.realm }, 'projection taken back: begun again')
  }
}

interface Failed {
  readonly realm: string
  readonly error: unknown
}

class Projection {
  readonly #options: CellsProjectorOptions
  readonly #at: CellStreams
  /** Aborts where all has to end, and perhaps to begin again. */
  readonly #ending = new AbortController()
  #isTakenBack = false
  readonly #failed: Failed[] = []
  readonly #progress = new Map<string, { readonly done: number; readonly total: number }>()

  constructor(options: CellsProjectorOptions, at: CellStreams) {
    this.#options = options
    this.#at = { ...at, stopping: AbortSignal.any([at.stopping, this.#ending.signal]) }
  }

  /** Null where it was taken back by others and everything has to begin again. */
  async run(rebuild: boolean): Promise<CellsProjected | null> {
    const at = this.#at
    const begun = await beginAll(at, rebuild)
    const numbers = at.cells.map(({ cell }) => cell)
    const control = new ControlGraph(begun.state, begun.mark, numbers)
    const cells = at.cells.map((log, index) => {
      const beginning = begun.cells[index]
      assert(beginning !== undefined, 'each cell begins, or cannot')
      return this.#cell(log, control, beginning)
    })
    const [graph] = await Promise.all([this.#graph(control, begun), ...cells])
    const [first] = this.#failed
    if (first !== undefined) throw failureOf(first)
    if (this.#isTakenBack) return null
    const marks = await Promise.all(cells)
    return { control: graph, cells: marks.filter((mark) => mark !== null) }
  }

  /** The control log, from which the graph is. */
  async #graph(
    control: ControlGraph,
    begun: Pick<Awaited<ReturnType<typeof beginAll>>, 'state' | 'mark' | 'head'>,
  ): Promise<ProjectionMark> {
    const { log, realm, once = false } = this.#at
    const { state, mark, head } = begun
    const reached = reachedOf(mark, head)
    const stepOf: StepOf = (after) => control.taken(after)
    const fold = new ProjectorFold(log, state, { reached, to: once ? head : null, stepOf })
    const bring = async (was: ProjectionMark): Promise<ProjectionMark> => {
      const now = await this.#broughtGraph(fold, was, head)
      if (isAsFar(now, was)) control.written(now)
      this.#look({ realm }, { head, was, now })
      return now
    }
    await this.#followed({ realm, log }, (stream) => followed(stream, begun, { fold, bring }))
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

  async #broughtGraph(
    { pending }: ProjectorFold,
    mark: ProjectionMark,
    head: number,
  ): Promise<ProjectionMark> {
    const { link } = this.#at
    const { point, ...batch } = batchOf(pending)
    assert(point !== null, 'what is due was folded')
    const to = markOf(point)
    const reported = mark.rebuild === null || to.position >= head
    const work = () => advanceProjection(link, mark, { ...batch, mark: to, reported })
    return (await this.#written(work)) ?? (await this.#marks()).control
  }

  /** The mark it ended with; null where it failed. */
  async #cell(
    of: CellLog,
    control: ControlGraph,
    beginning: BegunCell | Fault,
  ): Promise<CellMark | null> {
    const { log, realm, cell } = of
    if (beginning instanceof Fault) {
      control.left(cell)
      this.#fail(realm, beginning)
      const state = newState({ realm, era: 1 }, this.#at.rootKey)
      this.#shown(of, new Follower(log, state))
      return null
    }
    const { state, head } = beginning
    let { mark } = beginning
    const fold = new ProjectorFold(log, state, {
      reached: reachedOf(mark, head),
      to: this.#at.once === true ? head : null,
      stepOf: cellSteps(control, cell),
    })
    const bring = async (was: CellMark): Promise<CellMark | null> => {
      const now = await this.#broughtCell(fold, control, { was, head })
      if (now === null || !isAsFar(now, was)) return null
      mark = now
      this.#look(of, { head, was, now })
      return now
    }
    await this.#followed(of, (stream) => followed(stream, beginning, { fold, bring }))
    control.left(cell)
    return mark
  }

  async #broughtCell(
    { pending }: ProjectorFold,
    control: ControlGraph,
    { was, head }: { readonly was: CellMark; readonly head: number },
  ): Promise<CellMark | null> {
    const { link } = this.#at
    const from = pending.steps[0]?.point.graphRevision ?? 0
    const graph = await control.writtenFrom(from)
    if (graph === null) return null
    const { revision: to } = graph.version
    const { judged, point } = batchUpTo(pending, to)
    assert(point !== null, 'what is due was folded')
    const tied = judged.map(({ judged: each, revision }) => {
      return carried(control.history, each, { from: revision, to })
    })
    const intents = intentWrites(graph.version.graph, tied)
    const mark = markOf(point)
    const reported = was.rebuild === null || mark.position >= head
    const advance = { control: graph.mark, was, intents, mark, reported }
    const written = await this.#written(() => advanceCell(link, advance))
    if (written !== null) {
      control.passed(was.cell, point.graphRevision)
      return written
    }
    const marks = await this.#marks()
    if (!isAsFar(marks.control, graph.mark)) return null
    if (isAsFar(marks.control, control.mark)) control.written(marks.control)
    return cellOfMarks(marks.cells, was.cell)
  }

  /** What was written; null where only the database knows. */
  async #written<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      const now = await work()
      inReach(this.#at)
      return now
    } catch (error) {
      if (!isCode(error, 'projection_moved')) await outOfReach(this.#at, error)
      return null
    }
  }

  #marks(): Promise<CellsProjected> {
    return whenInReach(this.#at, async () => {
      const marks = await cellMarks(this.#at.link)
      if (marks !== null) return marks
      throw new Fault('projection_broken', 'the projection is gone: fix it by --rebuild')
    })
  }

  /** Follows one log to its end; what it fails with is reported, and the others go on. */
  async #followed(
    { realm, log }: Omit<CellLog, 'cell'>,
    work: (stream: CellStreams) => Promise<object | null>,
  ): Promise<void> {
    const onFold = (follower: Follower) => this.#shown({ realm, log }, follower)
    try {
      const ended = await work({ ...this.#at, realm, log, onFold })
      if (ended !== null) return
      this.#isTakenBack = true
      this.#ending.abort()
    } catch (error) {
      if (!isCode(error, 'projector_stopped')) this.#fail(realm, error)
    }
  }

  #fail(realm: string, error: unknown): void {
    this.#failed.push({ realm, error })
    this.#at.logger.error({ realm, error }, 'a log is not projected any more')
    // All have one database.
    if (error instanceof Fault && !error.code.startsWith('neo4j_')) return
    this.#ending.abort()
  }

  #shown({ realm, log }: Omit<CellLog, 'cell'>, follower: Follower): void {
    const failure = (): FaultCode | null => {
      const failed = this.#failed.find((each) => each.realm === realm)
      if (failed === undefined) return null
      return failed.error instanceof Fault ? failed.error.code : 'follower_failed'
    }
    this.#options.onFold?.({ realm, log, follower, failure })
  }

  #look({ realm }: Pick<CellLog, 'realm'>, { head: total, was, now }: Looked): void {
    if (was.reached === null || was.reached >= total) return
    this.#progress.set(realm, { done: Math.min(now.reached ?? 0, total), total })
    const all = [...this.#progress.values()]
    const sum = (of: (each: (typeof all)[0]) => number) =>
      all.reduce((before, each) => before + of(each), 0)
    const facts = { done: sum((each) => each.done), total: sum((each) => each.total) }
    this.#at.onProgress?.({ doing: 'projecting', of: 'facts', ...facts })
  }
}

interface Reached {
  readonly reached: number | null
}

interface Looked {
  readonly head: number
  readonly was: Reached
  readonly now: Reached
}

function isAsFar({ reached }: Reached, as: Reached): boolean {
  return reached !== null && reached >= (as.reached ?? 0)
}

function failureOf({ realm, error }: Failed): unknown {
  if (!(error instanceof Fault)) return error
  const { code, message, retry } = error
  return new Fault(code, `${realm}: ${message}`, { cause: error, retry })
}
