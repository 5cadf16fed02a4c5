// Goes on trying while the log is out of reach: what ends before the caller's
// time is up need not concern it.
import { Fault } from '#record/fault'
import type { Clock, Timer } from '#ports/clock'

const pauseMsMin = 100
const pauseMsMax = 2_000

/** What it comes to; the fault of the last try, once the time is up. */
export async function whileOutOfReach<T>(
  { clock, timer }: { readonly clock: Clock; readonly timer: Timer },
  waitMs: number,
  act: () => Promise<T>,
): Promise<T> {
  const end = clock.now() + waitMs
  for (let pauseMs = pauseMsMin; ; pauseMs = Math.min(pauseMs * 2, pauseMsMax)) {
    try {
      return await act()
    } catch (error) {
      const leftMs = end - clock.now()
      if (!isOutOfReach(error) || leftMs <= 0) throw error
      await new Promise<void>((resolve) => void timer.after(Math.min(pauseMs, leftMs), resolve))
    }
  }
}

function isOutOfReach(error: unknown): boolean {
  return error instanceof Fault && error.code === 'log_unreachable'
}
