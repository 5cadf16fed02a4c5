// The bare competitor: the driver alone, which inserts rows that are given to it, with the promise
// of the log and none of its work. It knows no name, no queue and no reader.
import Database from 'libsql'
import type { Entry } from '#ports/log'

// Durable at each commit, as the log is, and with the cache and the checkpoints that it has.
const setup = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 1000; PRAGMA cache_size = -16384;
  CREATE TABLE facts (position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
    appended_at INTEGER NOT NULL, bytes BLOB NOT NULL)`

/** Rows a second, in transactions of that many. */
export function insertRate(path: string, rows: readonly Entry[], group: number): number {
  const { database, insert } = opened(path)
  const start = performance.now()
  for (let first = 0; first < rows.length; first += group) {
    database.exec('BEGIN IMMEDIATE')
    const end = Math.min(first + group, rows.length)
    for (let index = first; index < end; index += 1) insertRow(insert, rows, index)
    database.exec('COMMIT')
  }
  const seconds = (performance.now() - start) / 1000
  database.close()
  return rows.length / seconds
}

/** How long each insert takes that is a transaction of its own, in milliseconds. */
export function insertTimes(path: string, rows: readonly Entry[]): readonly number[] {
  const { database, insert } = opened(path)
  const times = rows.map((_, index) => {
    const start = performance.now()
    insertRow(insert, rows, index)
    return performance.now() - start
  })
  database.close()
  return times
}

/** Seconds to read all rows of a file of the log in order and parse each, with the driver alone. */
export function readSeconds(path: string): number {
  const database = new Database(path, { readonly: true })
  const all = database.prepare('SELECT bytes FROM facts ORDER BY position').raw()
  const start = performance.now()
  for (const row of all.iterate([])) {
    const bytes: unknown = Array.isArray(row) ? row[0] : undefined
    if (bytes instanceof Buffer) JSON.parse(bytes.toString('utf8'))
  }
  const seconds = (performance.now() - start) / 1000
  database.close()
  return seconds
}

function opened(path: string) {
  const database = new Database(path)
  database.exec(setup)
  const insert = database.prepare(
    'INSERT INTO facts (position, name, appended_at, bytes) VALUES (?, ?, ?, ?)',
  )
  return { database, insert }
}

function insertRow(insert: Database.Statement, rows: readonly Entry[], index: number): void {
  const row = rows[index]
  if (row !== undefined) insert.run([index + 1, row.name, Date.now(), row.bytes])
}
