// The log in one SQLite file, for several processes on one machine. Appends that wait at the same
// moment share one transaction and one sync, and the books of queues ride along. It must never
// answer an append before its transaction is on the disk.
import { assert } from '#record/fault'
import { covering } from '#record/pattern'
import type { Clock, Timer, Uptime } from '#ports/clock'
import type {
  AppendOptions,
  Appended,
  Arriving,
  Fact,
  Head,
  Job,
  Log,
  Entry,
  Range,
  WorkOptions,
} from '#ports/log'
import { systemClock, systemTimer } from '#system/clock'
import { uptimeBeside } from '#system/uptime'
import { Notifier, deliver, follow, oneByOne, type FactSource, type Take } from '../delivery.ts'
import { logClosed, queueNames, refuseEntry, refusePatterns, refuseQueue } from '../refusals.ts'
import { AppendQueue, type Stamped } from './appends.ts'
import { busyMax, busyWaitMs, isBusy, patiently } from './busy.ts'
import { SqliteJobs } from './jobs/desk.ts'
import { isPassing } from './faults.ts'
import { leaseMsMax } from './jobs/jobs.ts'
import { readFacts } from './read.ts'
import { SqliteStore } from './store.ts'
import { SqliteWorker } from './jobs/worker.ts'

/**
 * How often to look for what other processes have done: soon after there was something, else
 * seldom.
 */
const lookMsMin = 1
const lookMsMax = 10
const leaseMsDefault = 30_000

export interface SqliteOptions {
  readonly clock?: Clock
  readonly timer?: Timer
  /** How long after its last sign of life a process counts as dead: its jobs are redelivered. */
  readonly leaseMs?: number
  /** Whether someone confirms the clock, however long the log was quiet; holds once. */
  readonly acceptClock?: boolean
  /** How long the machine has run; if not given, the system's, and none beside another clock. */
  readonly uptime?: () => Uptime | null
}

/** Opens the log in that file, and makes it if there is none. */
export async function sqliteLog(path: string, options: SqliteOptions = {}): Promise<Log> {
  const { clock = systemClock, timer = systemTimer, leaseMs = leaseMsDefault } = options
  const { acceptClock = false, uptime = uptimeBeside(clock) } = options
  assert(leaseMs <= leaseMsMax, 'a lease is no longer than one that is believed')
  const store = await patiently(timer, () => new SqliteStore(path, uptime))
  return new SqliteLog(store, { clock, timer, leaseMs, acceptClock })
}

class SqliteLog implements Log, FactSource {
  readonly notifier = new Notifier()
  readonly #store: SqliteStore
  readonly #clock: Clock
  readonly #timer: Timer
  readonly #appends = new AppendQueue()
  readonly #jobs: SqliteJobs
  #followers = 0
  #scheduled = false
  #busy = 0
  #acceptsAhead: boolean
  /** Books have waited for a transaction of facts long enough. */
  #overdue = false
  #closed = false
  #lookMs = lookMsMin
  #looking: (() => void) | undefined
  /** Why it cannot be known what other processes have appended. */
  #blind: Error | undefined
  #closing: Promise<void> | undefined
  #drained: (() => void) | undefined

