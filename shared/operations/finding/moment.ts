// How a moment of a log's history is spelled: a position, a revision, a time, or how long ago. A
// time says how far from UTC it is, so that it means the same on every machine.
import { z } from 'zod'
import type { Moment } from '#replay/eras/state-at'

export const momentSpelling =
  'a position, `r12` for a revision, or a time such as 2026-05-01T12:00Z'

const number = /^(0|[1-9][0-9]{0,14})$/
const Time = z.union([
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ precision: -1, offset: true }),
  z.iso.date(),
])
const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** `17`, `r3`, `2026-05-01` or `2026-05-01T12:00Z`; null for anything else. */
export function momentMeant(text: string): Exclude<Moment, { readonly at: 'end' }> | null {
  if (number.test(text)) return { at: 'position', position: Number(text) }
  if (text.startsWith('r') && number.test(text.slice(1))) {
    return { at: 'revision', revision: Number(text.slice(1)) }
  }
  const time = Time.safeParse(text)
  return time.success ? { at: 'time', time: Date.parse(time.data) } : null
}

/** A time, or so long before now, in milliseconds since 1970; null for anything else. */
export function timeMeant(text: string, now: number): number | null {
  const span = spanIn(text)
  if (span !== null) return now - span
  const found = momentMeant(text)
  return found?.at === 'time' ? found.time : null
}

/** How long `90s`, `15m`, `24h`, `7d` or `2w` is, in milliseconds; null for anything else. */
export function spanIn(text: string): number | null {
  const [, count = '', unit = ''] = /^([0-9]{1,6})([smhdw])$/.exec(text) ?? []
  for (const [name, ms] of Object.entries(units)) if (name === unit) return Number(count) * ms
  return null
}
