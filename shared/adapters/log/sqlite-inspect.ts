// What there is to see of a log file and of the disk below it. It opens the file as the log does,
// and writes nothing.
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Connection } from './sqlite-connection.ts'

export interface LogFileSeen {
  readonly file: string
  readonly bytes: number
  readonly mode: number
  /** Whether a commit is written beside the file first. */
  readonly writesAhead: boolean
  /** As appends have it. */
  readonly synchronous: number
  /** What SQLite says of every page; null where the file is too large to ask. */
  readonly pages: string | null
  /** By number, as the system says it. */
  readonly fileSystem: number
  readonly freeBytes: number
}

const checkedBytesMax = 64 * 1_024 * 1_024

export async function inspectLogFile(file: string): Promise<LogFileSeen> {
  const { size: bytes, mode } = await stat(file)
  const { type, bavail, bsize } = await statfs(dirname(file))
  const connection = new Connection(file)
  try {
    connection.configure('full')
    const isSmall = bytes <= checkedBytesMax
    return {
      file,
      bytes,
      mode: mode & 0o777,
      writesAhead: connection.row('PRAGMA journal_mode')?.[0] === 'wal',
      synchronous: connection.integer('PRAGMA synchronous') ?? 0,
      pages: isSmall ? String(connection.row('PRAGMA quick_check(1)')?.[0]) : null,
      fileSystem: type,
      freeBytes: bavail * bsize,
    }
  } finally {
    connection.abandon()
  }
}
