// Waits with a limit: for work that may take too long, and for time to pass until a signal aborts.
import type { Timer } from '#ports/clock'

export const timedOut = 'timed_out'

/** What the work comes to, or `timed_out` when that much time has passed; the work goes on then. */
export async function withTimeout<T>(
  timer: Timer,
  ms: number,
  work: Promise<T>,
): Promise<T | typeof timedOut> {
  let cancel = (): void => undefined
  const timeout = new Promise<typeof timedOut>((resolve) => {
    cancel = timer.after(ms, () => resolve(timedOut))
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    cancel()
  }
}

/** Waits that long, or until the signal aborts; says whether it did. */
export function pause(timer: Timer, ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(true)
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve(signal.aborted)
    }
    const cancel = timer.after(ms, end)
    signal.addEventListener('abort', end)
  })
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
