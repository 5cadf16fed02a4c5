// A connection to one SQLite file: the only place that knows the driver. It must never know what a
// fact or a queue is; every error of the driver leaves here as a fault.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Database from 'libsql'
import { Fault } from '#record/fault'
import { logClosed } from '../refusals.ts'
import { faultOf } from './faults.ts'

export type Value = number | string | Uint8Array | null
export type SqlRow = readonly unknown[]

/**
 * How long the driver may block this whole process while another one writes. Transactions are
 * short, so it seldom does; who finds the file busy for longer lets others have their turn and is
 * redelivered.
 */
const busyMsMax = 20
const cacheKibibytes = 16_384
/**
 * Pages in the write-ahead log before they are moved to the file: 4 MiB. Moving them holds up all
 * appends, 16 MiB for 30 ms and these for 8; how many there are at a time does not change the rate.
 */
const checkpointPages = 1_000

/**
 * `write`: the file is made if there is none. `read`: nothing is written, and what other processes
 * append is seen. `still`: the file is taken as it stands, and nothing beside it is looked at.
 */
export type Access = 'write' | 'read' | 'still'

export class Connection {
  readonly path: string
  readonly #database: Database.Database
  readonly #statements = new Map<string, Database.Statement>()
  #open = true

  constructor(path: string, access: Access = 'write') {
    this.path = path
    refuseOther(path, access)
    try {
      this.#database = new Database(addressOf(path, access))
    } catch (cause) {
      throw faultOf(path, numberOf(cause), cause)
    }
    this.exec(`PRAGMA busy_timeout = ${busyMsMax}`)
  }

  /** `full`: a commit is on the disk when it returns. `normal`: a later full one takes it along. */
  configure(synchronous: 'full' | 'normal'): void {
    this.exec(
      `PRAGMA synchronous = ${synchronous};
       PRAGMA cache_size = -${cacheKibibytes};
       PRAGMA wal_autocheckpoint = ${checkpointPages};
       PRAGMA trusted_schema = OFF`,
    )
  }

  exec(sql: string): void {
    try {
      this.#database.exec(sql)
    } catch (cause) {
      throw this.#fault(cause)
    }
  }

  /** Runs a statement without rows and returns how many rows it changed. */
  run(sql: string, values: readonly Value[]): number {
    try {
      return this.#statement(sql).run(values).changes
    } catch (cause) {
      throw this.#fault(cause)
    }
  }

  row(sql: string, values: readonly Value[] = []): SqlRow | undefined {
    try {
      const row: unknown = this.#reader(sql).get(values)
      return Array.isArray(row) ? row : undefined
    } catch (cause) {
      throw this.#fault(cause)
    }
  }

  rows(sql: string, values: readonly Value[] = []): readonly SqlRow[] {
    try {
      return this.#reader(sql)
        .all(values)
        .filter((row) => Array.isArray(row))
    } catch (cause) {
      throw this.#fault(cause)
    }
  }

  /** The first column of the first row, which must be a whole number. */
  integer(sql: string, values: readonly Value[] = []): number | undefined {
    const value = this.row(sql, values)?.[0]
    return Number.isSafeInteger(value) && typeof value === 'number' ? value : undefined
  }

  /** Runs the work in a transaction of writing: all of it holds, or nothing. */
  transact<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.exec('COMMIT')
      return result
    } catch (error) {
      this.#rollback()
      throw error
    }
  }

  /** Changes whenever another connection has committed. */
  version(): number {
    return this.integer('PRAGMA data_version') ?? 0
  }

  /** Moves everything into the file, so that it is whole by itself, and releases it. */
  close(): void {
    if (!this.#open) return
    try {
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // Anyone who opens the file next, or still has it open, does it in our place.
    }
    this.abandon()
  }

  /** Releases the file as it is. */
  abandon(): void {
    this.#open = false
    // The driver releases for good when its statements have been collected as garbage.
    this.#statements.clear()
    this.#database.close()
  }

  #statement(sql: string): Database.Statement {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  /** A statement whose rows are lists of columns. One text is either run or read, never both. */
  #reader(sql: string): Database.Statement {
    const known = this.#statements.get(sql)
    return known ?? this.#statement(sql).raw()
  }

  #rollback(): void {
    try {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
    } catch {
      // The first error says what is wrong; SQLite has rolled back by itself if it had to.
    }
  }

  #fault(cause: unknown): Fault {
    if (cause instanceof Fault) return cause
    if (!this.#open) return logClosed()
    return faultOf(this.path, numberOf(cause), cause)
  }
}

// SQLite keeps the write-ahead log under the name by which the file was opened: two names, two of
// them. A symbolic link is resolved, and both ends have one.
function refuseOther(path: string, access: Access): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile() === false) {
    const inside = join(path, 'log.db')
    const fix = existsSync(inside) ? `give the log in it: \`${inside}\`` : 'give a file'
    throw new Fault('log_foreign', `\`${path}\` is not a file, and so no log: ${fix}`)
  }
  const links = found?.nlink ?? 1
  if (access !== 'write' || links <= 1) return
  const fix = `give this one a file of its own: \`cp ${path} COPY && mv COPY ${path}\``
  throw new Fault('log_linked', `\`${path}\` has ${links} names (hard links): ${fix}`)
}

function numberOf(cause: unknown): number {
  return cause instanceof Database.SqliteError ? (cause.rawCode ?? 0) : 0
}

function addressOf(path: string, access: Access): string {
  if (access === 'write') return path
  const { href } = pathToFileURL(path)
  return access === 'read' ? `${href}?mode=ro` : `${href}?mode=ro&immutable=1`
}
