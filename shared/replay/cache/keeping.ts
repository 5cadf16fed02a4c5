// When a snapshot of the fold is written, so that the next start need not fold the whole log. It
// must never hold up who follows.
import type { Clock, Timer } from '#ports/clock'
import { writeFoldSnapshot, type SnapshotsOf } from './store.ts'
import type { Follower } from '#runtime/engine/follower'
import type { FoldSnapshots, Pace, WrittenSnapshot } from '#runtime/engine/runtime'

export const paceDefault: Pace = { startFactsMin: 20_000, factsMin: 100_000, msMin: 60_000 }

/** How long the writing of one may hold up the end of a process. */
const endMsMax = 5_000

export interface Keeping extends SnapshotsOf {
  readonly clock: Clock
  readonly timer: Timer
  readonly pace: Pace
}

/** Writes them as the follower goes on, which has just started at the position `from`. */
export function keepSnapshots(keeping: Keeping, follower: Follower, from: number): FoldSnapshots {
  const { clock, timer, logger, pace } = keeping
  const { state } = follower
  const leaving = new AbortController()
  let last = { position: from, at: Number.NEGATIVE_INFINITY }
  let factsMin = pace.startFactsMin
  let isBroken = false
  let running: Promise<WrittenSnapshot | null> | null = null

  const begin = (): Promise<WrittenSnapshot | null> => {
    last = { position: state.position, at: clock.now() }
    factsMin = pace.factsMin
    const write = writeFoldSnapshot(keeping, state, { now: last.at, signal: leaving.signal })
    running = write.finally(() => {
      running = null
    })
    return running
  }
  const attempt = async (): Promise<void> => {
    try {
      const written = await begin()
      isBroken = false
      if (written !== null) logger.debug(written, 'snapshot of the fold written')
    } catch (error) {
      // A folder that cannot be written to stays so: it is reported once.
      logger[isBroken ? 'debug' : 'warn']({ error }, 'snapshot of the fold not written')
      isBroken = true
    }
  }
  const look = (): void => {
    if (running !== null || state.position - last.position < factsMin) return
    if (state.sealed !== null || clock.now() - last.at < pace.msMin) return
    void attempt()
  }
  look()
  const listenNoMore = follower.listen(look)
  if (state.sealed === null) factsMin = pace.factsMin
  return {
    async write() {
      await running?.catch(() => null)
      return begin()
    },
    async stop() {
      listenNoMore()
      const cancel = timer.after(endMsMax, () => leaving.abort())
      await running?.catch(() => null)
      cancel()
    },
  }
}
