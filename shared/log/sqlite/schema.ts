// The tables of a log file, and the refusal of every file that is not exactly one. It must never
// repair: a file that is not what it should be is for a person to look at.
import { statSync } from 'node:fs'
import { Fault } from '#record/fault'
import type { Connection } from './connection.ts'
import { elsewhere, refuseReadOnly, torn } from './faults.ts'

/** `WRNT`, by which SQLite files of this runtime are distinguished from others. */
const applicationId = 0x57524e54
const format = 1
/** Above this size only the end of the log is checked when it is opened: 16 MiB. */
const checkedPagesMax = 4_096

/** In the words in which SQLite keeps them, so that they can be compared. */
const objects: readonly (readonly [name: string, sql: string])[] = [
  [
    'facts',
    `CREATE TABLE facts (
  position INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  appended_at INTEGER NOT NULL,
  sum INTEGER NOT NULL,
  bytes BLOB NOT NULL
) STRICT`,
  ],
  [
    'facts_never_change',
    `CREATE TRIGGER facts_never_change BEFORE UPDATE ON facts
BEGIN SELECT RAISE(ABORT, 'a fact never changes'); END`,
  ],
  [
    'facts_never_go',
    `CREATE TRIGGER facts_never_go BEFORE DELETE ON facts
BEGIN SELECT RAISE(ABORT, 'a fact never goes'); END`,
  ],
  // Every fact up to the cursor has been handed out, or is not for that queue.
  [
    'queues',
    `CREATE TABLE queues (
  id INTEGER PRIMARY KEY,
  queue TEXT NOT NULL UNIQUE,
  names TEXT NOT NULL,
  cursor INTEGER NOT NULL
) STRICT`,
  ],
  // One for each living handle that works: its jobs are its own until then.
  [
    'leases',
    `CREATE TABLE leases (
  owner INTEGER PRIMARY KEY AUTOINCREMENT,
  until INTEGER NOT NULL
) STRICT`,
  ],
  // A job that was handed out and is not ended: it has an owner, or it may be taken when it is due.
  [
    'jobs',
    `CREATE TABLE jobs (
  queue INTEGER NOT NULL,
  position INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  owner INTEGER,
  due INTEGER,
  PRIMARY KEY (queue, position)
) STRICT, WITHOUT ROWID`,
  ],
  ['jobs_due', `CREATE INDEX jobs_due ON jobs (queue, due) WHERE due IS NOT NULL`],
  [
    'meta',
    `CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID`,
  ],
]

/** Makes the file a log if it is empty, and refuses it unless it is one. */
export function prepareSchema(connection: Connection): void {
  refuseEmptied(connection.path)
  if (isEmpty(connection)) {
    // Outside of any transaction, and again for nothing if another process has been faster.
    connection.exec('PRAGMA journal_mode = WAL')
    connection.transact(() => {
      if (isEmpty(connection)) create(connection)
    })
  } else {
    // SQLite opens a file that it may not write to as well, and reports it only when something is.
    refuseReadOnly(connection.path)
  }
  refuseForeign(connection)
  refuseTorn(connection, 1)
}

/** Where a copy of one era begins: it is read, and nothing is ever appended to it. */
export function markFirst(connection: Connection, position: number): void {
  connection.run('INSERT INTO meta (key, value) VALUES (?, ?)', ['first', String(position)])
}

/** The first position that it has to have. */
export function firstIn(connection: Connection): number {
  return Number(connection.row('SELECT value FROM meta WHERE key = ?', ['first'])?.[0] ?? 1)
}

/** Refuses the file unless it is a log, and whole. */
export function demandSchema(connection: Connection): void {
  refuseForeign(connection)
  refuseTorn(connection, firstIn(connection))
}

function create(connection: Connection): void {
  for (const [, sql] of objects) connection.exec(sql)
  connection.run('INSERT INTO meta (key, value) VALUES (?, ?)', ['log', 'warrant'])
  connection.exec(`PRAGMA user_version = ${format}`)
  connection.exec(`PRAGMA application_id = ${applicationId}`)
}

function isEmpty(connection: Connection): boolean {
  if (connection.integer('PRAGMA application_id') !== 0) return false
  if (connection.integer('PRAGMA user_version') !== 0) return false
  return connection.integer('SELECT count(*) FROM sqlite_schema') === 0
}

/**
 * SQLite takes a file of no bytes for a new one, and throws away what is written beside it. The
 * write-ahead log is looked at first: another process that makes the file now writes to it last.
 */
function refuseEmptied(path: string): void {
  const size = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size(`${path}-wal`) === 0 || size(path) !== 0) return
  throw torn(path, `it has no bytes, but \`${path}-wal\` has`)
}

function refuseForeign(connection: Connection): void {
  const where = `the file \`${connection.path}\``
  if (connection.integer('PRAGMA application_id') !== applicationId) {
    const message = `${where} is not a log: it is another program's SQLite file; ${elsewhere}`
    throw new Fault('log_foreign', message)
  }
  const version = connection.integer('PRAGMA user_version') ?? 0
  if (version !== format) {
    const message = `${where} is a log of format ${version}, and this version reads ${format}`
    throw new Fault('log_foreign', `${message}: use the version that wrote it`)
  }
  const rows = connection.rows(
    "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
  )
  const found = new Map(rows.map(([name, sql]) => [name, sql]))
  const altered = objects.find(([name, sql]) => found.get(name) !== sql)?.[0]
  if (altered === undefined && found.size === objects.length) return
  const what =
    altered === undefined
      ? 'it has more tables than a log'
      : `\`${altered}\` is not as a log has it`
  throw new Fault('log_foreign', `${where} was altered: ${what}; ${elsewhere}`)
}

function refuseTorn(connection: Connection, first: number): void {
  const mark = connection.row('SELECT value FROM meta WHERE key = ?', ['log'])?.[0]
  if (mark !== 'warrant') throw torn(connection.path, 'its own mark is missing')
  if ((connection.integer('PRAGMA page_count') ?? 0) > checkedPagesMax) return
  const answer = connection.row('PRAGMA quick_check(1)')?.[0]
  if (answer !== 'ok') throw torn(connection.path, `SQLite says ${String(answer)}`)
  // In one statement, or another process could append between the two.
  const extent = connection.row('SELECT count(*), coalesce(max(position), 0) FROM facts')
  const [count, last] = extent ?? []
  if (count === Math.max(Number(last) - first + 1, 0)) return
  throw torn(connection.path, `it has ${String(count)} facts, and its last is ${String(last)}`)
}