  constructor(store: SqliteStore, options: Required<Omit<SqliteOptions, 'uptime'>>) {
    this.#store = store
    this.#clock = options.clock
    this.#timer = options.timer
    this.#acceptsAhead = options.acceptClock
    this.#jobs = new SqliteJobs({
      facts: store.facts,
      clock: options.clock,
      leaseMs: options.leaseMs,
      flushSoon: () => this.#schedule(),
    })
  }

  get ended(): boolean {
    return this.#closing !== undefined
  }

  append(entry: Entry, { behind }: AppendOptions = {}): Promise<Appended> {
    try {
      this.#refuseClosed()
      refuseEntry(entry)
    } catch (error) {
      return Promise.reject(error)
    }
    this.#schedule()
    return this.#appends.push({ name: entry.name, bytes: entry.bytes, behind })
  }

  async get(name: string): Promise<Fact | undefined> {
    this.#refuseClosed()
    return this.#store.named(name)
  }

  async *read(range: Range, names?: readonly string[]): AsyncGenerator<Fact, void, void> {
    this.#refuseClosed()
    if (names !== undefined) refusePatterns(names)
    yield* readFacts(this.#store, range, names, () => this.pause())
  }

  follow(from: number, signal: AbortSignal): Arriving<Fact> {
    return oneByOne(this.#pages(from, signal))
  }

  async *#pages(from: number, signal: AbortSignal): AsyncGenerator<Take<Fact>, void, void> {
    this.#refuseClosed()
    assert(Number.isSafeInteger(from), 'a position is a whole number')
    this.#followers += 1
    try {
      this.#store.catchUp()
      this.#watch()
      yield* follow(this, from, signal)
    } finally {
      this.#followers -= 1
    }
  }

  work(queue: string, names: readonly string[], options: WorkOptions): Arriving<Job> {
    return oneByOne(this.#jobsOf(queue, names, options))
  }

  async *#jobsOf(
    queue: string,
    names: readonly string[],
    options: WorkOptions,
  ): AsyncGenerator<Take<Job>, void, void> {
    this.#refuseClosed()
    refuseQueue(queue, names, options.inFlightMax)
    const key = queueNames(names)
    const id = await patiently(this.#timer, () => this.#store.ledger.queue(queue, key))
    this.#refuseClosed()
    this.#store.catchUp()
    const worker = new SqliteWorker({
      queue: id,
      covered: covering(names),
      inFlightMax: options.inFlightMax,
      reachMax: options.reachMax ?? 0,
      ledger: this.#jobs,
    })
    this.#jobs.join(worker)
    this.#watch()
    yield* deliver(worker, options.signal)
  }

  async head(): Promise<Head> {
    this.#refuseClosed()
    return this.#store.head(this.#clock.now())
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  page(from: number): readonly Fact[] {
    if (this.#blind !== undefined) throw this.#blind
    return this.#store.page(from, this.#store.last)
  }

  async pause(): Promise<void> {
    await new Promise((resolve) => void setImmediate(resolve))
  }

  async #close(): Promise<void> {
    this.#looking?.()
    this.#jobs.close()
    this.notifier.ring()
    if (!this.#appends.empty) await new Promise<void>((resolve) => void (this.#drained = resolve))
    try {
      this.#store.book((jobs) => this.#jobs.release(jobs, this.#clock.now()))
    } catch {
      // What could not be given back is redelivered when the lease has run out.
    }
    this.#closed = true
    this.#store.close()
  }

  /**
   * All that comes up in the same turn shares a transaction, and others have theirs between two.
   */
  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(this.#turn)
  }

  readonly #turn = (): void => {
    this.#scheduled = false
    if (this.#closed) return
    const entries = this.#appends.next()
    try {
      const more = this.#scan()
      if (entries.length > 0) this.#bind(entries)
      else this.#book()
      if (more || !this.#appends.empty) this.#schedule()
      this.#busy = 0
    } catch (error) {
      this.#recover(entries.length, error)
    }
    if (this.#appends.empty) this.#drained?.()
  }

  /** A log that can be written to but not read must fail its workers, and not its appends. */
  #scan(): boolean {
    try {
      return this.#jobs.scan((from) => this.page(from), this.#store.ledger)
    } catch (error) {
      if (isBusy(error)) return true
      this.#jobs.fail(error)
      return false
    }
  }

  #bind(entries: readonly Stamped[]): void {
    const now = this.#clock.now()
    const alone = this.#appends.alone
    const clock = { now, acceptsAhead: this.#acceptsAhead }
    const answers = this.#store.bind(entries, clock, (fresh, jobs) => {
      if (alone) return
      this.#jobs.scanFresh(fresh)
      this.#jobs.settle(jobs, now)
    })
    // Facts before jobs, which then need not wait for them.
    this.notifier.ring()
    if (!alone) this.#jobs.settled()
    // The log has the time of this clock now: whatever jumps later is not what was accepted.
    if (answers.some(({ appended }) => appended)) this.#acceptsAhead = false
    this.#appends.answer(answers)
    this.#lookMs = lookMsMin
  }

  /** Writes the books alone, if that is worth while. */
  #book(): void {
    const now = this.#clock.now()
    this.#jobs.peek(this.#store.ledger)
    if (!this.#jobs.wants(now) && !this.#overdue) return
    this.#store.book((jobs) => this.#jobs.settle(jobs, now))
    this.#jobs.settled()
    this.#overdue = false
  }

  #recover(count: number, error: unknown): void {
    this.#jobs.forget()
    if (isBusy(error) && this.#busy < busyMax) {
      this.#busy += 1
      this.#scheduled = true
      this.#timer.after(busyWaitMs, this.#turn)
      return
    }
    this.#busy = 0
    if (!isPassing(error)) this.#jobs.fail(error)
    if (count === 1 || isBusy(error)) this.#appends.refuse(count, error)
    else this.#appends.part(count)
    if (!this.#appends.empty) this.#schedule()
  }

  /** Looks again and again for what other processes have done, as long as that is of interest. */
  #watch(): void {
    if (this.#looking !== undefined || this.ended) return
    if (this.#followers === 0 && !this.#jobs.busy) return
    this.#looking = this.#timer.after(this.#lookMs, () => {
      this.#looking = undefined
      this.#look()
      this.#watch()
    })
  }

  #look(): void {
    this.#lookMs = Math.min(this.#lookMs * 2, lookMsMax)
    try {
      if (this.#store.changed()) {
        if (this.#store.catchUp()) this.#lookMs = lookMsMin
        this.#jobs.look(this.#store.ledger)
        this.notifier.ring()
        this.#schedule()
      }
      this.#overdue = this.#jobs.unwritten
      if (this.#overdue || this.#jobs.wants(this.#clock.now())) this.#schedule()
      this.#blind = undefined
    } catch (error) {
      if (isBusy(error)) return
      this.#jobs.fail(error)
      this.#blind = error instanceof Error ? error : new Error('unknown', { cause: error })
      this.notifier.ring()
    }
  }

  #refuseClosed(): void {
    if (this.ended) throw logClosed()
  }
}
