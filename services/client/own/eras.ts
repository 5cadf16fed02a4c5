// In which era an agent's own words are found, where no one notifies it when an era is rotated: the
// log takes them into the era that is open, and the one that has them is remembered.
import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnLog } from '#log/jetstream/own-log'
import { systemClock } from '#system/clock'
import { Fault } from '#record/fault'
import { nameOf } from '#record/names'
import { nameInside } from '#record/roles'
import type { Kind } from '#schemas/kinds'
import type { Clock } from '#ports/clock'
import type { Fact } from '#ports/log'
import type { SaidFact } from '#runtime/engine/binding'
import type { Bound } from '../intent-log.ts'

/** What is published is in the log at once, or when the era that is being rotated is open. */
const bindMsMax = 30_000
/** What was taken in is looked for so long, also where the caller does not wait for the verdict. */
const lookedForMsMin = 2_000
const lookMsMin = 1
/** All that is published waits while an era is rotated, and every look makes that longer. */
const lookMsMax = 2_000
/** After so long without it, it is published once more. */
const againMs = 5_000
/** After so long without an answer, the era may have turned. */
const turnedMsMin = 32

/**
 * A user that may not ask for the next era asks for it again after so long, and then after twice as
 * long: for each such question the server notes what an operator takes for an attack.
 */
const barredMs = { first: 60_000, max: 900_000 }
/** What was taken in and is not here for so long went into an era that is not known here. */
const likelyTurnedMsMin = 512

/** Where to look for what is about an intent. */
export interface EraSearch {
  /** The era that opened it; the first, if that is not known. */
  readonly from: number
  /** Whether eras after the last known one may have begun. */
  readonly beyond: boolean
}

export class OwnEras {
  readonly #log: Pick<OwnLog, 'publish' | 'get'>
  readonly #realm: string
  readonly #clock: Clock
  #current = 1
  #position = 0
  /** The log's time less this machine's, as far as that is known. */
  #aheadMs = 0
  /** Until when the next era is not asked for, which this user might not. */
  #barred = { until: 0, nextMs: barredMs.first }

  constructor(log: Pick<OwnLog, 'publish' | 'get'>, realm: string, clock: Clock = systemClock) {
    this.#log = log
    this.#realm = realm
    this.#clock = clock
  }

  /** Something shows that the next era has begun. */
  expectNext(): void {
    this.#barred = { until: 0, nextMs: barredMs.first }
  }

  /** The newest era that is known here. */
  get current(): number {
    return this.#current
  }

  /** The time of the log in milliseconds since 1970, by what was bound here. */
  now(): number {
    return this.#clock.now() + this.#aheadMs
  }

  /** The last position that was seen here. */
  get position(): number {
    return this.#position
  }

  /**
   * Publishes it, and waits until the log has it, in whichever era takes it. Throws a Fault
   * `not_in_log` where that does not happen in time.
   */
  async bind(said: SaidFact, waitMs = bindMsMax): Promise<Bound> {
    let end = performance.now() + waitMs
    const { kind, tokens } = said
    // Another try of the same may have come before the last turn that is known here.
    const from = Math.max(1, this.#current - 1)
    const name = nameOf({ realm: this.#realm, era: this.#current }, kind, ...tokens)
    const bytes = said.bytes(nameInside(name))
    const address = tokens.join('.')
    let againAt = 0
    for (let pauseMs = lookMsMin; ; pauseMs = Math.min(pauseMs * 2, lookMsMax)) {
      // Where a leader changed, what was taken in may be gone; the same bytes again are harmless.
      if (performance.now() >= againAt) {
        await this.#log.publish({ name, bytes }, Math.max(0, end - performance.now()))
        if (againAt === 0) end = Math.max(end, performance.now() + lookedForMsMin)
        againAt = performance.now() + againMs
      }
      if (pauseMs >= likelyTurnedMsMin) this.expectNext()
      const fact = await unlessOutOfReach(() =>
        this.find(kind, address, { from, beyond: pauseMs >= turnedMsMin }),
      )
      if (fact !== undefined) {
        const appended = Buffer.compare(fact.bytes, bytes) === 0
        if (appended) this.#aheadMs = fact.appendedAt - this.#clock.now()
        return { appended, name: fact.name, position: fact.position }
      }
      const leftMs = end - performance.now()
      if (leftMs <= 0) throw notInLog(nameInside(name))
      await sleep(Math.min(pauseMs, leftMs))
    }
  }

  /** The fact of that kind about the intent, of the first era that has it; undefined: not yet. */
  async find(kind: Kind, address: string, { from, beyond }: EraSearch): Promise<Fact | undefined> {
    for (let era = from; era <= this.#current; era += 1) {
      const fact = await this.#get(era, kind, address)
      if (fact !== undefined) return fact
    }
    return beyond ? this.#further(kind, address) : undefined
  }

  #saw(position: number): void {
    this.#position = Math.max(this.#position, position)
  }

  async #get(era: number, kind: Kind, ...tokens: readonly string[]): Promise<Fact | undefined> {
    const fact = await this.#log.get(nameOf({ realm: this.#realm, era }, kind, ...tokens))
    if (fact !== undefined) this.#saw(fact.position)
    return fact
  }

  /** Looks in each era more that there is. */
  async #further(kind: Kind, address: string): Promise<Fact | undefined> {
    for (let known = 0; known < this.#current;) {
      known = this.#current
      const fact = await this.#ahead(kind, [address])
      if (fact !== undefined) return fact
    }
    return undefined
  }

  /** Looks in the next era, which is there if it answers at all. */
  async #ahead(kind: Kind, tokens: readonly string[]): Promise<Fact | undefined> {
    const next = this.#current + 1
    if (this.#clock.now() < this.#barred.until) return undefined
    try {
      const fact = await this.#get(next, kind, ...tokens)
      this.#current = Math.max(this.#current, next)
      this.expectNext()
      return fact
    } catch (error) {
      if (error instanceof Fault && error.code === 'not_permitted') this.#bar()
      if (error instanceof Fault && notThere.has(error.code)) return undefined
      throw error
    }
  }

  #bar(): void {
    const { nextMs } = this.#barred
    const until = this.#clock.now() + nextMs
    this.#barred = { until, nextMs: Math.min(nextMs * 2, barredMs.max) }
  }
}

/** No one answers for it, or this user may not ask. */
const notThere: ReadonlySet<string> = new Set(['log_unreachable', 'not_permitted'])

function notInLog(name: string): Fault {
  const what = `\`${name}\` was taken in, and the log does not have it yet`
  const fix = 'it will when the era that is being rotated is open: ask for it again'
  return new Fault('not_in_log', `${what}; ${fix}`)
}

/** What `look` finds; undefined while the log is out of reach, which may come back in time. */
export async function unlessOutOfReach<T>(
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof Fault && error.code === 'log_unreachable') return undefined
    throw error
  }
}
