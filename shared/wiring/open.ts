// The composition root: opens a log, folds it, and runs the stages that it is given in this
// process. What it starts it also stops, in the order in which nothing is lost.
import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { steadyClock, systemClock, systemTimer } from '#system/clock'
import { ulidIds } from '#system/ids'
import { cellIn, controlPlace } from '#record/names'
import type { Model } from '#ports/models'
import { soundBeginningOf } from '#replay/eras/beginning'
import { loadModule } from '#authoring/callback-store'
import { believedState, removeSnapshots, snapshotsFolder } from '#replay/cache/store'
import { keepSnapshots, paceDefault } from '#replay/cache/keeping'
import { keepMark, settledIn, type SettledPosition } from '#replay/marks/keep-mark'
import { marksFor } from '#replay/marks/mark-files'
import { markSeen, type MarkSeen } from '#replay/marks/rolled-back'
import { Follower, type FoldListener } from '#runtime/engine/follower'
import { readerOf } from '#runtime/engine/gathering/gather'
import { reportConnection } from '#runtime/reporting/connection'
import { silentLogger, type Logger } from '#runtime/reporting/logger'
import { cellsAt } from '#runtime/logs/cells'
import { findLog, isRemote, openLog, type LogOpening, type LogPlace } from '#runtime/logs/log-url'
import type { OnProgress } from '#runtime/reporting/progress'
import { logClock } from '#runtime/engine/log-clock'
import { combined, type Observe } from '#runtime/engine/observer'
import { refuseOtherLog, refuseRootOf } from '#replay/eras/root-key'
import { keyedMutex } from '#runtime/engine/keyed-mutex'
import { missingModule } from '#runtime/engine/pinned-module'
import type { FoldSnapshots, Parts, Runtime } from '#runtime/engine/runtime'
import { runWorker, type RunnableStage } from '#runtime/engine/worker'
import { configuration } from './config.ts'

export interface RuntimeOptions extends LogOpening {
  readonly log?: LogPlace
  readonly realm?: string
  /** If given, only a catalog whose first change set this key signed is believed. */
  readonly rootKey?: string | null
  /** The identity that the log must have. */
  readonly logId?: string | undefined
  /** Run in this process; names make it safe that others run them too. */
  readonly stages: readonly RunnableStage[]
  readonly logger?: Logger
  /** Whether a log that was rolled back is shown, and not refused. */
  readonly showsRolledBack?: boolean
  /** Where snapshots of the fold lie; beside the log if not said, and null for none. */
  readonly snapshots?: string | null
  /** Fills in what learning proposes to people; without one they do it alone. */
  readonly model?: Model
  /** An observer while the stages work. */
  readonly observe?: readonly Observe[]
  /** Is called while the log is folded for the first time. */
  readonly onProgress?: OnProgress
  /** Called for each fact that is folded before it is open. */
  readonly onFolded?: FoldListener
}

/** How long what is under way may take to end. */
export const drainMsDefault = 20_000

export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { stages, realm = 'main', rootKey = null, logger = silentLogger } = options
  const where = options.log ?? findLog(undefined, {})
  const { folder } = where
  const marks = marksFor(where, configuration())
  const { showsRolledBack = false } = options
  const snapshots = options.snapshots === undefined ? snapshotsFolder(where) : options.snapshots
  const report = reportConnection(logger, systemClock)
  const { isReadOnly = false, ...opened } = await openLog(where, realm, {
    ...options,
    onConnection(isThere) {
      report(isThere)
      options.onConnection?.(isThere)
    },
  })
  const parts: Parts = {
    ...opened,
    place: { realm, era: 1 },
    rootKey,
    cells: () => cellsAt(where, controlPlace(realm).realm),
    folder,
    // Beside a log that may not be written to nothing is written either.
    ...(snapshots !== null && { snapshots: { folder: snapshots, isKept: !isReadOnly } }),
    ...(options.logId !== undefined && where.url !== 'memory:' && { logId: options.logId }),
    ...(marks !== null && { marks: { ...marks, showsRolledBack } }),
    callbacks: threadCallbacks((digest) =>
      folder === null ? Promise.resolve(null) : loadModule(folder, digest),
    ),
    clock: isRemote(where) ? steadyClock : systemClock,
    timer: systemTimer,
    ids: ulidIds(),
    logger,
    id: workerId(realm),
    ...(options.observe !== undefined && { observe: options.observe }),
    ...(options.model !== undefined && { model: options.model }),
    ...(options.onProgress !== undefined && { onProgress: options.onProgress }),
    ...(options.onFolded !== undefined && { onFolded: options.onFolded }),
  }
  try {
    return await startRuntime(parts, isReadOnly ? [] : stages)
  } catch (error) {
    await parts.callbacks.close()
    await parts.log.close()
    throw error
  }
}

