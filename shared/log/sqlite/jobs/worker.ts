// One call of `work` on a log file: the facts that may be its next jobs, and the jobs that it has
// out. It decides nothing that another process could decide otherwise, but in a transaction.
import type { Fact, Job } from '#ports/log'
import { Crowd, reachBytesMax } from '../../crowd.ts'
import { Notifier, type JobSource } from '../../delivery.ts'
import { logClosed } from '../../refusals.ts'
import type { FactTable } from '../facts.ts'
import type { JobTable } from './jobs.ts'

/** Facts looked out for in advance, so that the next transaction need not search. */
const candidatesMax = 1_024
/** Jobs handed out in one transaction. */
const claimMax = 1_024
/** Facts passed over before the cursor is moved for their sake alone. */
const passedOverMax = 4_096
const accepted: Promise<void> = Promise.resolve()

/** What a worker notifies the one who keeps the books. */
export interface JobLedger {
  readonly closed: boolean
  end(job: SqliteJob): void
  giveBack(job: SqliteJob, delayMs: number): void
  leave(worker: SqliteWorker): void
}

export interface SqliteWorkerOptions {
  readonly queue: number
  readonly covered: (name: string) => boolean
  readonly inFlightMax: number
  readonly reachMax: number
  readonly ledger: JobLedger
}

export class SqliteWorker implements JobSource {
  readonly notifier = new Notifier()
  readonly queue: number
  /** When the next job that is redelivered is due; what others give back is learned later. */
  dueAt = 0
  readonly #covered: (name: string) => boolean
  readonly #inFlightMax: number
  readonly #reachMax: number
  readonly #ledger: JobLedger
  readonly #out = new Set<SqliteJob>()
  /** Claimed and not seen yet, in turns over agents. */
  readonly #ready = new Crowd<SqliteJob>()
  #outBytes = 0
  #candidates: Fact[] = []
  /**
   * Every covered fact up to here is a candidate or was handed out; undefined before the first
   * look.
   */
  #scanned: number | undefined
  /** How far the queue had come when it was last asked. */
  #cursor = 0
  #dueFirst = false
  #failure: Error | undefined

  constructor({ queue, covered, inFlightMax, reachMax, ledger }: SqliteWorkerOptions) {
    this.queue = queue
    this.#covered = covered
    this.#inFlightMax = inFlightMax
    this.#reachMax = Math.max(inFlightMax, reachMax)
    this.#ledger = ledger
  }

  get ended(): boolean {
    return this.#ledger.closed
  }

