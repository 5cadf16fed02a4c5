// When a person may be notified, by the clocks of their zone, and over the nights in which those
// are set forward and back.
import { expect, test } from 'vitest'
import { isTimeZone, quietUntil, sendableFrom } from '#outreach/quiet-hours'

const night = { from: '22:00', to: '07:00', zone: 'Europe/Vienna', wakes: false }
const at = (text: string): number => Date.parse(text)

test.each([
  // Winter: one hour before UTC.
  ['2026-01-10T20:59:59Z', null],
  ['2026-01-10T21:00:00Z', '2026-01-11T06:00:00Z'],
  ['2026-01-11T05:59:59Z', '2026-01-11T06:00:00Z'],
  ['2026-01-11T06:00:00Z', null],
  // Summer: two hours.
  ['2026-07-10T20:00:00Z', '2026-07-11T05:00:00Z'],
  // The night in which clocks are set forward is an hour shorter, the other an hour longer.
  ['2026-03-28T21:30:00Z', '2026-03-29T05:00:00Z'],
  ['2026-03-29T00:59:59Z', '2026-03-29T05:00:00Z'],
  ['2026-10-24T20:30:00Z', '2026-10-25T06:00:00Z'],
  ['2026-10-25T00:30:00Z', '2026-10-25T06:00:00Z'],
  ['2026-10-25T05:59:00Z', '2026-10-25T06:00:00Z'],
])('at %s they last until %s', (moment, end) => {
  expect(quietUntil(night, at(moment))).toBe(end === null ? null : at(end))
})

test('hours that end in the hour which a clock shows twice end after its second time', () => {
  const short = { ...night, from: '00:00', to: '02:30' }
  // 02:15 for the first time, and for the second.
  expect(quietUntil(short, at('2026-10-25T00:15:00Z'))).toBe(at('2026-10-25T00:30:00Z'))
  expect(quietUntil(short, at('2026-10-25T01:15:00Z'))).toBe(at('2026-10-25T01:30:00Z'))
})

test('hours that end in the hour which no clock shows end when that is passed over', () => {
  const short = { ...night, from: '00:00', to: '02:30' }
  expect(quietUntil(short, at('2026-03-29T00:30:00Z'))).toBe(at('2026-03-29T01:00:00Z'))
})

test('of one day, of a zone with half an hour, and none at all', () => {
  const noon = { from: '12:00', to: '13:00', zone: 'Asia/Kolkata', wakes: false }
  expect(quietUntil(noon, at('2026-01-01T06:30:00Z'))).toBe(at('2026-01-01T07:30:00Z'))
  expect(quietUntil(noon, at('2026-01-01T07:30:00Z'))).toBeNull()
  expect(quietUntil({ ...noon, to: '12:00' }, at('2026-01-01T06:30:00Z'))).toBeNull()
})

test('what expires before they end comes only to those who want that', () => {
  const now = at('2026-01-10T22:00:00Z')
  const end = at('2026-01-11T06:00:00Z')
  expect(sendableFrom(undefined, now, now + 1)).toBe(now)
  expect(sendableFrom(night, now, end)).toBe(end)
  expect(sendableFrom(night, now, end - 1)).toBeNull()
  expect(sendableFrom({ ...night, wakes: true }, now, end - 1)).toBe(now)
  expect(sendableFrom({ ...night, wakes: true }, now, end)).toBe(end)
})

test('a zone that the machine does not know is refused', () => {
  expect(isTimeZone('Europe/Vienna')).toBe(true)
  expect(isTimeZone('Europe/Nowhere')).toBe(false)
})
