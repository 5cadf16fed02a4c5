// What is done while another process keeps the file busy: the same again, for a while.
import { Fault } from '#record/fault'
import type { Timer } from '#ports/clock'

/**
 * How often the file may be found busy, for 20 ms and this wait each time, before it is a fault.
 */
export const busyMax = 200
export const busyWaitMs = 10

export function isBusy(error: unknown): boolean {
  return error instanceof Fault && error.code === 'log_busy'
}

/** Does it again, for a while, as long as another process keeps the file busy. */
export async function patiently<T>(timer: Timer, work: () => T): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || attempt === busyMax) throw error
      await new Promise<void>((resolve) => void timer.after(busyWaitMs, resolve))
    }
  }
}
