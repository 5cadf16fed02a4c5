// Follows the log through its eras by their mirrors, and remembers how far: so a time that an
// acknowledgement does not report is known without another request.
import { Fault } from '#record/fault'
import { nameInside } from '#record/roles'
import type { Fact } from '#ports/log'
import { OrderedReading } from '../nats/reading.ts'
import type { Requests } from '../nats/requests.ts'
import type { Era, JetStreamEras } from './eras.ts'
import { copyHas, factAt, fromLeader, type Sentinel } from './reads.ts'
import { Notifier, type Take } from '../delivery.ts'

/** So long the copy may stand still before the leader is asked for what is under way. */
const followMsMax = 50
/** And so often it may have moved meanwhile. */
const looksMax = 100

/** Someone who waits for what the copy brings. */
interface Patient {
  looks: number
  readonly looksMin: number
  giveUp(): void
}
const againMs = 250
const recentMax = 4_096

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
  /** Whether it stayed there. */
  isStuck: boolean
}

export class JetStreamFollowing {
  readonly #requests: Requests
  readonly #eras: JetStreamEras
  readonly #open = new Set<Following>()
  readonly #times = new Map<number, (appendedAt: number) => void>()
  readonly #coming = new Map<string, Set<(fact: Fact) => void>>()
  readonly #notifier = new Notifier()
  /** The times of the facts that were followed last. */
  readonly #recent: { readonly position: number; readonly appendedAt: number }[] = []
  readonly #closing = new AbortController()
  #followed: Followed | null = null
  #failure: Fault | null = null
  readonly #patient = new Set<Patient>()
  #looking: NodeJS.Timeout | undefined
  #movedTo = 0

  constructor(requests: Requests, eras: JetStreamEras) {
    this.#requests = requests
    this.#eras = eras
  }

  /** The latest fact that someone here has followed. */
  get followed(): Followed | null {
    return this.#followed
  }

