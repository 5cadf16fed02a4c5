// The composition root: opens a log, folds it, and runs the stages that it is given in this
// process. What it starts it also stops, in the order in which nothing is lost.
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
import { readerOf } from './gather.ts'
import { silentLogger, type Logger } from './logger.ts'
import { findLog, openLog, type LogPlace } from './log-url.ts'
import { turns } from './turns.ts'
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

/** Everything that touches the world; a simulation brings its own. */
export interface Parts {
  readonly log: Log
  readonly place: Place
  readonly rootKey: string | null
  /** Where an embedded log keeps its keys and callback modules. */
  readonly folder: string | null
  readonly callbacks: Callbacks
  readonly clock: Clock
  readonly timer: Timer
  readonly ids: Ids
  readonly logger: Logger
  /** Tells workers of one stage apart. */
  readonly id: string
}

export interface Runtime extends Omit<Parts, 'rootKey' | 'id'> {
  readonly follower: Follower
  /** Ends what has been begun, takes nothing new, and lets go of the log. */
  stop(): Promise<void>
}

export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { stages, realm = 'main', rootKey = null, logger = silentLogger } = options
  const where = options.log ?? findLog(undefined, {})
  const { folder } = where
  const parts: Parts = {
    log: await openLog(where),
    place: { realm, era: 1 },
    rootKey,
    folder,
    callbacks: threadCallbacks((digest) =>
      folder === null ? Promise.resolve(null) : loadModule(folder, digest),
    ),
    clock: systemClock,
    timer: systemTimer,
    ids: ulidIds(),
    logger,
    id: randomBytes(6).toString('hex'),
  }
  return startRuntime(parts, stages)
}

/** Folds the log, then runs the stages on it. */
export async function startRuntime(parts: Parts, stages: readonly Stage[]): Promise<Runtime> {
  const { log, place, rootKey, callbacks } = parts
  const follower = new Follower(log, place, rootKey)
  await follower.start()
  const abort = new AbortController()
  const reader = readerOf(log)
  const shared = { ...parts, reader, follower, turns: turns() }
  const workers = stages.map((stage) => runWorker({ ...shared, stage }, abort.signal))
  let stopping: Promise<void> | null = null
  const stop = async (): Promise<void> => {
    abort.abort()
    await Promise.allSettled(workers)
    await follower.stop()
    await callbacks.close()
    await log.close()
  }
  return { ...parts, follower, stop: () => (stopping ??= stop()) }
}
