// A guard never acts on a verdict whose time the log's own clock contradicts: at another time the
// answer may have been another.
import { Fault } from '#record/fault'
import { lateness, type Lateness } from '#stages/lateness'
import { callbackMsMax } from '#ports/callbacks'
import type { Verdict } from './verdict.ts'

/** Throws a Fault `verdict_late`. `basisAt`: when its basis was appended; null if not known. */
export function refuseLate(verdict: Verdict, basisAt: number | null): void {
  const why = latenessOf(verdict, basisAt)
  if (why === null) return
  const what = `the log’s clock contradicts the time of the verdict on \`${verdict.intent}\``
  throw new Fault('verdict_late', `${what} (${why}): ask again`)
}

export function isLate(verdict: Verdict, basisAt: number): boolean {
  return latenessOf(verdict, basisAt) !== null
}

function latenessOf({ origin }: Verdict, basisAt: number | null): Lateness | null {
  const { time, appendedAt, callbacks } = origin
  return lateness(time, { appendedAt, basisAt, callbacksMs: callbacks * callbackMsMax })
}
