// The tables of queues: how far each has come, which jobs are out and whose they are, and which are
// redelivered when. All of it may be lost with the machine, and then jobs are redelivered; facts
// never are.
import { assert } from '#record/fault'
import { queueDiffers } from '../../refusals.ts'
import type { Connection } from '../connection.ts'

/** A job as it is given back: by its owner, to be due at that moment. */
export interface Returned {
  readonly queue: number
  readonly position: number
  readonly attempt: number
  readonly owner: number
  readonly due: number
}

export interface TakenJob {
  readonly position: number
  readonly attempt: number
}

/**
 * The longest lease and the longest delay. One that ends later was written by a clock that ran
 * ahead, and holds no job back: or jobs would wait for years that such a process had.
 */
export const leaseMsMax = 3_600_000
export const delayMsMax = 86_400_000

const insertQueue = `INSERT INTO queues (queue, names, cursor) VALUES (?, ?, 0)
  ON CONFLICT (queue) DO NOTHING`
const selectQueue = 'SELECT id, names FROM queues WHERE queue = ?'
const selectCursor = 'SELECT cursor FROM queues WHERE id = ?'
const updateCursor = 'UPDATE queues SET cursor = ?2 WHERE id = ?1'
const insertJobs = `INSERT INTO jobs (queue, position, attempt, owner)
  SELECT ?1, value, 1, ?2 FROM json_each(?3)`
const deleteJobs = `DELETE FROM jobs
  WHERE queue = ? AND position IN (SELECT value FROM json_each(?))`
const returnJob = `UPDATE jobs SET owner = NULL, due = ?1, attempt = ?2
  WHERE queue = ?3 AND position = ?4 AND owner = ?5`
const takeDue = `UPDATE jobs SET owner = ?1, due = NULL, attempt = attempt + 1
  WHERE queue = ?2 AND position IN
    (SELECT position FROM jobs WHERE queue = ?2 AND (due <= ?3 OR due > ?5) ORDER BY due LIMIT ?4)
  RETURNING position, attempt`
const selectDue = 'SELECT due FROM jobs WHERE queue = ? AND due IS NOT NULL ORDER BY due LIMIT 1'
const insertLease = 'INSERT INTO leases (until) VALUES (?) RETURNING owner'
const updateLease = 'UPDATE leases SET until = ?2 WHERE owner = ?1'
const selectExpired = 'SELECT owner FROM leases WHERE until < ? OR until > ?'
const freeJobs = 'UPDATE jobs SET owner = NULL, due = 0 WHERE owner = ?'
const deleteLease = 'DELETE FROM leases WHERE owner = ?'

export class JobTable {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** The number of that queue, which begins before the first fact; refuses other names for it. */
  queue(queue: string, names: string): number {
    return this.#connection.transact(() => {
      this.#connection.run(insertQueue, [queue, names])
      const [id, known] = this.#connection.row(selectQueue, [queue]) ?? []
      assert(typeof id === 'number' && typeof known === 'string', 'a queue has a number and names')
      if (known !== names) throw queueDiffers(queue, known, names)
      return id
    })
  }

  cursor(queue: number): number {
    const cursor = this.#connection.integer(selectCursor, [queue])
    assert(cursor !== undefined, 'a queue has a cursor')
    return cursor
  }

  move(queue: number, cursor: number): void {
    this.#connection.run(updateCursor, [queue, cursor])
  }

  handOut(queue: number, owner: number, positions: readonly number[]): void {
    this.#connection.run(insertJobs, [queue, owner, JSON.stringify(positions)])
  }

  /**
   * Hands out the jobs that are due, the longest due first, and gives them in order of position.
   */
  take(queue: number, owner: number, now: number, countMax: number): readonly TakenJob[] {
    const rows = this.#connection.rows(takeDue, [owner, queue, now, countMax, now + delayMsMax])
    const taken = rows.map(([position, attempt]) => {
      assert(typeof position === 'number' && typeof attempt === 'number', 'a job has its numbers')
      return { position, attempt }
    })
    return taken.toSorted((a, b) => a.position - b.position)
  }

  /** When the next job of that queue is due, if any waits. */
  due(queue: number, now: number): number | undefined {
    const due = this.#connection.integer(selectDue, [queue])
    return due !== undefined && due > now + delayMsMax ? 0 : due
  }

  /** Ends jobs for ever, no matter who has them by now. */
  end(queue: number, positions: readonly number[]): void {
    this.#connection.run(deleteJobs, [queue, JSON.stringify(positions)])
  }

  /** Does nothing if the job is no longer that owner's. */
  giveBack({ queue, position, attempt, owner, due }: Returned): void {
    this.#connection.run(returnJob, [due, attempt, queue, position, owner])
  }

  /** A new owner of jobs, who is taken for dead after that moment. */
  lease(until: number): number {
    const owner = this.#connection.integer(insertLease, [until])
    assert(owner !== undefined, 'a lease has an owner')
    return owner
  }

  /** False if the owner was taken for dead, and its jobs were given to others. */
  renew(owner: number, until: number): boolean {
    return this.#connection.run(updateLease, [owner, until]) === 1
  }

  /** Gives back the jobs of all owners whose lease has run out, and says whether there were any. */
  expire(now: number): boolean {
    const expired = this.#connection.rows(selectExpired, [now, now + leaseMsMax])
    for (const [owner] of expired) if (typeof owner === 'number') this.release(owner)
    return expired.length > 0
  }

  release(owner: number): void {
    this.#connection.run(freeJobs, [owner])
    this.#connection.run(deleteLease, [owner])
  }
}
