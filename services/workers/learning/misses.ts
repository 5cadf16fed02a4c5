// Takes up what no one waits for: intents that were denied for gaps alone, and calls that failed.
// What cannot be proposed now, the log being out of reach, is tried again.
import type { Source } from '#messages/learning/source'
import type { Miss } from '#state/caches/miss-list'
import type { Advancing } from '#runtime/engine/advance'
import { backoffMs } from '#runtime/engine/backoff'
import { propose } from './propose.ts'
import { sourceNamed } from '#runtime/learning/sources'

/** Watches until the returned function is called. */
export function watchMissed(options: Advancing, signal: AbortSignal): () => void {
  const { follower, timer, logger } = options
  const { misses } = follower.caches
  let waiting: Miss[] = []
  let isBusy = false
  let failures = 0
  let cancel = (): void => undefined
  const hasEnded = (): boolean => signal.aborted
  const takeUp = async (): Promise<void> => {
    waiting.push(...misses.take())
    if (isBusy || hasEnded()) return
    isBusy = true
    try {
      for (let next = waiting[0]; next !== undefined && !hasEnded(); next = waiting[0]) {
        const source = await sourceOf(options, next)
        if (source !== null) await propose(options, source)
        waiting = waiting.slice(1)
        failures = 0
      }
    } catch (error) {
      if (hasEnded()) return
      failures += 1
      logger.warn({ stage: 'learning', error }, 'could not propose')
      cancel = timer.after(backoffMs(failures), () => void takeUp())
    } finally {
      isBusy = false
    }
  }
  const stop = follower.listen(() => {
    if (misses.size > 0) void takeUp()
  })
  void takeUp()
  return () => {
    stop()
    cancel()
  }
}

function sourceOf(
  { log, follower }: Advancing,
  miss: Miss,
): Source | null | Promise<Source | null> {
  const name = miss.kind === 'denied' ? miss.grounding : miss.outcome
  return sourceNamed(log, follower.state.place, name)
}
