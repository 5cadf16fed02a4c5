// A connection to one SQLite file: the only place that knows the driver. It must never know what a
// fact or a queue is; every error of the driver leaves here as a fault.
import Database from 'libsql'
import { Fault } from '#core/fault'
import { logClosed } from './refusals.ts'

export type Value = number | string | Uint8Array | null
export type Row = readonly unknown[]

/**
 * How long the driver may block this whole process while another one writes. Transactions are
 * short, so it seldom does; who finds the file busy for longer lets others have their turn and
 * comes again.
 */
const busyMsMax = 20
const cacheKibibytes = 16_384
/**
 * Pages in the write-ahead log before they are moved to the file: 4 MiB. Moving them holds up all
 * appends, 16 MiB for 30 ms and these for 8; how many there are at a time does not change the rate.
 */
const checkpointPages = 1_000

export class Connection {
  readonly path: string
  readonly #database: Database.Database
  readonly #statements = new Map<string, Database.Statement>()
  #open = true

  constructor(path: string) {
    this.path = path
    try {
      this.#database = new Database(path)
    } catch (cause) {
      const mend = 'is there such a folder, and may it be written to'
      const message = `the log \`${path}\` cannot be opened: ${mend}`
      throw new Fault('log_unavailable', 'soon', message, { cause })
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

  row(sql: string, values: readonly Value[] = []): Row | undefined {
    try {
      const row: unknown = this.#reader(sql).get(values)
      return Array.isArray(row) ? row : undefined
    } catch (cause) {
      throw this.#fault(cause)
    }
  }

  rows(sql: string, values: readonly Value[] = []): readonly Row[] {
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

  /** Moves everything into the file, so that it is whole by itself, and lets go of it. */
  close(): void {
    if (!this.#open) return
    try {
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // Whoever opens the file next, or still has it open, does it in our place.
    }
    this.abandon()
  }

  /** Lets go of the file as it is. */
  abandon(): void {
    this.#open = false
    // The driver lets go for good when its statements have been collected as garbage.
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
    const code = cause instanceof Database.SqliteError ? cause.code : ''
    const where = `the log \`${this.path}\``
    if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
      const message = `${where} is being written to by another process`
      return new Fault('log_busy', 'soon', message, { cause })
    }
    if (code.startsWith('SQLITE_NOTADB')) {
      const mend = 'give another path, or move the file away'
      const message = `${where} is no log: the file is no SQLite file; ${mend}`
      return new Fault('log_foreign', 'never', message, { cause })
    }
    if (code.startsWith('SQLITE_CORRUPT')) return torn(this.path, 'a page of it is damaged', cause)
    const message = `${where} cannot be used: ${cause instanceof Error ? cause.message : 'unknown'}`
    return new Fault('log_unavailable', 'soon', message, { cause })
  }
}

export function torn(path: string, what: string, cause?: unknown): Fault {
  const message = `the log \`${path}\` is torn: ${what}; restore the file from a copy`
  return new Fault('log_torn', 'never', message, { cause })
}
