// What the clock of the machine was when a fact was appended, and how long the machine had run: by
// both, a later process of the same start of the machine knows how late it can be. It is kept
// beside the facts, and bounds a clock that was set ahead where the log was used a moment ago.
import { parseJson } from '#record/json'
import type { Uptime } from '#ports/clock'
import { z } from 'zod'
import { witnessedMsMax } from '../stamp.ts'
import type { Connection } from './connection.ts'
import type { TableHead } from './facts.ts'

/** How often it is written, by the clock that stamps. */
const keptMsMin = 10_000

const key = 'clock'
const selectWitness = 'SELECT value FROM meta WHERE key = ?'
const writeWitness = 'INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)'

const Witness = z.object({ boot: z.string(), uptimeMs: z.int(), now: z.int() })

export class ClockWitness {
  readonly #connection: Connection
  readonly #uptime: () => Uptime | null
  /** What the clock said when this handle last wrote it. */
  #keptAt: number | null = null

  constructor(connection: Connection, uptime: () => Uptime | null) {
    this.#connection = connection
    this.#uptime = uptime
  }

  /** The end of the log, with the latest that it can be now, where the clock needs a witness. */
  bounded(head: TableHead, now: number): TableHead {
    if (head.position === 0 || now <= head.appendedAt + witnessedMsMax) return head
    const witness = this.#read()
    const uptime = witness === null ? null : this.#uptime()
    if (witness === null || uptime?.boot !== witness.boot) return head
    const passedMs = uptime.ms - witness.uptimeMs
    // It stands in a part of the machine that counts otherwise.
    if (passedMs < 0) return head
    return { ...head, latest: Math.max(head.appendedAt, witness.now + passedMs) }
  }

  /** Within the transaction of facts that this clock stamped. */
  keep(now: number): void {
    if (this.#keptAt !== null && Math.abs(now - this.#keptAt) < keptMsMin) return
    const uptime = this.#uptime()
    if (uptime === null) return
    const value = JSON.stringify({ boot: uptime.boot, uptimeMs: uptime.ms, now })
    this.#connection.run(writeWitness, [key, value])
    this.#keptAt = now
  }

  /** What was written last may not have happened. */
  forget(): void {
    this.#keptAt = null
  }

  #read() {
    const [value] = this.#connection.row(selectWitness, [key]) ?? []
    if (typeof value !== 'string') return null
    try {
      return Witness.safeParse(parseJson(value)).data ?? null
    } catch {
      return null
    }
  }
}
