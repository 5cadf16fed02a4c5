// How a stream waits: until it is woken, or for so long. What woke it while it was awake counts.
import type { Timer } from '#ports/clock'

export interface Sleeper {
  wake(this: void): void
  /** Whether it was woken. */
  sleep(this: void, ms: number): Promise<boolean>
}

export function sleeper(timer: Timer): Sleeper {
  let isWoken = false
  let rouse = (): void => undefined
  return {
    wake() {
      isWoken = true
      rouse()
    },
    async sleep(ms) {
      if (!isWoken) await rousedOr(timer, ms, (awake) => (rouse = awake))
      const was = isWoken
      isWoken = false
      return was
    },
  }
}

function rousedOr(timer: Timer, ms: number, hand: (awake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timer.after(ms, resolve)
    hand(() => {
      cancel()
      resolve()
    })
  })
}
