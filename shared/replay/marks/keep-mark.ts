// Keeps the high-water mark of a log that is followed: now and then, and when following ends. It
// must never be higher than what is durable, or an honest log would be refused after a crash.
import type { Clock, Timer } from '#ports/clock'
import type { LogReader } from '#ports/log'
import type { Follower } from '#runtime/engine/follower'
import { factAtPosition } from '#runtime/logs/seek'
import type { RolledBack } from '#runtime/engine/runtime'
import type { Logger } from '#runtime/reporting/logger'
import type { State } from '#state/state'
import { writeMark, type HighWaterMark } from './mark-files.ts'
import { markAt } from './rolled-back.ts'

const everyMs = 60_000

type Stood = Pick<State, 'position' | 'appendedAt'>

interface Followed {
  readonly follower: Pick<Follower, 'listen' | 'state'>
  /** How old a fact must be until it is durable; 0 where it is as soon as it can be read. */
  readonly settleMs: number
}

/**
 * A position that is durable for certain, by the log's time: the highest that is three times as old
 * as it must be, or a higher one.
 */
export type SettledPosition = (now: number) => number

/** To be called before the follower begins. */
export function settledIn({ follower, settleMs }: Followed): SettledPosition {
  const { state } = follower
  if (settleMs === 0) return () => state.position
  let settled = 0
  let waiting: Stood | null = null
  let last: Stood | null = null
  follower.listen(({ position, appendedAt }) => {
    const isPast = (one: Stood | null): boolean =>
      one === null || appendedAt - one.appendedAt >= settleMs
    const next = { position, appendedAt }
    const past = isPast(last) ? last : waiting
    last = next
    if (!isPast(past)) return
    settled = past?.position ?? 0
    waiting = next
  })
  const isSettled = ({ appendedAt }: Pick<State, 'appendedAt'>, now: number): boolean =>
    now - appendedAt >= settleMs
  return (now) => {
    if (isSettled(state, now)) return state.position
    return waiting !== null && isSettled(waiting, now) ? waiting.position : settled
  }
}

export interface MarkKeeping {
  readonly log: LogReader
  readonly clock: Clock
  readonly timer: Timer
  readonly logger: Logger
  readonly folder: string
  readonly follower: Pick<Follower, 'state'>
  readonly settled: SettledPosition
  /** What was found at the beginning. */
  readonly mark: HighWaterMark | null
  readonly rolledBack: RolledBack | null
}

/** Until `stop`, which keeps it once more. Of a log that was rolled back none is kept. */
export function keepMark(keeping: MarkKeeping): { readonly stop: () => Promise<void> } {
  const { log, clock, timer, logger, folder, settled, rolledBack } = keeping
  const { state } = keeping.follower
  let kept = keeping.mark
  let isBroken = false
  const keep = async (): Promise<void> => {
    const { log: id } = state
    const { realm } = state.place
    const rollbacks = state.catalog.rollbacks.get(realm) ?? 0
    if (rolledBack !== null && rollbacks <= rolledBack.seen.rollbacks) return
    const position = settled(clock.now())
    if (id === null || position === 0 || !isAbove({ rollbacks, position }, kept)) return
    try {
      const fact = await factAtPosition(log, position)
      if (fact === undefined) return
      const mark = markAt({ log: id, realm }, fact, rollbacks)
      await writeMark({ folder, log: id, realm }, mark)
      kept = mark
      isBroken = false
    } catch (error) {
      // A folder that cannot be written to stays so: it is reported once.
      logger[isBroken ? 'debug' : 'info']({ error }, 'high-water mark of the log not kept')
      isBroken = true
    }
  }
  let running = Promise.resolve()
  const again = (): (() => void) =>
    timer.after(everyMs, () => {
      running = keep()
      cancel = again()
    })
  let cancel = again()
  return {
    async stop() {
      cancel()
      await running
      await keep()
    },
  }
}

type Height = Pick<HighWaterMark, 'rollbacks' | 'position'>

function isAbove(one: Height, other: Height | null): boolean {
  if (other === null || one.rollbacks > other.rollbacks) return true
  return one.rollbacks === other.rollbacks && one.position > other.position
}
