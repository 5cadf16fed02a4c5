// The time at which a fact counts as appended: this machine's clock, unless that clock and the end
// of the log cannot both be right. One wrong clock must never decide the time of all that follows.
import { Fault } from '#record/fault'
import type { AppendOptions } from '#ports/log'

/** A clock may be this far behind the last fact: machines and virtual clocks step back a little. */
const clockBehindMsMax = 5_000
/** A clock may be this far ahead of the last fact, unless someone says that it is right. */
const clockAheadMsMax = 30 * 24 * 60 * 60 * 1_000

/** And no further than this of what it can be by how long the machine has run since. */
export const witnessedMsMax = 5 * 60 * 1_000

interface Stamping {
  /** The last fact, with position 0 for an empty log; and the latest that it can be, if known. */
  readonly head: {
    readonly position: number
    readonly appendedAt: number
    readonly latest?: number
  }
  readonly now: number
  readonly acceptsAhead: boolean
  readonly behind: AppendOptions['behind']
}

/** Throws a Fault `clock_behind` or `clock_ahead` where the clock is not to be believed. */
export function appendTimeOf({ head, now, acceptsAhead, behind }: Stamping): number {
  if (isAhead(head, now) && !acceptsAhead) throw clockAhead(head, now)
  if (!isBehind(head, now)) return Math.max(head.appendedAt, now)
  if (behind === undefined) throw clockBehind(head.appendedAt, now)
  return behind === 'reset' ? now : head.appendedAt
}

/** Whether that clock is so far ahead of the log that someone must confirm that it is right. */
export function isAhead(head: Stamping['head'], now: number): boolean {
  const { position, appendedAt, latest } = head
  const until = latest === undefined ? appendedAt + clockAheadMsMax : latest + witnessedMsMax
  return position > 0 && now > until
}

export function isBehind(head: Stamping['head'], now: number): boolean {
  return head.position > 0 && now < head.appendedAt - clockBehindMsMax
}

/** Whether an append failed for its clock alone; nothing else is wrong with the log. */
export function isOfClock(error: unknown): boolean {
  if (!(error instanceof Fault)) return false
  return error.code === 'clock_behind' || error.code === 'clock_ahead'
}

function clockBehind(headAt: number, now: number): Fault {
  const message =
    `${clocks(headAt, now)}: correct the clock; if it is right, the log took a fact by a ` +
    'wrong one, and `warrant log rotate --reset-clock` sets the log back'
  return new Fault('clock_behind', message)
}

function clockAhead({ appendedAt, latest }: Stamping['head'], now: number): Fault {
  const days = clockAheadMsMax / 86_400_000
  const why =
    latest === undefined
      ? `more than ${days} days later`
      : `though by how long this machine has run it is ${timeOf(latest)}`
  const message =
    `${clocks(appendedAt, now)}, ${why}: correct the clock, or confirm that it ` +
    'is right by `--accept-clock` (in a program: `acceptClock: true`)'
  return new Fault('clock_ahead', message)
}

function clocks(headAt: number, now: number): string {
  return `the last fact of the log is of ${timeOf(headAt)}, and this clock says ${timeOf(now)}`
}

function timeOf(instant: number): string {
  const latest = 8.64e15
  return new Date(Math.min(instant, latest)).toISOString()
}
