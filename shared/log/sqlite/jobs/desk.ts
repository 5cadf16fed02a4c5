// The books of all workers of one handle: what is written about queues goes through here, as a part
// of a transaction that is made anyway where there is one. It must never open a transaction itself.
import { assert } from '#record/fault'
import type { Clock } from '#ports/clock'
import type { Fact } from '#ports/log'
import type { FactTable } from '../facts.ts'
import { delayMsMax, type JobTable, type Returned } from './jobs.ts'
import type { JobLedger, SqliteJob, SqliteWorker } from './worker.ts'

/** Ended jobs that wait for a transaction made for something else; more make one of their own. */
const unwrittenMax = 1_024

/** Pages that a worker looks at in one turn. */
const pagesMax = 8

/** The right to have jobs: who stops renewing it is taken for dead. */
interface Lease {
  readonly owner: number
  readonly renewAt: number
}

export interface DeskOptions {
  readonly facts: FactTable
  readonly clock: Clock
  readonly leaseMs: number
  /** Asks for a transaction soon. */
  readonly flushSoon: () => void
}

export class SqliteJobs implements JobLedger {
  closed = false
  readonly #facts: FactTable
  readonly #clock: Clock
  readonly #leaseMs: number
  readonly #flushSoon: () => void
  readonly #workers = new Set<SqliteWorker>()
  /** Jobs that workers have out, those of workers that have left included. */
  #out = 0
  #lease: Lease | undefined
  /** What a transaction that has not committed yet would make the lease. */
  #renewed: Lease | undefined
  #ended = new Map<number, number[]>()
  #returned: Returned[] = []
  #unwritten = 0
  #claimed: (readonly [SqliteWorker, readonly SqliteJob[]])[] = []

  constructor({ facts, clock, leaseMs, flushSoon }: DeskOptions) {
    this.#facts = facts
    this.#clock = clock
    this.#leaseMs = leaseMs
    this.#flushSoon = flushSoon
  }

  /** Whether it has anything to look after, now or later. */
  get busy(): boolean {
    return this.#workers.size > 0 || this.#out > 0 || this.#unwritten > 0
  }

  /** Whether anything waits to be written. */
  get unwritten(): boolean {
    return this.#unwritten > 0
  }

  join(worker: SqliteWorker): void {
    this.#workers.add(worker)
    this.#flushSoon()
  }

