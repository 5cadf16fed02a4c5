// The composition root: opens a log, folds it, and runs the stages that it is given in this process.
// What it starts it also stops, in the order in which nothing is lost.
import { randomBytes } from 'node:crypto'
import { threadCallbacks } from '#adapters/callbacks/thread'
import { systemClock, systemTimer } from '#adapters/clock'
import { ulidIds } from '#adapters/ids'
import type { Place } from '#core/names'
import type { Stage } from '#core/stage/stage'
import type { Callbacks } from '#ports/callbacks'
import type { Clock, Timer } from '#ports/clock'
import type { Ids } from '#ports/ids'
import type { Log } from '#ports/log'
import { loadModule } from './callback-store.ts'
import { Follower } from './follower.ts'
import { silentLogger, type Logger } from './logger.ts'
import { findLog, openLog, type LogPlace } from './log-url.ts'
import { runWorker } from './worker.ts'

export interface RuntimeOptions {
  readonly log?: LogPlace
  readonly realm?: string
  /** If given, only a catalog whose first change set this key signed is believed. */
  readonly rootKey?: string | null
  /** Run in this process; names make it safe that others run them too. */
  readonly stages: readonly Stage[]
  readonly logger?: Logger
}

export interface Runtime {
  readonly log: Log
  readonly place: Place
  /** Where an embedded log keeps its keys and callback modules. */
  readonly folder: string | null
  readonly follower: Follower
  readonly callbacks: Callbacks
  readonly clock: Clock
  readonly timer: Timer
  readonly ids: Ids
  readonly logger: Logger
  /** Ends what has been begun, takes nothing new, and lets go of the log. */
  stop(): Promise<void>
}

export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { stages, realm = 'main', rootKey = null, logger = silentLogger } = options
  const where = options.log ?? findLog(undefined, {})
  const { folder } = where
  const log = await openLog(where)
  const place = { realm, era: 1 }
  const follower = new Follower(log, place, rootKey)
  const callbacks = threadCallbacks((digest) =>
    folder === null ? Promise.resolve(null) : loadModule(folder, digest),
  )
  const ports = { clock: systemClock, timer: systemTimer, ids: ulidIds() }
  await follower.start()
  const abort = new AbortController()
  const id = randomBytes(6).toString('hex')
  const shared = { log, follower, callbacks, logger, id, ...ports }
  const workers = stages.map((stage) => runWorker({ ...shared, stage }, abort.signal))
  let stopping: Promise<void> | null = null
  const stop = async (): Promise<void> => {
    abort.abort()
    await Promise.allSettled(workers)
    await follower.stop()
    await callbacks.close()
    await log.close()
  }
  return {
    log,
    place,
    folder,
    follower,
    callbacks,
    logger,
    ...ports,
    stop: () => (stopping ??= stop()),
  }
}
