// Follows the log through its eras by their mirrors, and remembers how far: so a time that an
// acknowledgement does not tell is known without another request.
import { Fault } from '#core/fault'
import type { Fact } from '#ports/log'
import { OrderedReading } from '../nats/reading.ts'
import type { Requests } from '../nats/requests.ts'
import type { Era, JetStreamEras } from './jetstream-eras.ts'
import { factAt, type Sentinel } from './jetstream-reads.ts'
import { Bell } from './delivery.ts'

/** How long a followed fact may be under way before the leader is asked for its time. */
const followMsMax = 50
const againMs = 250

interface Followed extends Sentinel {
  readonly era: number
}

interface Following {
  readonly era: Era
  readonly reading: OrderedReading
  readonly stop: () => void
  next: number
  /** What was next when it was last found behind the leader; null if it was not. */
  behind: number | null
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
        const following = await this.#begin(era, next)
        if (following === null) continue
        signal.addEventListener('abort', following.stop)
        try {
          while (!over() && next <= this.#lastOf(era)) {
            const page = await following.reading.page()
            // A reading that lost its place begins anew; a gap in the stream is found by its sums.
            if (page === null || page[0]?.position !== next) break
            for (const fact of page) {
              if (over()) return
              next = fact.position + 1
              following.next = next
              this.#saw(fact, era)
              yield fact
            }
          }
        } finally {
          signal.removeEventListener('abort', following.stop)
          this.#open.delete(following)
          following.stop()
        }
      }
    } finally {
      signal.removeEventListener('abort', wake)
    }
  }

  /** When the fact at that position of the era was appended; it is there. */
  async timeOf(era: Era, position: number): Promise<number> {
    const coming = this.#open.size > 0 ? await this.#comingTime(position) : null
    if (coming !== null) return coming
    const fact = await factAt(this.#requests, era, position)
    if (fact !== undefined) return fact.appendedAt
    throw new Fault('log_tampered', 'never', `position ${position} is bound, and not there`)
  }

  /** A fact that came as a job need not be waited for by the copy. */
  offer(era: Era, fact: Fact): void {
    for (const following of this.#open) {
      if (following.era.era === era.era) following.reading.offer(fact)
    }
  }

  /** An era may have been sealed: who waits at its end goes on to the next. */
  turned(): void {
    for (const { era, next, stop } of this.#open) {
      const { last = null } = this.#eras.all.find((each) => each.era === era.era) ?? {}
      if (last !== null && next > last) stop()
    }
    this.#bell.ring()
  }

  /**
   * The leader has facts up to that position. By the death of a server a reading may stay where
   * it is for good: who has not moved since the last time, and is behind, begins anew.
   */
  hasUpTo(position: number): void {
    for (const following of this.#open) {
      const { next, behind, stop } = following
      if (next === behind) stop()
      following.behind = next <= position ? next : null
    }
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

  #lastOf({ era }: Era): number {
    return this.#eras.all.find((each) => each.era === era)?.last ?? Infinity
  }

  async #begin(era: Era, from: number): Promise<Following | null> {
    const { link } = this.#requests
    try {
      const reading = await OrderedReading.open(link, { stream: era.mirror, from, filters: [] })
      const following = { era, reading, stop: () => reading.stop(), next: from, behind: null }
      this.#open.add(following)
      return following
    } catch (error) {
      const isLasting = error instanceof Fault && error.retry === 'never'
      if (isLasting || link.closed) throw error
      await new Promise((resolve) => setTimeout(resolve, againMs))
      return null
    }
  }

  #saw({ position, name, appendedAt }: Fact, { era }: Era): void {
    if (this.#followed === null || position > this.#followed.position)
      this.#followed = { name, position, era }
    if (this.#times.size === 0) return
    this.#times.get(position)?.(appendedAt)
    this.#times.delete(position)
  }
}
