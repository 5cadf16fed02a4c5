// Brings the graph of a log to a database and keeps it there: folds the log from its beginning and
// writes what the database has not got yet. Neo4j out of reach is waited out; what must not be
// written over is refused.
import { randomBytes } from 'node:crypto'
import { clearProjection } from './driver/clearing.ts'
import { projectionMark, type ProjectionMark } from './driver/mark.ts'
import {
  advanceProjection,
  prepareProjection,
  writeFirst,
  type ProjectionLink,
} from './driver/writes.ts'
import { assert, Fault } from '#record/fault'
import { batchOf, markOf } from './projection/pending.ts'
import type { State } from '#state/state'
import type { Clock, Timer } from '#ports/clock'
import type { Log } from '#ports/log'
import { soundBeginningOf } from '#replay/eras/beginning'
import type { Follower } from '#runtime/engine/follower'
import type { Logger } from '#runtime/reporting/logger'
import type { OnProgress } from '#runtime/reporting/progress'
import { ProjectorFold } from './fold.ts'
import { inReach, isCode, outOfReach, whenInReach, type WithinReach } from './out-of-reach.ts'
import { believedBy, demandFits, followed, reachedOf, unfinished } from './stream.ts'

export interface ProjectorOptions {
  readonly log: Log
  readonly realm: string
  readonly rootKey: string | null
  /** Connects; what it gives is closed at the end. */
  readonly open: () => Promise<ProjectionLink & { close(): Promise<void> }>
  readonly timer: Timer
  readonly logger: Logger
  /** Where snapshots of the fold lie, if any are to be used and written. */
  readonly snapshots?: { readonly folder: string; readonly clock: Clock }
  /** Whether it ends at what is the end of the log now, and waits for no one. */
  readonly once?: boolean
  /** Whether it begins by wiping what is there. */
  readonly rebuild?: boolean
  /** With `rebuild`: a realm that the database may say it holds, and is wiped all the same. */
  readonly replaces?: string
  /** Reported of each fold: it begins again where others rebuild the projection meanwhile. */
  readonly onFold?: (follower: Follower) => void
  /** Is called until it has reached what was the end of the log when it began. */
  readonly onProgress?: OnProgress
}

interface Projecting extends ProjectorOptions, WithinReach {
  readonly link: ProjectionLink
}

/**
 * Projects until the signal aborts, and drains. Resolves with how far the database is then; null
 * where it was out of reach to the end.
 */
export async function runProjector(
  options: ProjectorOptions,
  stopping: AbortSignal,
): Promise<ProjectionMark | null> {
  const waiting = { ...options, stopping, reach: { failures: 0 } }
  try {
    const link = await whenInReach(waiting, options.open)
    try {
      return await project({ ...waiting, link })
    } finally {
      await link.close()
    }
  } catch (error) {
    if (isCode(error, 'projector_stopped')) return null
    throw error
  }
}

async function project(projecting: Projecting): Promise<ProjectionMark> {
  const { realm, logger } = projecting
  for (let rebuild = projecting.rebuild === true; ; rebuild = false) {
    const ended = await follow(projecting, await begin(projecting, rebuild))
    if (ended !== null) return ended
    logger.warn({ realm }, 'projection taken back: begun again')
  }
}

interface Begun {
  readonly state: State
  readonly mark: ProjectionMark
  /** The end of the log: when a rebuild is there it has ended. */
  readonly head: number
}

async function begin(projecting: Projecting, rebuild: boolean): Promise<Begun> {
  const { log, realm, rootKey, link } = projecting
  const headNow = async (): Promise<number> => (await log.head()).position
  if (rebuild) {
    const head = await headNow()
    const { state } = await soundBeginningOf(log, { realm }, rootKey)
    const mark = await whenInReach(projecting, () => rebuilt(projecting, state, head))
    inReach(projecting)
    return { state, mark, head }
  }
  const found = await whenInReach(projecting, () => prepareProjection(link, realm))
  inReach(projecting)
  const mark = found.reached === null ? await whenInReach(projecting, () => ready(link)) : found
  // Others bring it on meanwhile, so the end that it must not be beyond is asked for after it.
  const head = await headNow()
  const believed = await believedBy(projecting, mark.reached ?? 0)
  const state = believed ?? (await soundBeginningOf(log, { realm }, rootKey)).state
  demandFits(mark.reached ?? 0, { first: state.position, head })
  return { state, mark, head }
}

async function rebuilt(
  { link, realm, replaces, onProgress }: Projecting,
  state: State,
  head: number,
): Promise<ProjectionMark> {
  const { graph, position, graphRevision, catalogRevision } = state
  const cleared = await clearProjection(link, {
    realm,
    layout: 'log',
    replaces: replaces ?? null,
    rebuild: randomBytes(12).toString('hex'),
    from: position,
    onWiped: (done, total) => onProgress?.({ doing: 'wiping', of: 'nodes', done, total }),
  })
  const mark = { position, graphRevision, catalogRevision, fact: null, digest: null }
  return writeFirst(link, cleared, { graph, mark, reported: position >= head })
}

async function ready(link: ProjectionLink): Promise<ProjectionMark> {
  const mark = await projectionMark(link)
  if (mark !== null && mark.reached !== null) return mark
  throw unfinished()
}

/** Null where it was taken back by others and everything has to begin again. */
function follow(projecting: Projecting, begun: Begun): Promise<ProjectionMark | null> {
  const { log, once = false } = projecting
  const { state, head, mark } = begun
  const reached = reachedOf(mark, head)
  const fold = new ProjectorFold(log, state, { reached, to: once ? head : null })
  return followed(projecting, begun, {
    fold,
    bring: (now) => brought(projecting, fold, { mark: now, head }),
  })
}

/** Writes what is due, and says how far the database is then, no matter by whom. */
async function brought(
  projecting: Projecting,
  { pending }: ProjectorFold,
  { mark, head }: { readonly mark: ProjectionMark; readonly head: number },
): Promise<ProjectionMark> {
  const { link, logger, onProgress } = projecting
  const { point, ...batch } = batchOf(pending)
  assert(point !== null, 'what is due was folded')
  const to = markOf(point)
  const reported = mark.rebuild === null || to.position >= head
  try {
    const now = await advanceProjection(link, mark, { ...batch, mark: to, reported })
    inReach(projecting)
    logger.debug({ position: now.reached }, 'projected')
    if (mark.reached !== null && mark.reached < head) {
      onProgress?.({ doing: 'projecting', of: 'facts', done: to.position, total: head })
    }
    return now
  } catch (error) {
    if (!isCode(error, 'projection_moved')) await outOfReach(projecting, error)
  }
  // It may be written or not, and by others too: only the database knows.
  return whenInReach(projecting, async () => {
    const now = await projectionMark(link)
    if (now !== null) return now
    throw new Fault('projection_broken', 'the projection is gone: fix it by --rebuild')
  })
}
