// The log in one SQLite file for someone who may only read it. Everything that would write is
// refused, in one way, and says why.
import { assert } from '#record/fault'
import { systemTimer } from '#system/clock'
import type { Timer } from '#ports/clock'
import type { Appended, Arriving, Fact, Head, Job, Log, Range } from '#ports/log'
import { Notifier, follow, oneByOne, type FactSource, type Take } from '../delivery.ts'
import { logClosed, refusePatterns } from '../refusals.ts'
import { readOnly } from './faults.ts'
import { readFacts } from './read.ts'
import { SqliteReading } from './reading.ts'

/** How often it is looked at for what others have appended. */
const lookMs = 50

/** Opens the log that is in that file; never makes one. */
export function readOnlySqliteLog(path: string, timer: Timer = systemTimer): Log {
  return new ReadOnlyLog(path, timer)
}

class ReadOnlyLog implements Log, FactSource {
  readonly notifier = new Notifier()
  readonly #path: string
  readonly #timer: Timer
  readonly #reading: SqliteReading
  #followers = 0
  #looking: (() => void) | undefined
  /** Why it cannot be known what others have appended. */
  #blind: Error | undefined
  #closed = false

  constructor(path: string, timer: Timer) {
    this.#path = path
    this.#timer = timer
    this.#reading = new SqliteReading(path)
  }

  get ended(): boolean {
    return this.#closed
  }

  append(): Promise<Appended> {
    return Promise.reject(this.#closed ? logClosed() : readOnly(this.#path))
  }

  async get(name: string): Promise<Fact | undefined> {
    this.#refuseClosed()
    return this.#reading.facts.named(name)
  }

  async *read(range: Range, names?: readonly string[]): AsyncGenerator<Fact, void, void> {
    this.#refuseClosed()
    if (names !== undefined) refusePatterns(names)
    yield* readFacts(this.#reading, range, names, () => this.pause())
  }

  follow(from: number, signal: AbortSignal): Arriving<Fact> {
    return oneByOne(this.#pages(from, signal))
  }

  async *#pages(from: number, signal: AbortSignal): AsyncGenerator<Take<Fact>, void, void> {
    this.#refuseClosed()
    assert(Number.isSafeInteger(from), 'a position is a whole number')
    this.#followers += 1
    this.#watch()
    try {
      yield* follow(this, from, signal)
    } finally {
      this.#followers -= 1
    }
  }

  // eslint-disable-next-line require-yield
  async *work(): AsyncGenerator<Job, void, void> {
    throw this.#closed ? logClosed() : readOnly(this.#path)
  }

  async head(): Promise<Head> {
    this.#refuseClosed()
    return this.#reading.facts.head()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#looking?.()
    this.notifier.ring()
    this.#reading.close()
  }

  page(from: number): readonly Fact[] {
    if (this.#blind !== undefined) throw this.#blind
    const { position } = this.#reading.facts.head()
    return from > position ? [] : this.#reading.page(from, position)
  }

  async pause(): Promise<void> {
    await new Promise((resolve) => void setImmediate(resolve))
  }

  #watch(): void {
    if (this.#looking !== undefined || this.#closed || this.#followers === 0) return
    this.#looking = this.#timer.after(lookMs, () => {
      this.#looking = undefined
      try {
        if (this.#reading.changed()) this.notifier.ring()
      } catch (error) {
        this.#blind = error instanceof Error ? error : new Error('unknown', { cause: error })
        this.notifier.ring()
      }
      this.#watch()
    })
  }

  #refuseClosed(): void {
    if (this.#closed) throw logClosed()
  }
}
