// A time as `--since` and `--until` take it: as other options do, or so long ago.
import { InvalidArgumentError } from 'commander'
import { systemClock } from '#adapters/system/clock'
import { moment } from '../opening/moment.ts'

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

export const timeSpelling = 'a time such as 2026-05-01T12:00Z, or how long ago: 90s, 15m, 24h, 7d'

/** Milliseconds since 1970. */
export function timeOption(text: string, now = systemClock.now()): number {
  const span = spanIn(text)
  if (span !== null) return now - span
  const at = timeIn(text)
  if (at !== null) return at
  throw new InvalidArgumentError(`Expected ${timeSpelling}.`)
}

/** How long `90s`, `15m`, `24h`, `7d` or `2w` is, in milliseconds; null for anything else. */
function spanIn(text: string): number | null {
  const [, count = '', unit = ''] = /^([0-9]{1,6})([smhdw])$/.exec(text) ?? []
  for (const [name, ms] of Object.entries(units)) if (name === unit) return Number(count) * ms
  return null
}

/** The same, as an option. */
export function spanOption(text: string): number {
  const ms = spanIn(text)
  if (ms === null || ms === 0) throw new InvalidArgumentError('Expected a time such as 24h or 7d.')
  return ms
}

function timeIn(text: string): number | null {
  try {
    const found = moment(text)
    return found.at === 'time' ? found.time : null
  } catch {
    return null
  }
}
