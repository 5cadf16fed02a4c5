// A time as `--since` and `--until` take it: as other options do, or so long ago.
import { InvalidArgumentError } from 'commander'
import { systemClock } from '#system/clock'
import { spanIn, timeMeant, timeSpelling } from '#client/reading/moment'

/** Milliseconds since 1970. */
export function timeOption(text: string, now = systemClock.now()): number {
  const at = timeMeant(text, now)
  if (at !== null) return at
  throw new InvalidArgumentError(`Expected ${timeSpelling}.`)
}

/** How long it is, in milliseconds, as an option. */
export function spanOption(text: string): number {
  const ms = spanIn(text)
  if (ms === null || ms === 0) throw new InvalidArgumentError('Expected a time such as 24h or 7d.')
  return ms
}