  async *follow(from: number, signal: AbortSignal): AsyncGenerator<Take<Fact>, void, void> {
    const over = (): boolean => signal.aborted || this.#closing.signal.aborted
    const wake = (): void => this.#notifier.ring()
    signal.addEventListener('abort', wake)
    try {
      let next = Math.max(from, this.#eras.all[0]?.first ?? 1)
      let isStuck = false
      while (!over()) {
        if (this.#failure !== null) throw this.#failure
        const era = this.#eras.at(next)
        if (era === undefined) {
          await this.#notifier.wait()
          continue
        }
        const source = isStuck ? this.#ofLeader(era, next) : this.#ofMirror(era, next, signal)
        let isBehind = false
        for await (const page of source) {
          if (over()) return
          if (page === 'behind') {
            isBehind = true
            break
          }
          let at = 0
          yield () => {
            const fact = over() ? undefined : page[at]
            if (fact === undefined) return undefined
            at += 1
            next = fact.position + 1
            this.#saw(fact, era)
            return fact
          }
        }
        isStuck = isBehind
      }
    } finally {
      signal.removeEventListener('abort', wake)
    }
  }

  /** When the fact at that position of the era was appended; it is there. */
  async timeOf(era: Era, position: number): Promise<number> {
    // It may have been followed before it was acknowledged.
    const recent = this.#recent[position % recentMax]
    if (recent?.position === position) return recent.appendedAt
    const coming = this.#open.size > 0 ? await this.#comingTime(position) : null
    if (coming !== null) return coming
    const fact = await factAt(this.#requests, era, position)
    if (fact !== undefined) return fact.appendedAt
    throw new Fault('log_tampered', `position ${position} is bound, and not there`)
  }

  /** Whether someone follows now. */
  get isOpen(): boolean {
    return this.#open.size > 0
  }

  /** The next fact that someone here follows and that gives itself this name. */
  coming(inside: string): { readonly fact: Promise<Fact>; stop(): void } {
    let see: (fact: Fact) => void = () => undefined
    const fact = new Promise<Fact>((resolve) => (see = resolve))
    const others = this.#coming.get(inside) ?? new Set()
    this.#coming.set(inside, others.add(see))
    const stop = (): void => {
      others.delete(see)
      if (others.size === 0) this.#coming.delete(inside)
    }
    return { fact, stop }
  }

  /**
   * What comes of it; null where that is not there yet and no fact has been followed for a while,
   * after so long at the earliest.
   * A copy that is behind and moves would only fall further behind for each question to the leader.
   */
  whileMoving<T>(coming: Promise<T>, leastMs = 0): Promise<T | null> {
    return new Promise((resolve, reject) => {
      // Who came right before a look has not waited yet.
      const looksMin = Math.max(2, Math.ceil(leastMs / followMsMax))
      const patient: Patient = { looks: 0, looksMin, giveUp: () => resolve(null) }
      this.#patient.add(patient)
      this.#looking ??= setInterval(() => this.#lookMoved(), followMsMax)
      coming.then(resolve, reject).finally(() => this.#served(patient))
    })
  }

  /** A fact that came as a job need not be waited for by the copy. */
  offer(era: Era, fact: Fact): void {
    for (const following of this.#open) {
      if (following.era.era === era.era) following.reading.offer(fact)
    }
  }

  /** An era may have been sealed: who waits at its end goes on to the next. */
  turned(): void {
    for (const following of this.#open) if (this.#isPast(following)) following.stop()
    this.#notifier.ring()
  }

  /**
   * The leader has facts up to that position. By the death of a server a reading may stay where it
   * is, and a mirror without its source for a while: who has not moved since the last time, and is
   * behind, takes what there is from the leader and starts over.
   */
  hasUpTo(position: number): void {
    for (const following of this.#open) {
      const { next, behind, stop } = following
      following.isStuck = next === behind
      if (following.isStuck) stop()
      following.behind = next <= position ? next : null
    }
  }

  fail(fault: Fault): void {
    this.#failure ??= fault
    for (const { stop } of this.#open) stop()
    this.#notifier.ring()
  }

  close(): void {
    this.#closing.abort()
    for (const { stop } of this.#open) stop()
    this.#notifier.ring()
  }

  #lookMoved(): void {
    const to = this.#followed?.position ?? 0
    const isStill = to === this.#movedTo
    this.#movedTo = to
    for (const patient of this.#patient) {
      patient.looks += 1
      const { looks, looksMin } = patient
      if (looks < looksMin || (!isStill && looks < looksMax)) continue
      patient.giveUp()
      this.#served(patient)
    }
  }

  #served(patient: Patient): void {
    this.#patient.delete(patient)
    if (this.#patient.size > 0) return
    clearInterval(this.#looking)
    this.#looking = undefined
  }

  async #comingTime(position: number): Promise<number | null> {
    const coming = new Promise<number>((resolve) => this.#times.set(position, resolve))
    const time = await this.whileMoving(coming)
    if (time === null) this.#times.delete(position)
    return time
  }

  /** Ends at the end of the era, or when its reading does; reports it if the copy stays behind. */
  async *#ofMirror(
    era: Era,
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Fact[] | 'behind', void, void> {
    const following = await this.#begin(era, from)
    if (following === null) {
      yield 'behind'
      return
    }
    signal.addEventListener('abort', following.stop)
    try {
      // One that was stopped while it began must not wait for a page.
      while (!signal.aborted && !this.#closing.signal.aborted && !this.#isPast(following)) {
        const page = await following.reading.page()
        // A reading that lost its place starts over; a gap in the stream is found by its sums.
        if (page === null || page[0]?.position !== following.next) break
        following.next += page.length
        yield page
      }
      if (following.isStuck) yield 'behind'
    } finally {
      signal.removeEventListener('abort', following.stop)
      this.#open.delete(following)
      following.stop()
    }
  }

  async *#ofLeader(era: Era, from: number): AsyncGenerator<readonly Fact[], void, void> {
    try {
      for await (const fact of fromLeader(this.#requests, era, from)) yield [fact]
    } catch (error) {
      if (isLasting(error) || this.#requests.link.closed) throw error
    }
  }

  #isPast({ era, next }: Following): boolean {
    return next > (this.#eras.all.find((each) => each.era === era.era)?.last ?? Infinity)
  }

  async #begin(era: Era, from: number): Promise<Following | null> {
    const { link } = this.#requests
    try {
      const isThere = from <= this.#eras.position
      if (isThere && !(await copyHas(this.#requests, era.mirror, from))) return null
      const reading = await OrderedReading.open(link, { stream: era.mirror, from, filters: [] })
      const stop = (): void => reading.stop()
      const following = { era, reading, stop, next: from, behind: null, isStuck: false }
      this.#open.add(following)
      return following
    } catch (error) {
      if (isLasting(error) || link.closed) throw error
      await new Promise((resolve) => setTimeout(resolve, againMs))
      return null
    }
  }

  #saw(fact: Fact, { era }: Era): void {
    const { position, name, appendedAt } = fact
    if (this.#coming.size > 0) {
      for (const see of this.#coming.get(nameInside(name)) ?? []) see(fact)
    }
    if (this.#followed === null || position > this.#followed.position)
      this.#followed = { name, position, era }
    this.#recent[position % recentMax] = { position, appendedAt }
    if (this.#times.size === 0) return
    this.#times.get(position)?.(appendedAt)
    this.#times.delete(position)
  }
}

function isLasting(error: unknown): boolean {
  return error instanceof Fault && error.retry === 'never'
}
