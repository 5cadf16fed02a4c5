// Says once that a worker has done what there was and waits: so the log lines of one that has
// nothing to do differ from those of one that is stuck.
import type { Timer } from '#ports/clock'
import type { Logger } from '../reporting/logger.ts'

const idleMs = 2_000

export interface Idleness {
  /** A job has come or has ended, and so many are under way. */
  working(jobs: number): void
  stop(): void
}

export function reportIdleness(timer: Timer, logger: Logger, stage: string): Idleness {
  let cancel = (): void => undefined
  let isReported = false
  const working = (jobs: number): void => {
    cancel()
    if (isReported || jobs > 0) return
    cancel = timer.after(idleMs, () => {
      isReported = true
      logger.info({ stage }, 'caught up, waiting for jobs')
    })
  }
  working(0)
  return { working, stop: () => cancel() }
}
