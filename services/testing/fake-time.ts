// A clock and a timer that stand still until a test moves them: what waits for a moment runs
// exactly then.
import type { MemoryPorts } from '#log/memory/log'

interface Alarm {
  readonly due: number
  readonly run: () => void
}

export class FakeTime implements MemoryPorts {
  now: number
  readonly #alarms = new Set<Alarm>()

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.now = now
  }

  readonly clock = { now: () => this.now }

  readonly timer = {
    after: (delayMs: number, run: () => void) => {
      const alarm = { due: this.now + delayMs, run }
      this.#alarms.add(alarm)
      return () => this.#alarms.delete(alarm)
    },
  }

  /** Lets so many milliseconds pass, and whatever waited for one of them run. */
  pass(ms: number): void {
    const end = this.now + ms
    for (let next = this.#first(end); next !== undefined; next = this.#first(end)) {
      this.now = Math.max(this.now, next.due)
      this.#alarms.delete(next)
      next.run()
    }
    this.now = end
  }

  #first(end: number): Alarm | undefined {
    const [first] = [...this.#alarms].toSorted((a, b) => a.due - b.due)
    return first !== undefined && first.due <= end ? first : undefined
  }
}
