// The table of facts: bound by name, read by position or by name. A fact whose sum does not match
// is never given out.
import { crc32 } from 'node:zlib'
import type { Fact } from '#ports/log'
import type { Connection, SqlRow } from './connection.ts'
import { torn } from './faults.ts'

export interface TableHead {
  readonly position: number
  readonly appendedAt: number
  /** The latest that it can be now, where that is known and the clock is in doubt. */
  readonly latest?: number
}

export interface Ends {
  readonly from: number
  readonly to: number
}

export interface NamedPosition {
  readonly position: number
  readonly name: string
}

export const pageFactsMax = 256
/** About how many bytes of facts are read at a time. */
const pageBytesMax = 4_194_304

const columns = 'position, name, appended_at, sum, bytes'
const insertFact = `INSERT INTO facts (${columns}) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (name) DO NOTHING`
const selectHead = 'SELECT position, appended_at FROM facts ORDER BY position DESC LIMIT 1'
const selectNamed = `SELECT ${columns} FROM facts WHERE name = ?`
const selectPage = `SELECT ${columns} FROM facts WHERE position BETWEEN ? AND ?
  ORDER BY position LIMIT ?`
const selectSome = `SELECT ${columns} FROM facts
  WHERE position IN (SELECT value FROM json_each(?)) ORDER BY position`
const between = 'FROM facts WHERE name > ? AND name < ?'
const selectFurther = `SELECT position ${between} ORDER BY name LIMIT 1 OFFSET ?`
const selectNames = `SELECT position, name ${between} AND position BETWEEN ? AND ?
  ORDER BY name LIMIT ?`

export class FactTable {
  readonly #connection: Connection
  /** What a fact weighs, by the last page: so that a page of large facts has fewer. */
  #factBytes = pageBytesMax / 64

  constructor(connection: Connection) {
    this.#connection = connection
  }

  head(): TableHead {
    const row = this.#connection.row(selectHead)
    if (row === undefined) return { position: 0, appendedAt: 0 }
    const [position, appendedAt] = row
    if (typeof position !== 'number' || typeof appendedAt !== 'number') throw this.#torn('its end')
    return { position, appendedAt }
  }

  /** Whether the name was free. Only within a transaction: the position must still be so, too. */
  insert({ position, name, appendedAt, bytes }: Fact): boolean {
    const sum = sumOf(position, name, appendedAt, bytes)
    return this.#connection.run(insertFact, [position, name, appendedAt, sum, bytes]) === 1
  }

  named(name: string): Fact | undefined {
    const row = this.#connection.row(selectNamed, [name])
    return row === undefined ? undefined : this.#fact(row)
  }

  /** The next facts of the range, as many as are read at a time: the log must have them all. */
  page(from: number, to: number): readonly Fact[] {
    const fitting = Math.ceil(pageBytesMax / this.#factBytes)
    const limit = Math.min(Math.max(fitting, 1), pageFactsMax)
    const facts = this.#connection.rows(selectPage, [from, to, limit]).map((row) => this.#fact(row))
    if (facts.length === 0) throw this.#torn(`position ${from} is missing`)
    for (const [index, fact] of facts.entries()) {
      if (fact.position !== from + index) throw this.#torn(`position ${from + index} is missing`)
    }
    this.#weigh(facts)
    return facts
  }

  /** The facts at those positions, in order. */
  some(positions: readonly number[]): readonly Fact[] {
    const rows = this.#connection.rows(selectSome, [JSON.stringify(positions)])
    if (rows.length !== positions.length) throw this.#torn('a fact is missing')
    return rows.map((row) => this.#fact(row))
  }

  /** Whether there are more than that many names between the two. */
  hasMoreNames(low: string, high: string, count: number): boolean {
    return this.#connection.row(selectFurther, [low, high, count]) !== undefined
  }

  /** Names between the two, in their order, of facts of that range; at most that many. */
  names(low: string, high: string, range: Ends, countMax: number): readonly NamedPosition[] {
    const values = [low, high, range.from, range.to, countMax]
    return this.#connection.rows(selectNames, values).map(([position, name]) => {
      if (typeof position !== 'number' || typeof name !== 'string') throw this.#torn('a name')
      return { position, name }
    })
  }

  #fact([position, name, appendedAt, sum, bytes]: SqlRow): Fact {
    if (
      typeof position !== 'number' ||
      typeof name !== 'string' ||
      typeof appendedAt !== 'number' ||
      !(bytes instanceof Uint8Array) ||
      sum !== sumOf(position, name, appendedAt, bytes)
    ) {
      throw this.#torn(`the fact at position ${String(position)} is not as it was appended`)
    }
    return { position, name, appendedAt, bytes }
  }

  #weigh(facts: readonly Fact[]): void {
    if (facts.length === 0) return
    let bytes = 0
    for (const fact of facts) bytes += fact.bytes.length
    this.#factBytes = Math.max(1, bytes / facts.length)
  }

  #torn(what: string): Error {
    return torn(this.#connection.path, what)
  }
}

function sumOf(position: number, name: string, appendedAt: number, bytes: Uint8Array): number {
  return crc32(name, (crc32(bytes) + position + appendedAt) % 0x1_0000_0000)
}
