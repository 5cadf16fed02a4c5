// Whether the time that a stage's fact carries can be believed: the log's own clock bounds it from
// both sides. The fold never asks this; a replay and a guard do.

/** A fact may be appended so long after the time it carries. */
const behindMsMax = 60_000
/** The time may be so far ahead of the log, and so far behind the basis: clocks differ. */
const skewMsMax = 5_000

export type Lateness = 'time_unreadable' | 'time_behind' | 'time_ahead' | 'time_before_basis'

export interface LogTimes {
  /** When the fact was appended, by the log's clock. */
  readonly appendedAt: number
  /** When its basis was; null where that is not known. */
  readonly basisAt: number | null
  /** So long the callbacks that it names may have taken; of this at most `behindMsMax` counts. */
  readonly callbacksMs: number
}

/** Why the time cannot be believed; null where it can. */
export function lateness(
  time: string,
  { appendedAt, basisAt, callbacksMs }: LogTimes,
): Lateness | null {
  const at = momentOf(time)
  if (at === null) return 'time_unreadable'
  if (at < appendedAt - behindMsMax - Math.min(callbacksMs, behindMsMax)) return 'time_behind'
  if (at > appendedAt + skewMsMax) return 'time_ahead'
  return basisAt !== null && at < basisAt - skewMsMax ? 'time_before_basis' : null
}

// Facts of the same millisecond often follow each other.
let known: { readonly time: string; readonly at: number | null } = { time: '', at: null }

/** What another reader may take for another moment, or for none, is no time at all. */
function momentOf(time: string): number | null {
  if (known.time === time) return known.at
  const parsed = Date.parse(time)
  const isOne = !Number.isNaN(parsed) && new Date(parsed).toISOString() === time
  known = { time, at: isOne ? parsed : null }
  return known.at
}
