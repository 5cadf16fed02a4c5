// Follows the log through its eras by their mirrors, and remembers how far: so a time that an
// acknowledgement does not tell is known without another request.
import { Fault } from '#core/fault'
import type { Fact } from '#ports/log'
import type { OrderedReading, Stored } from '../nats/link.ts'
import type { Requests } from '../nats/requests.ts'
import type { Era, JetStreamEras } from './jetstream-eras.ts'
import { factAt, factOf, type Sentinel } from './jetstream-reads.ts'
import { Bell } from './delivery.ts'

/** How long a followed fact may be under way before the leader is asked for its time. */
const followMsMax = 50
const againMs = 250

interface Followed extends Sentinel {
  readonly era: number
}

interface Following {
  readonly era: Era
  readonly stop: () => void
  next: number
}

export class JetStreamFollowing {
  readonly #requests: Requests
  readonly #eras: JetStreamEras
  readonly #open = new Set<Following>()
  readonly #times = new Map<number, (appendedAt: number) => void>()
  readonly #bell = new Bell()
  readonly #closing = new AbortController()
  #followed: Followed | null = null
  #failure: Fault | null = null

  constructor(requests: Requests, eras: JetStreamEras) {
    this.#requests = requests
    this.#eras = eras
  }

  /** The latest fact that somebody here has followed. */
  get followed(): Followed | null {
    return this.#followed
  }

  async *follow(from: number, signal: AbortSignal): AsyncGenerator<Fact, void, void> {
    const over = (): boolean => signal.aborted || this.#closing.signal.aborted
    const wake = (): void => this.#bell.ring()
    signal.addEventListener('abort', wake)
    try {
      let next = Math.max(from, this.#eras.all[0]?.first ?? 1)
      while (!over()) {
        if (this.#failure !== null) throw this.#failure
        const era = this.#eras.at(next)
        if (era === undefined) {
          await this.#bell.wait()
          continue
        }
        for await (const fact of this.#followEra(era, next, signal)) {
          if (over()) return
          yield fact
          next = fact.position + 1
        }
      }
    } finally {
      signal.removeEventListener('abort', wake)
    }
  }

  /** When the fact at that position was appended; it is there. */
  async timeOf(position: number): Promise<number> {
    const coming = this.#open.size > 0 ? await this.#comingTime(position) : null
    if (coming !== null) return coming
    const era = this.#eras.at(position)
    const fact = era === undefined ? undefined : await factAt(this.#requests, era, position)
    if (fact !== undefined) return fact.appendedAt
    throw new Fault('log_tampered', 'never', `position ${position} is bound, and not there`)
  }

  /** An era may have been sealed: who waits at its end goes on to the next. */
  turned(): void {
    for (const { era, next, stop } of this.#open) {
      const { last = null } = this.#eras.all.find((each) => each.era === era.era) ?? {}
      if (last !== null && next > last) stop()
    }
    this.#bell.ring()
  }

  fail(fault: Fault): void {
    this.#failure ??= fault
    for (const { stop } of this.#open) stop()
    this.#bell.ring()
  }

  close(): void {
    this.#closing.abort()
    for (const { stop } of this.#open) stop()
    this.#bell.ring()
  }

  #comingTime(position: number): Promise<number | null> {
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        this.#times.delete(position)
        resolve(null)
      }, followMsMax)
      this.#times.set(position, (appendedAt) => {
        clearTimeout(late)
        resolve(appendedAt)
      })
    })
  }

  /** Ends at the end of the era, when it is stopped, and when its reading breaks off. */
  async *#followEra(era: Era, from: number, signal: AbortSignal): AsyncGenerator<Fact, void, void> {
    const reading = await this.#reading(era, from)
    if (reading === null) return
    const following = { era, stop: () => reading.stop(), next: from }
    this.#open.add(following)
    const stop = following.stop
    signal.addEventListener('abort', stop)
    try {
      if (signal.aborted || this.#closing.signal.aborted) return
      for await (const stored of reading.messages) {
        if (stored.sequence < following.next) continue
        // A gap here is a reading that lost its place; a gap in the stream is found by its sums.
        if (stored.sequence > following.next) return
        this.#saw(stored, era)
        following.next += 1
        yield factOf(stored)
        const last = this.#eras.all.find((each) => each.era === era.era)?.last ?? Infinity
        if (following.next > last) return
      }
    } finally {
      signal.removeEventListener('abort', stop)
      this.#open.delete(following)
      reading.stop()
    }
  }

  async #reading(era: Era, from: number): Promise<OrderedReading | null> {
    try {
      return await this.#requests.link.ordered(era.mirror, from, [])
    } catch (error) {
      const isLasting = error instanceof Fault && error.retry === 'never'
      if (isLasting || this.#requests.link.closed) throw error
      await new Promise((resolve) => setTimeout(resolve, againMs))
      return null
    }
  }

  #saw({ sequence, subject, storedAt }: Stored, { era }: Era): void {
    if (this.#followed === null || sequence > this.#followed.position)
      this.#followed = { name: subject, position: sequence, era }
    if (this.#times.size === 0) return
    this.#times.get(sequence)?.(storedAt)
    this.#times.delete(sequence)
  }
}
