// What a runtime is made of, and what it is while it runs. Anyone who acts on a log is handed one;
// how one is composed is the business of wiring.
import type { Fault } from '#record/fault'
import type { Place } from '#record/names'
import type { Callbacks } from '#ports/callbacks'
import type { Clock, Timer } from '#ports/clock'
import type { Ids } from '#ports/ids'
import type { Log } from '#ports/log'
import type { Model } from '#ports/models'
import type { Notices } from '#ports/notices'
import type { Logger } from '../reporting/logger.ts'
import type { OnProgress } from '../reporting/progress.ts'
import type { Follower, FoldListener } from './follower.ts'
import type { Reader } from './gathering/gather.ts'
import type { Observe } from './observer.ts'

/** Everything that touches the state; a simulation brings its own. */
export interface Parts {
  readonly log: Log
  /** For those who wait without following; an embedded log is followed by all who open it. */
  readonly notices?: Notices
  readonly model?: Model
  readonly place: Place
  readonly rootKey: string | null
  /** The identity that the log must have, if it is demanded. */
  readonly logId?: string
  /** Over how many cells the realm is spread; null where it has one log. */
  readonly cells?: () => Promise<number | null>
  /** Where an embedded log keeps its keys and callback modules. */
  readonly folder: string | null
  /** Snapshots of the fold, if any are to be used and written. */
  readonly snapshots?: SnapshotParts
  /** Where it is kept how far this user saw the log; nowhere if not said. */
  readonly marks?: MarkParts
  readonly callbacks: Callbacks
  readonly clock: Clock
  readonly timer: Timer
  readonly ids: Ids
  readonly logger: Logger
  /** Distinguishes workers of one stage. */
  readonly id: string
  readonly observe?: readonly Observe[]
  readonly onProgress?: OnProgress
  /** Called for each fact that is folded before it is open. */
  readonly onFolded?: FoldListener
}

type PartsWithin =
  | 'rootKey'
  | 'logId'
  | 'id'
  | 'observe'
  | 'snapshots'
  | 'marks'
  | 'onProgress'
  | 'onFolded'

/** How seldom they are written. */
export interface Pace {
  /** Facts that a start has folded beyond the last one. */
  readonly startFactsMin: number
  /** Facts that were folded since the last one. */
  readonly factsMin: number
  readonly msMin: number
}

export interface SnapshotParts {
  readonly folder: string
  readonly pace?: Pace
  /** Whether new ones are written; they are unless this says otherwise. */
  readonly isKept?: boolean
}

export interface MarkParts {
  readonly folder: string
  /** How old a fact must be until it is durable. */
  readonly settleMs: number
  /** Whether a log that was rolled back is shown, and not refused. */
  readonly showsRolledBack: boolean
}

/** The log is not what this user saw of it before. */
export interface RolledBack {
  readonly fault: Fault
  /** Whether it only ends sooner, as an older copy of it does. */
  readonly isShorter: boolean
  readonly seen: {
    readonly position: number
    readonly digest: string
    /** The number of the last one that was accepted by then. */
    readonly rollbacks: number
  }
}

export interface Runtime extends Omit<Parts, PartsWithin> {
  readonly follower: Follower
  /** The log's own time, by which its stages decide. */
  readonly logClock: Clock
  /** Reads what deciders need; it remembers sessions where stages run in this process. */
  readonly reader: Reader
  /** Null where none are written. */
  readonly snapshots: FoldSnapshots | null
  /** Null where the log goes on from all that this user saw of it. */
  readonly rolledBack: RolledBack | null
  /** Why the stages here that call callbacks cannot decide; null where nothing is missing. */
  missingModule(): Promise<Fault | null>
  /** Ends when all workers have; rejects when one of them cannot go on. */
  readonly workers: Promise<void>
  /**
   * Takes nothing new, ends what has been begun, and releases the log. What has not ended by then
   * is given back after `drainMs`; if not said, after `drainMsDefault`.
   */
  stop(drainMs?: number): Promise<void>
}

/** A snapshot of the fold that was written: its file, up to where it folds, and its size. */
export interface WrittenSnapshot {
  readonly path: string
  readonly position: number
  readonly bytes: number
}

/** The snapshots of a running fold. */
export interface FoldSnapshots {
  /**
   * Writes one now, when the one under way is whole. Null where there is nothing to write, or where
   * another process is at it.
   */
  write(): Promise<WrittenSnapshot | null>
  /** Writes no more, but ends what it is writing. */
  stop(): Promise<void>
}
