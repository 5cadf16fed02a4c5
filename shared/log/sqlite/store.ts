// What a handle has of its file: two connections, the tables, and the latest facts in memory. Facts
// are written by the one that syncs; books alone by the other, which leaves that to the next fact.
import { assert } from '#record/fault'
import type { Uptime } from '#ports/clock'
import type { Appended, Fact } from '#ports/log'
import type { Stamped } from './appends.ts'
import { Connection } from './connection.ts'
import { FactTable, type TableHead, pageFactsMax } from './facts.ts'
import { JobTable } from './jobs/jobs.ts'
import { prepareSchema } from './schema.ts'
import { isAhead, isBehind, appendTimeOf } from '../stamp.ts'
import { ClockWitness } from './witness.ts'

// The latest facts, kept in memory, so that anyone who keeps up reads no file. It must never hold a
// gap: what it has ends at the last position that is known.

const factsMax = 4_096
const bytesMax = 16_777_216

class Tail {
  #facts: Fact[] = []
  readonly #byName = new Map<string, Fact>()
  #bytes = 0
  #last: number

  constructor(last: number) {
    this.#last = last
  }

  get last(): number {
    return this.#last
  }

  extend(facts: readonly Fact[]): void {
    for (const fact of facts) {
      assert(fact.position === this.#last + 1, 'the tail has no gap')
      this.#last = fact.position
      this.#bytes += fact.bytes.length
      this.#facts.push(fact)
      this.#byName.set(fact.name, fact)
    }
    while (this.#facts.length > 2 * factsMax || this.#bytes > 2 * bytesMax) this.#halve()
  }

  /** Forgets all facts: the last position is that one. */
  reset(last: number): void {
    this.#facts = []
    this.#byName.clear()
    this.#bytes = 0
    this.#last = last
  }

  /** At most that many facts from that position on; undefined if they are no longer here. */
  page(from: number, countMax: number): readonly Fact[] | undefined {
    if (from > this.#last) return []
    const index = from - (this.#last - this.#facts.length + 1)
    return index < 0 ? undefined : this.#facts.slice(index, index + countMax)
  }

  /** The facts at those positions; undefined if one is not here. */
  some(positions: readonly number[]): readonly Fact[] | undefined {
    const before = this.#last - this.#facts.length + 1
    const facts: Fact[] = []
    for (const position of positions) {
      const fact = this.#facts[position - before]
      if (fact === undefined) return undefined
      facts.push(fact)
    }
    return facts
  }

  /** The fact of that name, if it is here. */
  named(name: string): Fact | undefined {
    return this.#byName.get(name)
  }

  #halve(): void {
    const gone = this.#facts.splice(0, Math.ceil(this.#facts.length / 2))
    for (const { name, bytes } of gone) {
      this.#bytes -= bytes.length
      this.#byName.delete(name)
    }
  }
}

/**
 * Pages that are read to catch up with other processes; further behind, readers read themselves.
 */
const catchUpPagesMax = 8

/** The clock of this process, and whether it is believed once where the log has long been quiet. */
export interface OwnClock {
  readonly now: number
  readonly acceptsAhead: boolean
}

export class SqliteStore {
  /** A log that is written begins with its first fact. */
  readonly first = 1
  readonly facts: FactTable
  /** The books, outside of the transactions of facts. */
  readonly ledger: JobTable
  readonly #synced: Connection
  readonly #unsynced: Connection
  readonly #jobs: JobTable
  readonly #witness: ClockWitness
  readonly #tail: Tail
  #version = 0

  constructor(path: string, uptime: () => Uptime | null) {
    this.#synced = new Connection(path)
    try {
      prepareSchema(this.#synced)
      this.#synced.configure('full')
      this.#unsynced = new Connection(path)
    } catch (error) {
      this.#synced.abandon()
      throw error
    }
    this.#unsynced.configure('normal')
    this.facts = new FactTable(this.#synced)
    this.ledger = new JobTable(this.#unsynced)
    this.#jobs = new JobTable(this.#synced)
    this.#witness = new ClockWitness(this.#synced, uptime)
    this.#tail = new Tail(this.facts.head().position)
  }

  /**
   * Binds what can be bound, in one transaction that is on the disk when this returns. `alongside`
   * sees the facts that are new, and may write books within it.
   */
  bind(
    entries: readonly Stamped[],
    clock: OwnClock,
    alongside: (fresh: readonly Fact[], jobs: JobTable) => void,
  ): readonly Appended[] {
    try {
      return this.#synced.transact(() => {
        const { answers, fresh } = this.#insert(entries, clock)
        if (fresh.length > 0) this.#witness.keep(clock.now)
        alongside(fresh, this.#jobs)
        return answers
      })
    } catch (error) {
      // What it was given of did not happen: it learns again where the log ends.
      this.#tail.reset(0)
      this.#witness.forget()
      this.#version = -1
      throw error
    }
  }

  /** Writes books alone: not synced, since they may be lost. */
  book(write: (jobs: JobTable) => void): void {
    this.#unsynced.transact(() => write(this.ledger))
  }

  /** Where the log ends, and the latest that it can be where a clock that says this is in doubt. */
  head(now: number): TableHead {
    return this.#witness.bounded(this.facts.head(), now)
  }

  /** The last position that this handle knows of. */
  get last(): number {
    return this.#tail.last
  }

  /** The next facts of that range, as many as are read at a time; from memory if they are there. */
  page(from: number, to: number): readonly Fact[] {
    const countMax = Math.min(pageFactsMax, to - from + 1)
    if (to > this.#tail.last) return this.facts.page(from, to)
    return this.#tail.page(from, countMax) ?? this.facts.page(from, to)
  }

  /** The fact of that name, from memory if it is there: what is bound never changes. */
  named(name: string): Fact | undefined {
    return this.#tail.named(name) ?? this.facts.named(name)
  }

  /** The facts at those positions, which are in order; from memory if they are there. */
  some(positions: readonly number[]): readonly Fact[] {
    return this.#tail.some(positions) ?? this.facts.some(positions)
  }

  /** Whether another connection has written anything since it was last asked. */
  changed(): boolean {
    const version = this.#synced.version()
    if (version === this.#version) return false
    this.#version = version
    return true
  }

  /** Learns of facts that others have appended, and says whether there were any. */
  catchUp(): boolean {
    return this.#learn(this.facts.head())
  }

  #learn({ position }: TableHead): boolean {
    const behind = position - this.#tail.last
    if (behind === 0) return false
    const pagesMax = behind > catchUpPagesMax * pageFactsMax ? 0 : catchUpPagesMax
    for (let pages = 0; pages < pagesMax && this.#tail.last < position; pages += 1) {
      this.#tail.extend(this.facts.page(this.#tail.last + 1, position))
    }
    if (this.#tail.last < position) this.#tail.reset(position)
    return true
  }

  close(): void {
    this.#unsynced.close()
    this.#synced.close()
  }

  #insert(
    entries: readonly Stamped[],
    clock: OwnClock,
  ): { readonly answers: readonly Appended[]; readonly fresh: readonly Fact[] } {
    const { now, acceptsAhead } = clock
    let head = this.head(now)
    this.#learn(head)
    const fresh: Fact[] = []
    const answers = entries.map((entry) => {
      const bound = this.#bound(entry, head, clock)
      if (bound !== undefined) return { appended: false, fact: bound }
      const { name, bytes, behind } = entry
      const appendedAt = appendTimeOf({ head, now, acceptsAhead, behind })
      const fact = { position: head.position + 1, name, appendedAt, bytes }
      if (this.facts.insert(fact)) {
        head = fact
        fresh.push(fact)
        return { appended: true, fact }
      }
      const found = this.facts.named(name)
      assert(found !== undefined, 'a name that is not free is bound')
      return { appended: false, fact: found }
    })
    this.#tail.extend(fresh)
    return { answers, fresh }
  }

  /** What a name has where its clock is not believed: that it is bound needs no clock. */
  #bound({ name }: Stamped, head: TableHead, { now, acceptsAhead }: OwnClock): Fact | undefined {
    const isDoubtful = isBehind(head, now) || (isAhead(head, now) && !acceptsAhead)
    return isDoubtful ? this.facts.named(name) : undefined
  }
}
