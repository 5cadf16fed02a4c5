// Local times by the pinned tables, beside those of the engine where it has the same release or the
// past is meant, which no release changes.
import { expect, test } from 'vitest'
import { isZone, localDate, offsetAt, zoneNames } from '#conditions/zone'

const day = 86_400_000

test('every zone has the offsets that the engine knows, from 2000 to 2023', () => {
  let compared = 0
  for (const zone of zoneNames()) {
    const engine = formatterOf(zone)
    if (engine === null) continue
    for (let at = Date.UTC(2000, 0, 1); at < Date.UTC(2024, 0, 1); at += 97.37 * day) {
      const found = offsetAt(zone, at)
      if (found !== engine(at)) expect([zone, new Date(at), found]).toEqual([zone, engine(at)])
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(40_000)
})

test.each([
  ['Europe/Berlin', '2027-03-28T00:59:59Z', 60],
  ['Europe/Berlin', '2027-03-28T01:00:00Z', 120],
  ['Europe/Berlin', '2031-10-26T01:00:00Z', 60],
  ['America/New_York', '2030-03-10T06:59:59Z', -300],
  ['America/New_York', '2030-03-10T07:00:00Z', -240],
  ['Australia/Sydney', '2030-01-01T00:00:00Z', 660],
  ['Australia/Sydney', '2030-07-01T00:00:00Z', 600],
  ['Asia/Kolkata', '2030-07-01T00:00:00Z', 330],
  ['UTC', '1970-01-01T00:00:00Z', 0],
  ['-03:30', '1970-01-01T00:00:00Z', -210],
])('%s at %s', (zone, at, offset) => {
  expect(offsetAt(zone, Date.parse(at))).toBe(offset)
})

test('an unknown zone, and a time before the tables begin, have no local time', () => {
  expect(isZone('Europe/Berln')).toBe(false)
  expect(isZone('europe/berlin')).toBe(false)
  expect(localDate(Date.UTC(2026, 0, 1), 'Mars/Base')).toBeNull()
  expect(localDate(Date.UTC(1999, 11, 31), 'Europe/Berlin')).toBeNull()
})

function formatterOf(timeZone: string): ((at: number) => number) | null {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
  const clock = { hour: 'numeric', minute: 'numeric', hourCycle: 'h23' } as const
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone, ...fields, ...clock })
  } catch {
    return null
  }
  return (at) => {
    const found = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const part = (name: Intl.DateTimeFormatPartTypes): number => found.get(name) ?? 0
    const local = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
    )
    return Math.round((local - Math.floor(at / 60_000) * 60_000) / 60_000)
  }
}
