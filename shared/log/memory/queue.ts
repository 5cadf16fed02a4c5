// A queue of the log in memory: who has which job, and which are redelivered when. A job is out at
// one worker at most; it must never be forgotten before its worker has ended it.
import { covering } from '#record/pattern'
import type { Clock, Timer } from '#ports/clock'
import type { Fact, Job } from '#ports/log'
import { Notifier, type JobSource } from '../delivery.ts'
import { logClosed } from '../refusals.ts'

interface Again {
  readonly fact: Fact
  readonly attempt: number
  readonly due: number
}

export class MemoryQueue {
  readonly names: string
  readonly #covered: (name: string) => boolean
  readonly #facts: readonly Fact[]
  readonly #clock: Clock
  readonly #timer: Timer
  readonly #workers: MemoryWorker[] = []
  /** Every fact below this index has been handed out, or is not for this queue. */
  #next = 0
  /** Jobs that are redelivered, in the order in which they may. */
  readonly #again: Again[] = []
  #againFirst = true
  #alarm: { readonly due: number; readonly cancel: () => void } | undefined

  constructor(
    key: string,
    names: readonly string[],
    facts: readonly Fact[],
    ports: { readonly clock: Clock; readonly timer: Timer },
  ) {
    this.names = key
    this.#covered = covering(names)
    this.#facts = facts
    this.#clock = ports.clock
    this.#timer = ports.timer
  }

  join(inFlightMax: number, closing: AbortSignal): MemoryWorker {
    const worker = new MemoryWorker(this, inFlightMax, closing)
    this.#workers.push(worker)
    this.assign()
    return worker
  }

  leave(worker: MemoryWorker): void {
    const index = this.#workers.indexOf(worker)
    if (index !== -1) this.#workers.splice(index, 1)
    if (this.#workers.length === 0) this.#silence()
    this.assign()
  }

  /** Gives jobs to workers until there are no more jobs, or no worker may take one. */
  assign(): void {
    for (;;) {
      const worker = this.#idlest()
      if (worker === undefined) return
      const job = this.#take()
      if (job === undefined) return
      worker.give(job.fact, job.attempt)
    }
  }

  again(fact: Fact, attempt: number, delayMs: number): void {
    const due = this.#clock.now() + Math.max(0, Math.ceil(delayMs))
    let low = 0
    for (let high = this.#again.length; low < high;) {
      const middle = (low + high) >>> 1
      const other = this.#again[middle]
      if (other !== undefined && other.due <= due) low = middle + 1
      else high = middle
    }
    this.#again.splice(low, 0, { fact, attempt, due })
    this.assign()
  }

  #idlest(): MemoryWorker | undefined {
    let idlest: MemoryWorker | undefined
    for (const worker of this.#workers) {
      if (worker.free > (idlest?.free ?? 0)) idlest = worker
    }
    return idlest
  }

  /**
   * New jobs and those that are redelivered go first by turns, so that neither can starve the
   * other.
   */
  #take(): { readonly fact: Fact; readonly attempt: number } | undefined {
    this.#againFirst = !this.#againFirst
    if (this.#againFirst) return this.#takeAgain() ?? this.#takeNew()
    return this.#takeNew() ?? this.#takeAgain()
  }

  #takeNew(): { readonly fact: Fact; readonly attempt: number } | undefined {
    for (let fact = this.#facts[this.#next]; fact !== undefined; fact = this.#facts[this.#next]) {
      this.#next += 1
      if (this.#covered(fact.name)) return { fact, attempt: 1 }
    }
    return undefined
  }

  #takeAgain(): { readonly fact: Fact; readonly attempt: number } | undefined {
    const first = this.#again[0]
    if (first === undefined) return undefined
    const waitMs = first.due - this.#clock.now()
    if (waitMs > 0) {
      this.#wake(first.due, waitMs)
      return undefined
    }
    this.#again.shift()
    return { fact: first.fact, attempt: first.attempt + 1 }
  }

  #wake(due: number, waitMs: number): void {
    if (this.#alarm?.due === due) return
    this.#silence()
    const cancel = this.#timer.after(waitMs, () => {
      this.#alarm = undefined
      this.assign()
    })
    this.#alarm = { due, cancel }
  }

  #silence(): void {
    this.#alarm?.cancel()
    this.#alarm = undefined
  }
}

/** One call of `work`. What it has out stays its own until it is ended, or its handle is closed. */
export class MemoryWorker implements JobSource {
  readonly notifier = new Notifier()
  readonly #queue: MemoryQueue
  readonly #inFlightMax: number
  readonly #closing: AbortSignal
  readonly #out = new Set<MemoryJob>()
  readonly #ready: MemoryJob[] = []
  #left = false

  constructor(queue: MemoryQueue, inFlightMax: number, closing: AbortSignal) {
    this.#queue = queue
    this.#inFlightMax = inFlightMax
    this.#closing = closing
    closing.addEventListener('abort', this.#close)
  }

  get ended(): boolean {
    return this.#closing.aborted
  }

  get free(): number {
    return this.#inFlightMax - this.#out.size
  }

  give(fact: Fact, attempt: number): void {
    const job = new MemoryJob(this, fact, attempt)
    this.#out.add(job)
    this.#ready.push(job)
    this.notifier.ring()
  }

  next(): Job | undefined {
    return this.#ready.shift()
  }

  /** Ends a job of this worker, for ever or with a delay; what it no longer has is not touched. */
  settle(job: MemoryJob, delayMs?: number): void {
    if (this.ended) throw logClosed()
    if (!this.#out.delete(job)) return
    if (delayMs === undefined) this.#queue.assign()
    else this.#queue.again(job.fact, job.attempt, delayMs)
    if (this.#left && this.#out.size === 0) this.#closing.removeEventListener('abort', this.#close)
  }

  /** No more jobs for this worker; those that no one has seen yet are given back. */
  leave(): void {
    if (this.#left) return
    this.#left = true
    this.#queue.leave(this)
    for (const job of this.#ready.splice(0)) {
      this.#out.delete(job)
      this.#queue.again(job.fact, job.attempt - 1, 0)
    }
    if (this.#out.size === 0) this.#closing.removeEventListener('abort', this.#close)
  }

  readonly #close = (): void => {
    this.leave()
    for (const job of this.#out) this.#queue.again(job.fact, job.attempt, 0)
    this.#out.clear()
    this.notifier.ring()
  }
}

class MemoryJob implements Job {
  readonly fact: Fact
  readonly attempt: number
  readonly #worker: MemoryWorker

  constructor(worker: MemoryWorker, fact: Fact, attempt: number) {
    this.#worker = worker
    this.fact = fact
    this.attempt = attempt
  }

  async done(): Promise<void> {
    this.#worker.settle(this)
  }

  async retry(delayMs: number): Promise<void> {
    this.#worker.settle(this, delayMs)
  }
}
