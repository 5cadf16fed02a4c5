// Waits until something holds in the fold.
import type { Runtime } from '#runtime/engine/runtime'

/** Resolves when it holds after a fact, or when the time is up. */
export function until(
  runtime: Pick<Runtime, 'follower' | 'timer'>,
  waitMs: number,
  holds: () => boolean,
): Promise<void> {
  if (holds()) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      stop()
      resolve()
    }
    const stop = runtime.follower.listen(() => {
      if (holds()) end()
    })
    const cancel = runtime.timer.after(waitMs, end)
  })
}
