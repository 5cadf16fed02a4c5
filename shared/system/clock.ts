// The real time. Nothing else in the adapters may ask the machine for it.
import type { Clock, Timer } from '#ports/clock'

/** The longest that the machine can wait at once; a longer wait would end immediately. */
const waitMsMax = 2_147_483_647

export const systemClock: Clock = { now: () => Date.now() }

/** For a log that servers stamp: what passes is counted apart from what this clock says. */
export const steadyClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() }

export const systemTimer: Timer = {
  after(delayMs, run) {
    let timeout: NodeJS.Timeout
    const wait = (restMs: number): void => {
      const next = restMs > waitMsMax ? () => wait(restMs - waitMsMax) : run
      timeout = setTimeout(next, Math.min(restMs, waitMsMax))
    }
    wait(delayMs)
    return () => clearTimeout(timeout)
  },
}