  leave(worker: SqliteWorker): void {
    if (!this.#workers.delete(worker)) return
    for (const job of worker.takeUnseen()) this.#return(job, job.attempt - 1, 0)
  }

  end(job: SqliteJob): void {
    const { queue } = job.worker
    const ended = this.#ended.get(queue)
    if (ended === undefined) this.#ended.set(queue, [job.fact.position])
    else ended.push(job.fact.position)
    this.#settled()
  }

  giveBack(job: SqliteJob, delayMs: number): void {
    assert(delayMs <= delayMsMax, 'a delay is a number of milliseconds, a day at most')
    const due = this.#clock.now() + Math.max(0, Math.ceil(delayMs))
    this.#return(job, job.attempt, due)
  }

  /** Whether a transaction for the books alone is worth while now. */
  wants(now: number): boolean {
    if (this.#returned.length > 0 || this.#unwritten >= unwrittenMax) return true
    if (this.busy && now >= (this.#lease?.renewAt ?? 0)) return true
    for (const worker of this.#workers) if (worker.wants(now)) return true
    return false
  }

  /** Lets workers look for candidates, a few pages each. Says whether there is more to look at. */
  scan(page: (from: number) => readonly Fact[], jobs: JobTable): boolean {
    let more = false
    for (const worker of this.#workers) {
      if (worker.scanned === undefined) worker.forward(jobs.cursor(worker.queue))
      // Of a long log most facts are none of its jobs: with a page a turn it would fall behind.
      for (let pages = 0; pages < pagesMax; pages += 1) {
        const from = worker.scanFrom
        const facts = from === undefined ? [] : page(from)
        if (facts.length === 0) break
        more = true
        worker.scan(facts)
      }
    }
    return more
  }

  /** Lets those workers that have seen all that came before look at facts just bound. */
  scanFresh(facts: readonly Fact[]): void {
    const first = facts[0]?.position
    for (const worker of this.#workers) if (worker.scanFrom === first) worker.scan(facts)
  }

  /** Releases candidates that other workers have taken since. */
  peek(jobs: JobTable): void {
    for (const worker of this.#workers) {
      if (worker.hasCandidates) worker.forward(jobs.cursor(worker.queue))
    }
  }

  /** Learns from the file when the next jobs are due, which others may have given back. */
  look(jobs: JobTable): void {
    const now = this.#clock.now()
    for (const worker of this.#workers) worker.dueAt = jobs.due(worker.queue, now) ?? Infinity
  }

  /** Writes down all there is, within a transaction, and claims jobs for its workers. */
  settle(jobs: JobTable, now: number): void {
    assert(this.#claimed.length === 0, 'what was claimed has been accepted or forgotten')
    if (this.busy && now >= (this.#lease?.renewAt ?? 0)) this.#renew(jobs, now)
    const owner = (this.#renewed ?? this.#lease)?.owner
    for (const [queue, positions] of this.#ended) jobs.end(queue, positions)
    for (const returned of this.#returned) jobs.giveBack(returned)
    if (this.#returned.length > 0) this.#askWhenDue()
    if (owner === undefined) return
    for (const worker of this.#workers) {
      const claimed = worker.claim(jobs, this.#facts, owner, now)
      if (claimed.length > 0) this.#claimed.push([worker, claimed])
    }
  }

  /** The transaction has committed: what was claimed is handed out. */
  settled(): void {
    this.#lease = this.#renewed ?? this.#lease
    this.#renewed = undefined
    if (this.#unwritten > 0) {
      this.#ended = new Map()
      this.#returned = []
      this.#unwritten = 0
    }
    const claimed = this.#claimed
    this.#claimed = []
    for (const [worker, jobs] of claimed) {
      this.#out += jobs.length
      worker.accept(jobs)
    }
  }

  /** The transaction has failed: nothing of it is true. */
  forget(): void {
    this.#claimed = []
    this.#renewed = undefined
    for (const worker of this.#workers) worker.forget()
  }

  /** Its workers be notified of what broke, and go. */
  fail(cause: unknown): void {
    const failure = cause instanceof Error ? cause : new Error('unknown', { cause })
    for (const worker of this.#workers) worker.fail(failure)
  }

  /** Nothing more is claimed or ended. */
  close(): void {
    this.closed = true
    for (const worker of this.#workers) worker.notifier.ring()
    this.#workers.clear()
  }

  /** Writes down all there is for the last time, and gives back what is still out. */
  release(jobs: JobTable, now: number): void {
    this.settle(jobs, now)
    const owner = (this.#renewed ?? this.#lease)?.owner
    if (owner !== undefined) jobs.release(owner)
  }

  #renew(jobs: JobTable, now: number): void {
    const until = now + this.#leaseMs
    const known = this.#lease?.owner
    const owner = known !== undefined && jobs.renew(known, until) ? known : jobs.lease(until)
    this.#renewed = { owner, renewAt: now + Math.floor(this.#leaseMs / 3) }
    if (jobs.expire(now)) this.#askWhenDue()
  }

  #return(job: SqliteJob, attempt: number, due: number): void {
    const { queue } = job.worker
    this.#returned.push({ queue, position: job.fact.position, attempt, owner: job.owner, due })
    this.#settled()
  }

  /** Each worker asks with its next claim when jobs are due, and may find that some are. */
  #askWhenDue(): void {
    for (const worker of this.#workers) worker.dueAt = 0
  }

  #settled(): void {
    this.#out -= 1
    this.#unwritten += 1
    this.#flushSoon()
  }
}
