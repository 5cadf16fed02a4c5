// The log as the server of auditors has it: it can be read, and there is nothing in here by which
// anything could be appended to it.
import type { Place } from '#record/names'
import type { Stage } from '#stages/stage'
import type { Callbacks } from '#ports/callbacks'
import type { LogReader } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import type { ValueKind } from '#schemas/values'
import { remainingFrom, boundsDefault, inTurnAtMost, type QuestionBounds } from './bounds.ts'
import type { Remaining } from './bounds.ts'

/** What a runtime has for those who only ask. */
type AskedRuntime = Pick<Runtime, 'callbacks' | 'clock' | 'ids' | 'logger' | 'reader' | 'timer'> & {
  readonly follower: Pick<Runtime['follower'], 'state'>
}

export interface AskedLog extends AskedRuntime {
  readonly log: LogReader
  readonly place: () => Place
  readonly rootKey: string | null
  /** How many cells the realm has; null where it has one log. */
  readonly cells: number | null
  /** The stages by which replay, what-if and explanations derive. */
  readonly stages: readonly Stage[]
  readonly callbacks: Callbacks
  /** What auditors may see of what the firewall would redact. */
  readonly reveal: readonly ValueKind[]
  readonly bounds: QuestionBounds
  /** Answers one question in its turn. Throws a Fault `caller_busy` where too many wait. */
  inTurn<T>(signal: AbortSignal, answer: (remaining: Remaining) => Promise<T>): Promise<T>
  /** The position up to which the state is folded, which is all that the log has now. */
  caughtUp(): Promise<number>
}

export interface AskedLogOptions {
  readonly runtime: Runtime
  readonly rootKey: string | null
  readonly cells: number | null
  readonly stages: readonly Stage[]
  readonly reveal?: readonly ValueKind[]
  readonly bounds?: Partial<QuestionBounds>
}

export function askedLog(options: AskedLogOptions): AskedLog {
  const { runtime, rootKey, cells, stages, reveal = [] } = options
  const { log, follower, callbacks, clock, ids, logger, reader, timer } = runtime
  const bounds = { ...boundsDefault, ...options.bounds }
  const turns = inTurnAtMost(bounds)
  return {
    log: {
      get: (name) => log.get(name),
      read: (range, names) => log.read(range, names),
      head: () => log.head(),
    },
    place: () => follower.state.place,
    rootKey,
    cells,
    stages,
    callbacks,
    clock,
    ids,
    logger,
    reader,
    timer,
    reveal,
    bounds,
    follower: { state: follower.state },
    inTurn: (signal, answer) => turns(() => answer(remainingFrom(bounds, signal))),
    async caughtUp() {
      const { position } = await log.head()
      await follower.reached(position)
      return follower.state.position
    },
  }
}
