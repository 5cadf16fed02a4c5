// Notifies people of the reviews that wait for them: follows the log, and sends what the agenda of
// each open review says. It decides nothing; what it did is in the log, so that any number of these
// go on from one another.
import type { Folded } from '#state/folded'
import type { Fact } from '#ports/log'
import { kinds } from '#schemas/kinds'
import { timedOut, withTimeout } from '#runtime/engine/timeout'
import type { ReviewTrouble } from './asking.ts'
import { recordedNotifications, takeRecorded } from './recorded-notifications.ts'
import { Schedule, type OutreachOptions } from './notification-schedule.ts'

export interface Outreach {
  /** What is wrong with open reviews, by the addresses of their intents. */
  troubles(): ReadonlyMap<string, ReviewTrouble>
  /** Resolves when nothing is under way until time passes or a fact comes. */
  idle(): Promise<void>
  /** Begins nothing more; what is under way ends, or is given up after that time. */
  stop(drainMs: number): Promise<void>
}

/** What facts are about by which any review may come to something else. */
const seenByAll: ReadonlySet<string> = new Set(['knowledge', 'question', 'era', 'agent'])

/** How often the store of addresses is looked at for changes. */
const bookMs = 30_000

/** Begins once everything that the log has of notifications is known. */
export async function startOutreach(options: OutreachOptions): Promise<Outreach> {
  const { runtime } = options
  const { follower, log, timer } = runtime
  const { state } = follower
  const abort = new AbortController()
  const past = recordedNotifications()
  const schedule = new Schedule(options, past, abort.signal)
  const onFold = (fact: Fact, { parts, void: why }: Folded): void => {
    if (parts === null || why !== null) return
    if (kinds[parts.kind].about === 'job') {
      const data = past.take(fact)
      if (data !== null) schedule.review(data.review)
      return
    }
    if (parts.address !== null) schedule.intent(parts.address)
    // Who counts, who stands in, and the log's own time may have changed for every review.
    else if (seenByAll.has(kinds[parts.kind].about)) schedule.all()
  }
  const stopListening = follower.listen(onFold)
  await takeRecorded({ log, state }, past)
  schedule.begin()
  let cancelLook: () => void = () => undefined
  let mark = options.book.mark()
  const look = (): void => {
    cancelLook = timer.after(bookMs, look)
    const seen = options.book.mark()
    if (seen !== mark) schedule.all()
    mark = seen
  }
  look()
  return {
    troubles: () => schedule.troubles,
    idle: () => schedule.idle(),
    async stop(drainMs) {
      stopListening()
      cancelLook()
      schedule.end()
      const ended = await withTimeout(timer, drainMs, schedule.idle())
      abort.abort()
      if (ended === timedOut) await schedule.idle()
    },
  }
}
