// All that begins on a day or in a part of it: which words mean it, and which leave it in doubt.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requestIn } from '#knowledge/known/naming'
import { meansAllAt } from '#knowledge/known/sentences/date-sets'

// A Sunday.
const today = '2024-05-19'
const means = (text: string, time: string, day: string | null = today): boolean =>
  meansAllAt(time, { thing: 'event', today: day, sentences: requestIn(text)?.sentences ?? [] })

test.each([
  ['Cancel all my appointments tomorrow.', '2024-05-20T09:30:00', true],
  ['Cancel all my appointments tomorrow.', '2024-05-21T09:30:00', false],
  ['Please clear my calendar from noon on tomorrow.', '2024-05-20T12:00:00', true],
  ['Please clear my calendar from noon on tomorrow.', '2024-05-20T11:59:00', false],
  [
    'cancel all my meetings tomorrow after noon, and write Dan that I am ill',
    '2024-05-20T13:00',
    true,
  ],
  [
    'cancel all my meetings tomorrow after noon, and write Dan that I am ill',
    '2024-05-20T12:00',
    false,
  ],
  ['Cancel everything on Monday.', '2024-05-20T09:30:00', true],
  ['Cancel everything on 2024-06-01.', '2024-06-01 09:30', true],
  ['Cancel every event on June 1st before 3 pm', '2024-06-01 14:59', true],
  ['Cancel every event on June 1st before 3 pm', '2024-06-01 15:00', false],
  ['Clear my schedule on the 1st of June in the morning', '2024-06-01 11:00', true],
  ['Delete all entries the day after tomorrow', '2024-05-21 11:00', true],
])('%s at %s: %s', (text, time, is) => {
  expect(means(text, time)).toBe(is)
})

test.each([
  ['no set', 'Cancel my appointment tomorrow.'],
  ['other things', 'Delete all mails of tomorrow.'],
  ['an exception', 'Cancel all events tomorrow except the dentist.'],
  ['another exception', 'Cancel all events tomorrow but keep the dentist.'],
  ['two days', 'Cancel all events today and tomorrow.'],
  ['a week', 'Cancel all events of tomorrow and this week.'],
  ['a day that may be two', 'Cancel all events next Monday.'],
  ['an hour that may be two', 'Cancel all events tomorrow after 3.'],
  ['a time that is not read', 'Cancel all events tomorrow until 15:00.'],
  ['an evening', 'Cancel all events tomorrow evening.'],
  ['barred', "Don't cancel all events tomorrow."],
])('%s means nothing for sure: %s', (_, text) => {
  for (const time of ['2024-05-20T16:00:00', '2024-05-19T16:00:00', '2024-05-27T16:00:00']) {
    expect(means(text, time)).toBe(false)
  }
})

test('without a result that shows today no day is near or far', () => {
  expect(means('Cancel everything tomorrow.', '2024-05-20T09:30:00', null)).toBe(false)
  expect(means('Cancel everything on 2024-05-20.', '2024-05-20T09:30:00', null)).toBe(true)
})

test('what begins on another day is never meant', () => {
  const day = fc.integer({ min: 2, max: 400 }).map((days) => {
    return new Date(Date.parse(`${today}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
  })
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 23 }), (other, hour) => {
      const time = `${other}T${String(hour).padStart(2, '0')}:00:00`
      expect(means('Cancel all events tomorrow.', time)).toBe(false)
      expect(means(`Cancel all events on ${other}.`, time)).toBe(true)
    }),
  )
})