  get free(): number {
    const max = this.#outBytes > reachBytesMax ? this.#inFlightMax : this.#reachMax
    return Math.max(0, Math.min(max - this.#out.size, claimMax))
  }

  /** Up to where it has looked; undefined before the first look. */
  get scanned(): number | undefined {
    return this.#scanned
  }

  get hasCandidates(): boolean {
    return this.#candidates.length > 0
  }

  /** Where to look for further candidates; undefined if there are enough. */
  get scanFrom(): number | undefined {
    if (this.#scanned === undefined || this.#candidates.length >= candidatesMax) return undefined
    return this.#scanned + 1
  }

  /** Whether a transaction of its own is worth while. */
  wants(now: number): boolean {
    return this.free > 0 && (this.#candidates.length > 0 || this.dueAt <= now)
  }

  next(): Job | undefined {
    if (this.#failure !== undefined) throw this.#failure
    const underWay = this.#out.size - this.#ready.size
    return underWay >= this.#inFlightMax ? undefined : this.#ready.take(underWay)
  }

  scan(facts: readonly Fact[]): void {
    for (const fact of facts) {
      if (this.#covered(fact.name)) this.#candidates.push(fact)
      this.#scanned = fact.position
    }
  }

  /** Learns how far the queue has come, perhaps by other workers. */
  forward(cursor: number): void {
    this.#cursor = cursor
    if (this.#scanned === undefined || this.#scanned <= cursor) {
      this.#scanned = cursor
      this.#candidates = []
      return
    }
    const kept = this.#candidates.findIndex((fact) => fact.position > cursor)
    if (kept !== 0) this.#candidates.splice(0, kept === -1 ? this.#candidates.length : kept)
  }

  /** Forgets what a failed transaction may have made untrue. */
  forget(): void {
    this.#candidates = []
    this.#scanned = undefined
    this.dueAt = 0
  }

  /** Takes jobs within a transaction; they are handed out by `accept`, once it has committed. */
  claim(jobs: JobTable, facts: FactTable, owner: number, now: number): readonly SqliteJob[] {
    const passedOver = (this.#scanned ?? 0) - this.#cursor
    if (!this.wants(now) && passedOver < passedOverMax) return []
    // New jobs and those that are redelivered go first by turns, so that neither can starve the
    // other.
    this.#dueFirst = !this.#dueFirst
    const due = this.#dueFirst ? this.#claimDue(jobs, facts, owner, now, this.free) : []
    const fresh = this.#claimFresh(jobs, owner, this.free - due.length)
    const rest = this.free - due.length - fresh.length
    if (this.#dueFirst) return [...due, ...fresh]
    return [...fresh, ...this.#claimDue(jobs, facts, owner, now, rest)]
  }

  accept(jobs: readonly SqliteJob[]): void {
    for (const job of jobs) {
      this.#out.add(job)
      this.#outBytes += job.fact.bytes.length
      this.#ready.add(job)
    }
    if (jobs.length > 0) this.notifier.ring()
  }

  fail(failure: Error): void {
    this.#failure = failure
    this.notifier.ring()
  }

  end(job: SqliteJob, delayMs?: number): void {
    if (this.#ledger.closed) throw logClosed()
    if (!this.#release(job)) return
    if (this.#ready.size > 0) this.notifier.ring()
    if (delayMs === undefined) this.#ledger.end(job)
    else this.#ledger.giveBack(job, delayMs)
  }

  leave(): void {
    this.#ledger.leave(this)
  }

  takeUnseen(): readonly SqliteJob[] {
    const unseen = this.#ready.takeAll()
    for (const job of unseen) this.#release(job)
    return unseen
  }

  #release(job: SqliteJob): boolean {
    if (!this.#out.delete(job)) return false
    this.#outBytes -= job.fact.bytes.length
    return true
  }

  #claimFresh(jobs: JobTable, owner: number, countMax: number): readonly SqliteJob[] {
    this.forward(jobs.cursor(this.queue))
    const facts = this.#candidates.splice(0, Math.max(0, countMax))
    const next = this.#candidates[0]
    const cursor = next === undefined ? (this.#scanned ?? this.#cursor) : next.position - 1
    if (cursor > this.#cursor) {
      jobs.move(this.queue, cursor)
      this.#cursor = cursor
    }
    if (facts.length === 0) return []
    const positions = facts.map((fact) => fact.position)
    jobs.handOut(this.queue, owner, positions)
    return facts.map((fact) => new SqliteJob(this, fact, 1, owner))
  }

  #claimDue(
    jobs: JobTable,
    facts: FactTable,
    owner: number,
    now: number,
    countMax: number,
  ): readonly SqliteJob[] {
    if (countMax <= 0 || this.dueAt > now) return []
    const taken = jobs.take(this.queue, owner, now, countMax)
    this.dueAt = jobs.due(this.queue, now) ?? Infinity
    if (taken.length === 0) return []
    const found = facts.some(taken.map((job) => job.position))
    return found.map((fact, index) => new SqliteJob(this, fact, taken[index]?.attempt ?? 1, owner))
  }
}

export class SqliteJob implements Job {
  readonly fact: Fact
  readonly attempt: number
  readonly worker: SqliteWorker
  readonly owner: number

  constructor(worker: SqliteWorker, fact: Fact, attempt: number, owner: number) {
    this.worker = worker
    this.fact = fact
    this.attempt = attempt
    this.owner = owner
  }

  /** Is written down with the next transaction; until then it may be lost with the process. */
  done(): Promise<void> {
    return this.#end()
  }

  retry(delayMs: number): Promise<void> {
    return this.#end(delayMs)
  }

  #end(delayMs?: number): Promise<void> {
    try {
      this.worker.end(this, delayMs)
      return accepted
    } catch (error) {
      return Promise.reject(error)
    }
  }
}
