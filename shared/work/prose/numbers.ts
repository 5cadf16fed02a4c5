// The numbers and dates of a text, as far as they can be wrong by themselves: one number with two
// units, a day far from now. All of it is a hint to a reader, and never a failure.
import { rowsFrom } from './rows.ts'
import type { ProseFinding } from './structure.ts'

const numeral =
  /(?<![\p{L}\p{N}_.,])(?:[0-9]{1,3}(?:,[0-9]{3}){1,8}|[0-9]{1,64})(?:\.[0-9]{1,64})?/gu
const unit = /\s{0,8}(?<unit>%|(?:users?|requests?|ms|seconds?)(?![\p{L}\p{N}_]))/uy

/** Each place at which a number has another unit than where it stood last. */
export function inconsistentUnits(text: string): readonly ProseFinding[] {
  const seen = new Map<string, string>()
  const row = rowsFrom(text, 1)
  const found: ProseFinding[] = []
  for (const { 0: digits, index } of text.matchAll(numeral)) {
    unit.lastIndex = index + digits.length
    const written = unit.exec(text)?.groups?.['unit']
    if (written === undefined) continue
    const name = written === 'ms' ? written : written.replace(/s$/, '')
    const before = seen.get(digits) ?? name
    if (before !== name) {
      const about = `${digits} ${before}, ${digits} ${name}`
      found.push({ detail: 'inconsistent_unit', line: row(index), about })
    }
    seen.set(digits, name)
  }
  return found
}

const iso = String.raw`(?<year>[0-9]{4})-(?<month>[0-9]{2})-(?<day>[0-9]{2})`
const dotted = String.raw`(?<d>[0-9]{2})\.(?<m>[0-9]{2})\.(?<y>[0-9]{4})`
const ofWord = String.raw`[\p{L}\p{N}_]`
const dates = new RegExp(`(?<!${ofWord})(?:${iso}|${dotted})(?!${ofWord})`, 'gu')
const dayMs = 86_400_000
const daysAYear = 365
const yearsPastMax = 10
const yearsFutureMax = 5

/**
 * Days more than ten years before or five years after `now`, in milliseconds since 1970; days that
 * no calendar has are left out. Without `now`, a warning if there is any day.
 */
export function doubtfulDates(text: string, now: number | undefined): readonly ProseFinding[] {
  const row = rowsFrom(text, 1)
  const found: ProseFinding[] = []
  for (const { 0: about, index, groups = {} } of text.matchAll(dates)) {
    const [year, month, day] = [
      Number(groups['year'] ?? groups['y']),
      Number(groups['month'] ?? groups['m']),
      Number(groups['day'] ?? groups['d']),
    ]
    const time = timeOf({ year, month, day })
    if (time === null) continue
    if (now === undefined) return [{ detail: 'not_checked' }]
    const years = Math.floor((now - time) / dayMs) / daysAYear
    if (years > yearsPastMax) found.push({ detail: 'date_past', line: row(index), about })
    if (years < -yearsFutureMax) found.push({ detail: 'date_future', line: row(index), about })
  }
  return found
}

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** Null for a day that no calendar has. */
function timeOf({ year, month, day }: Day): number | null {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isDay = year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isDay ? date.getTime() : null
}
