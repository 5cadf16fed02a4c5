// The time of a log, as its workers have it: what they derive carries the time of the clock that
// stamps the facts, not of the machine they run on. It must never be behind a folded fact.
import type { Clock } from '#ports/clock'
import type { LogReader } from '#ports/log'
import type { Follower } from './follower.ts'
import type { Logger } from '../reporting/logger.ts'

export interface LogClockOptions {
  readonly log: Pick<LogReader, 'head'>
  readonly follower: Pick<Follower, 'listen' | 'state'>
  readonly clock: Clock
  readonly logger: Logger
}

/** Two clocks drift apart by some milliseconds in so long. */
const askedEveryMs = 60_000
/** A fact that is so much earlier than the one before was stamped by a clock that was set back. */
const resetMsMin = 5_000

/**
 * The log's clock, once everything that was in the log is folded. Where servers stamp it is theirs,
 * and goes on by this machine's own steady count; else it is this machine's, as the log's is.
 */
export async function logClock(options: LogClockOptions): Promise<Clock> {
  const { log, follower, clock, logger } = options
  const { state } = follower
  const isSteady = clock.elapsed !== undefined
  const own = (): number => clock.elapsed?.() ?? clock.now()
  // The log's time less our own count.
  let ahead = clock.now() - own()
  let askedAt = Number.NEGATIVE_INFINITY
  let last = state.appendedAt
  const ask = async (): Promise<void> => {
    const before = own()
    askedAt = before
    const { now } = await log.head()
    // What the server said, it said between the two.
    if (now !== undefined) ahead = Math.max(now - (before + own()) / 2, state.appendedAt - own())
  }
  if (isSteady) await ask()
  ahead = Math.max(ahead, state.appendedAt - own())
  follower.listen(({ appendedAt }) => {
    const seen = appendedAt - own()
    if (seen > ahead || appendedAt < last - resetMsMin) ahead = seen
    last = appendedAt
  })
  return {
    now() {
      if (isSteady && own() - askedAt > askedEveryMs) {
        ask().catch((error: unknown) => logger.debug({ error }, 'time of the log not known'))
      }
      return Math.max(Math.floor(own() + ahead), last)
    },
  }
}
