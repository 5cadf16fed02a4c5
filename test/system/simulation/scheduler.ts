// One thread, one seed: anyone who wants to go on asks here first, and the scheduler says who may.
// It also owns the time. The same seed gives the same run.
import type { Clock, Timer } from '#ports/clock'
import type { Ids } from '#ports/ids'

interface Waiting {
  readonly actor: string
  readonly go: () => void
}

interface Alarm {
  readonly actor: string
  readonly due: number
  readonly run: () => void
}

export class Scheduler {
  now = Date.UTC(2026, 0, 1)
  steps = 0
  readonly #waiting: Waiting[] = []
  readonly #alarms = new Set<Alarm>()
  readonly #dead = new Set<string>()
  #state: number
  #ids = 0

  constructor(seed: number) {
    this.#state = seed * 2_654_435_761 + 1
  }

  /** Resolves when it is this actor's turn; never again once the actor is dead. */
  turn(actor: string): Promise<void> {
    return new Promise((go) => {
      if (!this.#dead.has(actor)) this.#waiting.push({ actor, go })
    })
  }

  /** The actor stops wherever it stands; nothing that it began goes on. */
  kill(actor: string): void {
    this.#dead.add(actor)
    for (const alarm of this.#alarms) if (alarm.actor === actor) this.#alarms.delete(alarm)
    for (let index = this.#waiting.length - 1; index >= 0; index -= 1) {
      if (this.#waiting[index]?.actor === actor) this.#waiting.splice(index, 1)
    }
  }

  /** Lets one who waits go on, or time pass. False when nothing is left to happen. */
  async step(): Promise<boolean> {
    await new Promise((resolve) => setImmediate(resolve))
    this.steps += 1
    const [waiting] = this.#waiting.splice(this.below(this.#waiting.length), 1)
    if (waiting !== undefined) {
      this.now += this.below(3)
      waiting.go()
      return true
    }
    return this.#passTime()
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    // xorshift32: small, seeded, and good enough to choose who goes next.
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    return limit === 0 ? 0 : (this.#state >>> 0) % limit
  }

  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  get clock(): Clock {
    return { now: () => this.now }
  }

  timer(actor: string): Timer {
    return {
      after: (delayMs, run) => {
        const alarm = { actor, due: this.now + delayMs, run }
        if (!this.#dead.has(actor)) this.#alarms.add(alarm)
        return () => this.#alarms.delete(alarm)
      },
    }
  }

  get ids(): Ids {
    return {
      next: () => {
        this.#ids += 1
        return `01${String(this.#ids).padStart(24, '0')}`
      },
    }
  }

  #passTime(): boolean {
    let first: Alarm | undefined
    for (const alarm of this.#alarms) {
      if (first === undefined || alarm.due < first.due) first = alarm
    }
    if (first === undefined) return false
    this.#alarms.delete(first)
    this.now = Math.max(this.now, first.due)
    first.run()
    return true
  }
}
