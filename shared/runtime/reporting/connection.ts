// Says in the log lines when the connection to the servers of a log is lost, and when it is back.
import type { Clock } from '#ports/clock'
import type { Logger } from './logger.ts'

/** To be called with whether it is there, as often as anything is known. */
export function reportConnection(logger: Logger, clock: Clock): (isThere: boolean) => void {
  let lostAt: number | null = null
  return (isThere) => {
    if (isThere && lostAt !== null) {
      logger.info({ awayMs: clock.now() - lostAt }, 'connection to the log back')
      lostAt = null
    }
    if (isThere || lostAt !== null) return
    lostAt = clock.now()
    logger.warn('connection to the log lost')
  }
}