/** Who binds what all cells share is distinguished by its cell, whose log that follows from. */
function workerId(realm: string): string {
  const id = randomBytes(6).toString('hex')
  return cellIn(realm) === null ? id : `${realm}/${id}`
}

/** Folds the log, then runs the stages on it. */
export async function startRuntime(
  parts: Parts,
  stages: readonly RunnableStage[],
): Promise<Runtime> {
  const { log, callbacks, timer, logger } = parts
  const { follower, snapshots, settled } = await folded(parts)
  const time = await logClock({ ...parts, follower })
  const marked = await markIn(parts, follower)
  const observers = (parts.observe ?? []).map((observe) => observe({ ...parts, follower }))
  const stopping = new AbortController()
  const leaving = new AbortController()
  // Every job that waits out an outage listens.
  setMaxListeners(0, leaving.signal)
  const { state } = follower
  const reader = readerOf(log, state.position, follower.caches)
  if (stages.length > 0) {
    follower.listen((fact, of) => reader.sessions.receive(fact, of, state))
  }
  const shared = {
    ...parts,
    clock: time,
    reader,
    follower,
    mutex: keyedMutex(),
    observer: combined(observers, logger),
    leaving: leaving.signal,
  }
  const callsAny = stages.some((stage) => stage.calls !== undefined)
  const keeping =
    marked === null ? null : keepMark({ ...parts, ...marked, clock: time, follower, settled })
  const running = stages.map((stage) => runWorker({ ...shared, stage }, stopping.signal))
  const workers = Promise.all(running).then(() => undefined)
  const stop = async (drainMs = drainMsDefault): Promise<void> => {
    stopping.abort()
    const cancel = timer.after(drainMs, () => leaving.abort())
    await Promise.allSettled(running)
    cancel()
    leaving.abort()
    await snapshots?.stop()
    await follower.stop()
    await keeping?.stop()
    await callbacks.close()
    await log.close()
  }
  let stopped: Promise<void> | null = null
  return {
    ...parts,
    follower,
    logClock: time,
    reader,
    snapshots,
    rolledBack: marked?.rolledBack ?? null,
    missingModule: () => (callsAny ? missingModule(shared) : Promise.resolve(null)),
    workers,
    get place() {
      return follower.state.place
    },
    stop: (drainMs) => (stopped ??= stop(drainMs)),
  }
}

/** Follows the log from its newest snapshot that is believed, else from its beginning. */
async function folded(parts: Parts): Promise<{
  readonly follower: Follower
  readonly snapshots: FoldSnapshots | null
  readonly settled: SettledPosition
}> {
  const { log, place, rootKey, snapshots: given } = parts
  const keeping =
    given === undefined
      ? null
      : { ...parts, realm: place.realm, folder: given.folder, pace: given.pace ?? paceDefault }
  const believed = keeping === null ? null : await believedState(keeping)
  const state = believed ?? (await soundBeginningOf(log, place, rootKey)).state
  const from = state.position
  const follower = new Follower(log, state)
  const settled = settledIn({ follower, settleMs: parts.marks?.settleMs ?? 0 })
  await startedWith(parts, follower)
  refuseRootOf(follower.state)
  refuseOtherLog(follower.state, parts.logId)
  const isKept = keeping !== null && given?.isKept !== false
  return { follower, snapshots: isKept ? keepSnapshots(keeping, follower, from) : null, settled }
}

/**
 * What this user saw of the log before; null where that is not kept. Throws a Fault
 * `log_rolled_back` where the log does not go on from there, unless it is to be shown.
 */
async function markIn(
  { log, marks, snapshots }: Parts,
  { state }: Follower,
): Promise<({ readonly folder: string } & MarkSeen) | null> {
  if (marks === undefined) return null
  const { folder, showsRolledBack } = marks
  const { log: id } = state
  const { realm } = state.place
  if (id === null) return { folder, mark: null, rolledBack: null, isAccepted: false }
  // A mirror may have kept what its log lost.
  const { position: head } = await log.head()
  const accepted = (): number => state.catalog.rollbacks.get(realm) ?? 0
  const seen = await markSeen({ folder, realm, log: id }, { log, head, accepted })
  if (seen.rolledBack !== null && !showsRolledBack) throw seen.rolledBack.fault
  // Of what was given up the fold is kept, too.
  if (seen.isAccepted && snapshots !== undefined && snapshots.isKept !== false) {
    await removeSnapshots({ realm, folder: snapshots.folder })
  }
  return { folder, ...seen }
}

async function startedWith(parts: Parts, follower: Follower): Promise<void> {
  const { log, onProgress, onFolded } = parts
  if (onProgress === undefined && onFolded === undefined) return follower.start()
  const { position: total } = await log.head()
  const stop = follower.listen((fact, came, state) => {
    onFolded?.(fact, came, state)
    onProgress?.({ doing: 'folding the log', of: 'facts', done: fact.position, total })
  })
  try {
    await follower.start()
  } finally {
    stop()
  }
}
