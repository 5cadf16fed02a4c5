// All that begins on a day or in a part of it: which words mean it, and which leave it in doubt.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requestIn } from '#knowledge/known/naming'
import { meansAllAt } from '#knowledge/known/sentences/date-sets'

// A Sunday.
const today = '2024-05-19'
const said = (text: string) => {
  const { sentences = [] } = requestIn(text) ?? {}
  return { sentences, whole: [text] }
}
const listed = [['Standup'], ['Dentist'], ['Lunch with Ann'], ['Review']]
const means = (
  text: string,
  time: string,
  day: string | null = today,
  called: readonly string[] = ['Standup'],
): boolean =>
  meansAllAt(
    { time, called, with: called.includes('Review') ? ['ann@harbour.example'] : [] },
    { thing: 'event', today: day, ...said(text), listed },
  )

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
  ['an exception that none is called by', 'Cancel all events tomorrow except the one with Ann.'],
  ['an exception with save', 'Cancel all events tomorrow, save for the standup.'],
  ['another exception', 'Cancel all events tomorrow. But keep what is important.'],
  ['words beside it', 'Cancel all events tomorrow that Ann proposed.'],
  ['a person who takes part', 'Cancel all meetings with Ann tomorrow.'],
  ['another title', "Cancel all events called 'Lunch' tomorrow."],
  ['that week, without which', 'Cancel everything in that week.'],
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

test.each([
  ['Cancel all events today and tomorrow.', ['05-19', '05-20']],
  ["Find all events called 'Standup' on 20 and 21 May and move each of them.", ['05-20', '05-21']],
  ['Cancel every meeting on May 20 and 22.', ['05-20', '05-22']],
  ['Cancel everything from May 20 to May 22.', ['05-20', '05-21', '05-22']],
  ['Cancel all events between 2024-05-21 and 2024-05-22', ['05-21', '05-22']],
  [
    'I am away from 2024-05-20 to 2024-05-21. Note that, and cancel everything else I have in ' +
      'that week.',
    ['05-20', '05-21'],
  ],
  ['Cancel all meetings I have on Monday since I am ill.', ['05-20']],
])('%s means just %j', (text, days) => {
  const all = ['05-18', '05-19', '05-20', '05-21', '05-22', '05-23']
  const found = all.filter((day) => means(text, `2024-${day}T10:00:00`))
  expect(found).toEqual(days)
})

const spare = fc.constantFrom(
  (what: string) => `Cancel all events tomorrow except the ${what}.`,
  (what: string) => `Cancel everything tomorrow but keep the ${what}.`,
  (what: string) => `Please cancel all my meetings tomorrow. Keep the ${what}.`,
  (what: string) => `Clear my calendar tomorrow, apart from ${what}.`,
  (what: string) => `Delete all entries tomorrow other than '${what}', and write Dan about it.`,
)
const title = fc.constantFrom('Standup', 'Dentist', 'Lunch with Ann', 'Review')

test('what is excepted is never meant, and all else is', () => {
  const when = '2024-05-20T10:00:00'
  fc.assert(
    fc.property(spare, title, title, (frame, kept, other) => {
      expect(means(frame(kept), when, today, [other])).toBe(kept !== other)
    }),
  )
})

test('what no listed one is called by leaves in doubt which is excepted', () => {
  fc.assert(
    fc.property(
      spare,
      title,
      fc.constantFrom('gala', 'tax office', 'fête'),
      (frame, other, kept) => {
        expect(means(frame(kept), '2024-05-20T10:00:00', today, [other])).toBe(false)
      },
    ),
  )
})

test('those with a person are those that show the person', () => {
  const text = 'Cancel all meetings with Ann tomorrow.'
  const found = listed.filter((called) => means(text, '2024-05-20T10:00:00', today, called))
  expect(found).toEqual([['Lunch with Ann'], ['Review']])
})
