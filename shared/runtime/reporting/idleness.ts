// Says once that a worker has done what there was and waits: so the log lines of one that has
// nothing to do differ from those of one that is stuck.
import type { Timer } from '#ports/clock'
import type { Logger } from './logger.ts'

const idleMs = 2_000

export interface Idleness {
  /** From now on it may take jobs. */
  begin(): void
  jobBegun(): void
  /** A job that is tried again comes back. */
  jobEnded(comesBack: boolean): void
  stop(): void
}

export function reportIdleness(timer: Timer, logger: Logger, stage: string): Idleness {
  let jobs = 0
  let isReported = false
  let cancel = (): void => undefined
  const report = (): void => {
    isReported = true
    logger.info({ stage }, 'caught up, waiting for jobs')
  }
  const wait = (): void => {
    cancel()
    if (!isReported && jobs === 0) cancel = timer.after(idleMs, report)
  }
  return {
    begin: wait,
    jobBegun() {
      cancel()
      jobs += 1
    },
    jobEnded(comesBack) {
      jobs -= 1
      if (!comesBack) wait()
    },
    stop: () => cancel(),
  }
}
