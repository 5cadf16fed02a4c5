// What there is to see of a log file and of the disk below it. It opens the file as the log does,
// and writes nothing.
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Fault } from '#record/fault'
import { systemClock } from '#system/clock'
import { systemUptime } from '#system/uptime'
import { Connection } from './connection.ts'
import { FactTable, type TableHead } from './facts.ts'
import { isOfFile, mayWrite } from './faults.ts'
import { readingConnection } from './reading.ts'
import { ClockWitness } from './witness.ts'

export interface LogFileSeen {
  readonly file: string
  readonly bytes: number
  readonly mode: number
  /** How many names it has. */
  readonly links: number
  /** Whether this user may append to it. */
  readonly isWritable: boolean
  /** Whether a commit is written beside the file first. */
  readonly writesAhead: boolean
  /** As appends have it; null where nothing can be appended. */
  readonly synchronous: number | null
  /** What SQLite says of every page; null where the file is too large to ask. */
  readonly pages: string | null
  /** By number, as the system says it. */
  readonly fileSystem: number
  readonly freeBytes: number
  /** The last fact, with position 0 for an empty log; and this machine's clock. */
  readonly head: TableHead
  readonly now: number
}

const checkedBytesMax = 64 * 1_024 * 1_024

export async function inspectLogFile(file: string): Promise<LogFileSeen> {
  const { size: bytes, mode, nlink: links } = await stat(file)
  const { type, bavail, bsize } = await statfs(dirname(file))
  const isWritable = mayWrite(file)
  const { connection, isRead } = opened(file, isWritable)
  const now = systemClock.now()
  try {
    const isSmall = bytes <= checkedBytesMax
    return {
      file,
      bytes,
      mode: mode & 0o777,
      links,
      isWritable,
      writesAhead: connection.row('PRAGMA journal_mode')?.[0] === 'wal',
      synchronous: isRead ? null : (connection.integer('PRAGMA synchronous') ?? 0),
      pages: isSmall ? String(connection.row('PRAGMA quick_check(1)')?.[0]) : null,
      fileSystem: type,
      freeBytes: bavail * bsize,
      head: new ClockWitness(connection, systemUptime).bounded(
        new FactTable(connection).head(),
        now,
      ),
      now,
    }
  } finally {
    connection.abandon()
  }
}

function opened(
  file: string,
  isWritable: boolean,
): { readonly connection: Connection; readonly isRead: boolean } {
  if (!isWritable) return { connection: readingConnection(file), isRead: true }
  try {
    const connection = new Connection(file)
    connection.configure('full')
    return { connection, isRead: false }
  } catch (error) {
    // A full disk, or a second name, keeps it from being written to, and not from being looked at.
    const isLinked = error instanceof Fault && error.code === 'log_linked'
    if (!isOfFile(error) && !isLinked) throw error
    return { connection: readingConnection(file), isRead: true }
  }
}
