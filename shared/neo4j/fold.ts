// Folds a log for a projector: what each fact leaves to write is kept until it is written, and
// while a whole batch waits nothing more is folded, so memory stays bounded however slow the
// database is.
import { digestOf } from '#record/digest'
import { Fault } from '#record/fault'
import {
  addStep,
  isFull,
  newPending,
  pointOf,
  settle,
  type PendingBatch,
  type ProjectionStep,
} from './projection/pending.ts'
import { eveOf, projectionStepOf, type Eve } from './projection/step.ts'
import type { State } from '#state/state'
import type { Folded } from '#state/folded'
import type { Timer } from '#ports/clock'
import type { Fact, Log } from '#ports/log'
import { groundingOf } from '#runtime/engine/gathering/open-reviews'
import { Follower } from '#runtime/engine/follower'

/** What the projection says of where it is. */
export interface Reached {
  readonly reached: number
  readonly digest: string | null
  /** From which position on readers see it; null where they see it already. */
  readonly visibleFrom: number | null
}

/** A fact right after it is folded. */
export interface FoldedFact {
  readonly fact: Fact
  readonly eve: Eve
  readonly state: State
  readonly folded: Folded
  /** Whether the projection has it. */
  readonly isProjected: boolean
  /** Aborts when folding ends: then no one waits for the step. */
  readonly signal: AbortSignal
}

/** What it leaves to write, null where that is nothing; `stopped` where the signal aborted. */
export type StepOf = (
  after: FoldedFact,
) => ProjectionStep | null | Promise<ProjectionStep | null | 'stopped'>

export const ownStep = ({ eve, state, fact, folded }: FoldedFact): ProjectionStep | null => {
  return projectionStepOf(eve, state, fact, folded)
}

export interface FoldUse {
  readonly reached: Reached
  /** Where it ends; null where it goes on. */
  readonly to: number | null
  readonly stepOf?: StepOf
}

const batchMsMax = 100

export class ProjectorFold {
  readonly follower: Follower
  readonly pending: PendingBatch
  #reached: Reached
  #hasEnded = false
  #failure: unknown = null
  readonly #log: Log
  #ring = (): void => undefined
  #rung: Promise<void> = Promise.resolve()
  readonly #stepOf: StepOf

  /** Goes on from the state. */
  constructor(log: Log, state: State, { reached, to, stepOf = ownStep }: FoldUse) {
    this.#stepOf = stepOf
    this.pending = newPending(state.graph)
    this.#log = log
    this.#reached = reached
    this.#hang()
    this.follower = new Follower(this.#tapped(log, state, to), state)
  }

  /** Begins to fold; ends when the follower is stopped or `to` is reached. Never waits. */
  start(): void {
    // What it has folded is reported by `due`, and that the log did not even say how far it is,
    // too.
    this.follower.start().catch((error: unknown) => {
      this.#over(error instanceof Fault && error.code === 'follower_stopped' ? null : error)
    })
  }

  /**
   * Resolves when a batch should be written: as much as one takes, or the little there is, soon
   * after it came. False when all is written and folding has ended. Throws what ended it.
   */
  async due(timer: Timer): Promise<boolean> {
    await this.#until(() => this.#isBehind())
    const late = new AbortController()
    const cancel = timer.after(batchMsMax, () => {
      late.abort()
      this.#chime()
    })
    await this.#until(() => late.signal.aborted || isFull(this.pending))
    cancel()
    if (this.#failure !== null) throw causeOf(this.#failure)
    return this.#isBehind()
  }

  /** The projection is there: by this projector or by another. */
  settle(reached: Reached): void {
    this.#reached = reached
    settle(this.pending, reached.reached)
    this.#chime()
  }

  /** Resolves when that is so, or folding has ended. */
  async #until(isSo: () => boolean): Promise<void> {
    while (!this.#hasEnded && !isSo()) await this.#rung
  }

  #isBehind(): boolean {
    const position = this.pending.last?.fact.position ?? 0
    const { reached, visibleFrom } = this.#reached
    return position > reached || (visibleFrom !== null && position > 0 && position >= visibleFrom)
  }

  /** The log, with a look at the state just before and just after each fact is folded. */
  #tapped(log: Log, state: State, to: number | null): Log {
    const facts = (from: number, signal: AbortSignal): AsyncIterable<Fact> =>
      to === null ? log.follow(from, signal) : log.read({ from, to })
    const follow = this.#follow.bind(this)
    return {
      append: (entry) => log.append(entry),
      get: (name) => log.get(name),
      read: (range, names) => log.read(range, names),
      follow: (from, signal) => follow(facts(from, signal), state, signal),
      work: (queue, names, options) => log.work(queue, names, options),
      head: () => log.head(),
      close: () => log.close(),
    }
  }

  async *#follow(
    facts: AsyncIterable<Fact>,
    state: State,
    signal: AbortSignal,
  ): AsyncGenerator<Fact> {
    let folded: Folded = { parts: null, void: null }
    const stop = this.follower.listen((_, what) => {
      folded = what
    })
    signal.addEventListener('abort', () => this.#chime(), { once: true })
    try {
      for await (const fact of facts) {
        const eve = await this.#eve(state, fact)
        // The reader folds it before it asks for the next.
        yield fact
        const isProjected = fact.position <= this.#reached.reached
        const after = { fact, eve, state, folded, isProjected, signal }
        if (!(await this.#isTaken(after))) break
        await this.#until(() => signal.aborted || !isFull(this.pending))
        if (signal.aborted) break
      }
      this.#over(null)
    } catch (error) {
      this.#over(error)
      throw error
    } finally {
      stop()
    }
  }

  // What the fold has just passed is nearly always at hand still.
  async #eve(state: State, fact: Fact): Promise<Eve> {
    const eve = eveOf(state, fact, this.follower.caches.facts)
    if (eve.grounding !== undefined || eve.intent === null) return eve
    const { intent } = eve
    return {
      ...eve,
      grounding: await groundingOf({ log: this.#log, follower: this.follower }, intent),
    }
  }

  #over(failure: unknown): void {
    this.#failure ??= failure
    this.#hasEnded = true
    this.#chime()
  }

  /** False where folding ends before what it leaves is known. */
  async #isTaken(after: FoldedFact): Promise<boolean> {
    const { fact, state } = after
    const { reached, digest } = this.#reached
    if (fact.position === reached && digest !== null) demandSame(fact, digest)
    const step = await this.#stepOf(after)
    if (step === 'stopped') return false
    // Another projector may have brought it here meanwhile.
    if (step !== null && fact.position > this.#reached.reached) addStep(this.pending, step)
    else this.pending.base = step?.next ?? this.pending.base
    this.pending.last = pointOf(state, fact)
    this.#chime()
    return true
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

function demandSame(fact: Fact, digest: string): void {
  if (digestOf(fact.bytes) === digest) return
  const what = `the projection stands at position ${fact.position} of another log`
  throw new Fault('projection_strayed', `${what}: project this one by --rebuild`)
}

/** Following fails with what was thrown here as its cause. */
function causeOf(failure: unknown): unknown {
  const cause = failure instanceof Fault ? failure.cause : undefined
  return cause instanceof Fault ? cause : failure
}
