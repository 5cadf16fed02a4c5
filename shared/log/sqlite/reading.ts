// A log file that is only read: by someone who may not write it, or from a disk that cannot be
// written to. It must never write or make anything, beside the file either, and never give out a
// page that a writer was just replacing.
import { statSync } from 'node:fs'
import { Fault } from '#record/fault'
import type { Fact } from '#ports/log'
import { Connection } from './connection.ts'
import { FactTable } from './facts.ts'
import type { FactsRead } from './read.ts'
import { demandSchema, firstIn } from './schema.ts'

/**
 * Opens it without writing: with what other processes have in the write-ahead log, where there is
 * something in it, and else as the file stands.
 */
export function readingConnection(path: string): Connection {
  return openReading(path).connection
}

interface Opened {
  readonly connection: Connection
  /** The first position that it has. */
  readonly first: number
  /** What the files were like when it was taken as it stands; null where writers are seen. */
  readonly state: string | null
}

function openReading(path: string): Opened {
  const state = stateOf(path)
  const isWritten = sizeOf(`${path}-wal`) > 0
  if (isWritten && !exists(`${path}-shm`)) throw pending(path)
  const connection = new Connection(path, isWritten ? 'read' : 'still')
  try {
    connection.exec('PRAGMA trusted_schema = OFF')
    demandSchema(connection)
    return { connection, first: firstIn(connection), state: isWritten ? null : state }
  } catch (error) {
    connection.abandon()
    throw error
  }
}

export class SqliteReading implements FactsRead {
  readonly #path: string
  #opened: Opened
  #facts: FactTable
  #version = 0

  constructor(path: string) {
    this.#path = path
    this.#opened = openReading(path)
    this.#facts = new FactTable(this.#opened.connection)
  }

  get facts(): FactTable {
    this.#refresh()
    return this.#facts
  }

  get first(): number {
    return this.#opened.first
  }

  /** Whether there may be more than when it was last asked. */
  changed(): boolean {
    if (this.#opened.state === null) {
      const version = this.#opened.connection.version()
      if (version === this.#version) return false
      this.#version = version
      return true
    }
    return this.#refresh()
  }

  page(from: number, to: number): readonly Fact[] {
    return this.#steadily((facts) => facts.page(from, to))
  }

  some(positions: readonly number[]): readonly Fact[] {
    return this.#steadily((facts) => facts.some(positions))
  }

  close(): void {
    this.#opened.connection.abandon()
  }

  // A page that is read while a writer replaces it does not fit its sum: then it is read again.
  #steadily<T>(read: (facts: FactTable) => T): T {
    const { facts } = this
    try {
      return read(facts)
    } catch (error) {
      if (!this.#refresh()) throw error
      return read(this.#facts)
    }
  }

  /** Opens the file again where it no longer stands as it did, and says whether it was so. */
  #refresh(): boolean {
    const { state, connection } = this.#opened
    if (state === null || state === stateOf(this.#path)) return false
    this.#opened = openReading(this.#path)
    connection.abandon()
    this.#facts = new FactTable(this.#opened.connection)
    return true
  }
}

/** What changes whenever the file or the write-ahead log beside it does. */
function stateOf(path: string): string {
  return [path, `${path}-wal`]
    .map((file) => {
      const seen = statSync(file, { throwIfNoEntry: false, bigint: true })
      return seen === undefined ? '-' : `${seen.ino} ${seen.size} ${seen.mtimeNs}`
    })
    .join(' ')
}

function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function pending(path: string): Fault {
  const message =
    `the log \`${path}\` was not closed: its last facts are only in \`${path}-wal\`, and to read ` +
    'them something must be written; copy both files to a folder that may be written to'
  return new Fault('log_read_only', message)
}
