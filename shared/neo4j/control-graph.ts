// The graph that the intents of all cells are tied to: how far it is folded from the control log,
// and how far it is written. A cell waits here for what the control log has and it has not yet.
import { Fault } from '#record/fault'
import {
  addVersion,
  forgetBefore,
  newHistory,
  versionAt,
  versionOfRevision,
  type GraphHistory,
  type GraphVersion,
} from './projection/history.ts'
import type { ProjectionStep } from './projection/pending.ts'
import { cellStepOf } from './projection/step.ts'
import type { State } from '#state/state'
import type { ProjectionMark } from './driver/mark.ts'
import { ownStep, type FoldedFact, type StepOf } from './fold.ts'

/** The graph that the database holds, and the mark that goes with it. */
interface WrittenGraph {
  readonly version: GraphVersion
  readonly mark: ProjectionMark
}

export class ControlGraph {
  readonly history: GraphHistory
  #mark: ProjectionMark
  /** Set once no more comes: why, or null where it is folded as far as was asked. */
  #end: { readonly reason: Fault | null } | null = null
  /** The revision that each cell still needs. */
  readonly #needed = new Map<number, number>()
  #ring = (): void => undefined
  #rung: Promise<void> = Promise.resolve()

  constructor(state: State, mark: ProjectionMark, cells: readonly number[]) {
    this.history = newHistory(state)
    this.#mark = mark
    for (const cell of cells) this.#needed.set(cell, 0)
    this.#hang()
  }

  /** How far the graph is written, as was last seen. */
  get mark(): ProjectionMark {
    return this.#mark
  }

  /** Takes each fact of the control log, and gives what it leaves to write. */
  taken(after: FoldedFact): ProjectionStep | null {
    const step = ownStep(after)
    // Where there are no cells, or none is left, no one asks for a graph of before.
    if (this.#needed.size === 0) return step
    addVersion(this.history, after.state, step)
    this.#chime()
    return step
  }

  /** The graph is written up to there, by this process or another. */
  written(mark: ProjectionMark): void {
    this.#mark = mark
    this.#forget()
    this.#chime()
  }

  /** No more comes: all who wait for more get the reason, if there is one. */
  end(reason: Fault | null): void {
    this.#end ??= { reason }
    this.#chime()
  }

  /** The graph of that revision, once it is folded; null where the signal aborts before. */
  async version(revision: number, signal: AbortSignal): Promise<GraphVersion | null> {
    const chime = (): void => this.#chime()
    signal.addEventListener('abort', chime, { once: true })
    try {
      while (!signal.aborted && !this.#isFolded(revision)) await this.#more()
    } finally {
      signal.removeEventListener('abort', chime)
    }
    return signal.aborted ? null : versionOfRevision(this.history, revision)
  }

  /**
   * The graph that is written, once it is of that revision or a later one; null where others wrote
   * it further than it will be folded here.
   */
  async writtenFrom(revision: number): Promise<WrittenGraph | null> {
    for (;;) {
      const version = this.#writtenVersion()
      if (version !== null && version.revision >= revision) return { version, mark: this.#mark }
      const isBeyond = this.history.latest.position < (this.#mark.reached ?? 0)
      if (isBeyond && this.#end !== null && this.#end.reason === null) return null
      await this.#more()
    }
  }

  /** The cell needs no graph before that revision. */
  passed(cell: number, revision: number): void {
    this.#needed.set(cell, revision)
    this.#forget()
  }

  /** The cell needs none any more. */
  left(cell: number): void {
    this.#needed.delete(cell)
    this.#forget()
  }

  #isFolded(revision: number): boolean {
    return this.history.latest.graphRevision >= revision
  }

  /** Null while it is not folded as far as it is written. */
  #writtenVersion(): GraphVersion | null {
    const { reached } = this.#mark
    if (reached === null || this.history.latest.position < reached) return null
    return versionAt(this.history, reached)
  }

  #forget(): void {
    const written = this.#writtenVersion()
    if (written !== null) {
      forgetBefore(this.history, Math.min(written.revision, ...this.#needed.values()))
    }
  }

  /** Resolves when there is more. Throws where no more comes. */
  async #more(): Promise<void> {
    if (this.#end !== null) throw this.#end.reason ?? strayed()
    await this.#rung
  }

  #chime(): void {
    this.#ring()
    this.#hang()
  }

  #hang(): void {
    this.#rung = new Promise((resolve) => {
      this.#ring = resolve
    })
  }
}

/** What a verdict of that cell leaves: tied to the graph of the revision that it was given at. */
export function cellSteps(control: ControlGraph, cell: number): StepOf {
  return async ({ eve, fact, state, folded, isProjected, signal }) => {
    if (isProjected || eve.intent === null || folded.void !== null) return null
    const version = await control.version(state.graphRevision, signal)
    if (version === null) return 'stopped'
    return cellStepOf(eve, { graph: version.graph, cell, state }, fact)
  }
}

function strayed(): Fault {
  const what = 'it has more of what all cells share than the control log'
  return new Fault('projection_strayed', `${what}: look at both by \`warrant doctor\``)
}
