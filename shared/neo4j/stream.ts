// Projects one log while it is folded, until that ends: each log has a position of its own.
import { Fault } from '#record/fault'
import type { State } from '#state/state'
import type { Clock } from '#ports/clock'
import type { Log } from '#ports/log'
import { keepSnapshots, paceDefault } from '#replay/cache/keeping'
import { believedState } from '#replay/cache/store'
import type { Follower } from '#runtime/engine/follower'
import type { ProjectorFold, Reached } from './fold.ts'
import type { WithinReach } from './out-of-reach.ts'

/** A log that is projected, with what is needed to fold it. */
export interface Stream extends WithinReach {
  readonly log: Log
  readonly rootKey: string | null
  /** Where snapshots of the fold lie, if any are to be used and written. */
  readonly snapshots?: { readonly folder: string; readonly clock: Clock }
  /** Reported of each fold: it begins again where others rebuild the projection meanwhile. */
  readonly onFold?: (follower: Follower) => void
}

/** How far the database is with one log. */
interface StreamMark {
  readonly reached: number | null
  readonly digest: string | null
  readonly rebuild: string | null
}

interface BegunStream<M extends StreamMark> {
  readonly state: State
  readonly mark: M
  /** The end of the log: when a rebuild is there it has ended. */
  readonly head: number
}

/** Of a snapshot of the fold, if there is one from where the projection can be gone on with. */
export async function believedBy(stream: Stream, reached: number): Promise<State | null> {
  const { snapshots } = stream
  if (snapshots === undefined) return null
  const state = await believedState({ ...stream, folder: snapshots.folder })
  return state !== null && state.position <= reached ? state : null
}

/** Throws a Fault where this log cannot bring the projection on from where it is. */
export function demandFits(
  reached: number,
  { first, head }: { readonly first: number; readonly head: number },
): void {
  const fix = 'project this log by --rebuild'
  if (reached > head) {
    const what = `the projection is at position ${reached}, and the log ends at ${head}`
    throw new Fault('projection_ahead', `${what}: it is of another log, or ${fix}`)
  }
  if (reached < first) {
    const what = `the projection is at position ${reached}, and the log begins after ${first}`
    throw new Fault('projection_behind', `${what}: ${fix}`)
  }
}

/** Others rebuild it, or did until they ended. */
export function unfinished(): Fault {
  const what = 'the projection is being rebuilt, or a rebuild was left unfinished'
  const fix = 'run it with --rebuild if no one does'
  return new Fault('projection_unfinished', `${what}: ${fix}`)
}

export function reachedOf({ reached, digest, rebuild }: StreamMark, head: number): Reached {
  return { reached: reached ?? 0, digest, visibleFrom: rebuild === null ? null : head }
}

/**
 * `bring` writes what is due, and says how far the database is then, no matter by whom; null where
 * all has to begin again.
 */
interface Bringing<M extends StreamMark> {
  readonly fold: ProjectorFold
  readonly bring: (mark: M) => Promise<M | null>
}

/** Null where it was taken back by others and everything has to begin again. */
export async function followed<M extends StreamMark>(
  stream: Stream,
  begun: BegunStream<M>,
  { fold, bring }: Bringing<M>,
): Promise<M | null> {
  const { realm, timer, logger, stopping, onFold } = stream
  const { state, head } = begun
  let { mark } = begun
  const stop = (): void => void fold.follower.stop()
  stopping.addEventListener('abort', stop)
  const kept = keptBy(stream, fold.follower, state.position)
  fold.start()
  if (stopping.aborted) stop()
  onFold?.(fold.follower)
  logger.info({ realm, position: mark.reached, head }, 'projecting')
  try {
    while (await fold.due(timer)) {
      const now = await bring(mark)
      if (now === null || now.reached === null || now.reached < (mark.reached ?? 0)) return null
      mark = now
      fold.settle(reachedOf(mark, head))
    }
    return mark
  } finally {
    stopping.removeEventListener('abort', stop)
    await fold.follower.stop()
    await kept?.stop()
  }
}

function keptBy(stream: Stream, follower: Follower, from: number) {
  const { snapshots } = stream
  if (snapshots === undefined) return null
  return keepSnapshots({ ...stream, ...snapshots, pace: paceDefault }, follower, from)
}
