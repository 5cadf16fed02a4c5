// Folds the whole log into one state, fact by fact, and notifies those who wait for a position that
// it is reached. It decides nothing.
import { Fault } from '#record/fault'
import { foldCaches, type FoldCaches } from '#state/caches/fold-caches'
import { evolve } from '#state/fold/evolve'
import type { State } from '#state/state'
import type { Folded } from '#state/folded'
import type { Timer } from '#ports/clock'
import type { Fact, Log } from '#ports/log'

/** The state is that after the fact; a listener must not change it. */
export type FoldListener = (fact: Fact, folded: Folded, state: State) => void
type Before = (fact: Fact, state: State) => void

export class Follower {
  readonly state: State
  readonly caches: FoldCaches = foldCaches()
  readonly #log: Log
  readonly #waiting = new Map<number, (() => void)[]>()
  readonly #listeners = new Set<FoldListener>()
  readonly #before = new Set<Before>()
  /** Those who look until something is so, and end when following does. */
  readonly #looking = new Set<() => void>()
  readonly #abort = new AbortController()
  readonly #failing: (failure: Fault) => void
  #running: Promise<void> | null = null
  #failure: Fault | null = null

  /** Resolves with the reason when following ends, and never while it goes on. */
  readonly failed: Promise<Fault>

  /** `state` is where it begins. */
  constructor(log: Log, state: State) {
    this.#log = log
    this.state = state
    let failing: (failure: Fault) => void = () => undefined
    this.failed = new Promise((resolve) => {
      failing = resolve
    })
    this.#failing = failing
  }

  /** Why the log is followed no more; null while it is. */
  get failure(): Fault | null {
    return this.#failure
  }

  /** Begins to follow; resolves when everything that was in the log at this moment is folded. */
  async start(): Promise<void> {
    const { position } = await this.#log.head()
    this.#running ??= this.#follow()
    await this.reached(position)
  }

  /** Whether the state has folded that position, and goes on. */
  hasReached(position: number): boolean {
    return this.#failure === null && this.state.position >= position
  }

  /** Resolves when the state has folded that position; rejects when following has failed. */
  reached(position: number): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure)
    if (this.state.position >= position) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const wake = (): void => {
        if (this.#failure === null) resolve()
        else reject(this.#failure)
      }
      const waiting = this.#waiting.get(position)
      if (waiting === undefined) this.#waiting.set(position, [wake])
      else waiting.push(wake)
    })
  }

  /**
   * Resolves with whether that is so of the state by then; rejects when following has failed. It is
   * looked at after each fact.
   */
  until(isSo: () => boolean, timer: Timer, ms: number): Promise<boolean> {
    if (isSo()) return Promise.resolve(true)
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const failure = this.#failure
        if (failure !== null) end(() => reject(failure))
        else if (isSo()) end(() => resolve(true))
      }
      const end = (settle: () => void): void => {
        this.#listeners.delete(look)
        this.#looking.delete(look)
        cancel()
        settle()
      }
      const cancel = timer.after(ms, () => end(() => resolve(false)))
      this.#listeners.add(look)
      this.#looking.add(look)
    })
  }

  /** Calls the listener after each fact is folded, until the returned function is called. */
  listen(listener: FoldListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Calls the listener right before each fact is folded, with the state as it is then, until the
   * returned function is called. It must not change that state.
   */
  before(listener: Before): () => void {
    this.#before.add(listener)
    return () => this.#before.delete(listener)
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    await this.#running
    this.#fail(new Fault('follower_stopped', 'the runtime is shutting down'))
  }

  async #follow(): Promise<void> {
    try {
      const facts = this.#log.follow(this.state.position + 1, this.#abort.signal)
      for await (const first of facts) {
        // What is here already costs no turn.
        let fact: Fact | undefined = first
        for (; fact !== undefined; fact = facts.ready?.()) this.#fold(fact)
      }
    } catch (error) {
      const isReported = error instanceof Fault && error.code === 'rules_unknown'
      const cause = { cause: error }
      this.#fail(
        isReported ? error : new Fault('follower_failed', 'the log cannot be followed', cause),
      )
    }
  }

  #fold(fact: Fact): void {
    for (const listener of this.#before) listener(fact, this.state)
    const folded = evolve(this.state, fact, this.caches)
    for (const listener of this.#listeners) listener(fact, folded, this.state)
    const waiting = this.#waiting.get(fact.position)
    if (waiting === undefined) return
    this.#waiting.delete(fact.position)
    for (const wake of waiting) wake()
  }

  #fail(failure: Fault): void {
    this.#failure ??= failure
    this.#failing(this.#failure)
    for (const waiting of this.#waiting.values()) for (const wake of waiting) wake()
    this.#waiting.clear()
    for (const look of this.#looking) look()
  }
}
