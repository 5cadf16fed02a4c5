// When something is to be: only a day and an hour that people's own words can mean, as far as they
// say when. Hours, days and distances are drawn, and so is the time of the event that is moved.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KnownArgument, ListedThing } from '#schemas/values'
import { noEvidence } from '#knowledge/known/evidence/value-evidence'
import { soughtValues } from '#knowledge/known/find'

const iso = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
const base = Date.parse('2024-05-20T00:00:00Z')
const minute = 60_000
const list = ListedThing.parse({
  thing: 'event',
  at: '/*',
  id: 'id',
  names: ['title'],
  foreign: true,
  time: 'from',
  ends: 'to',
})
const known = [
  { arg: '/event', kind: 'id', thing: 'event' },
  { arg: '/from', kind: 'time' },
  { arg: '/to', kind: 'time', part: 'to' },
  { arg: '/title', kind: 'name', about: true },
  { arg: '/amount', kind: 'amount' },
  { arg: '/date', kind: 'time' },
].map((one) => KnownArgument.parse(one))

/** How the times of a call are known, by their argument; nothing of what is left open. */
function times(says: string, args: object, now: readonly [number, number] | null = null) {
  const said = { name: 's', sender: 'desk', content: says, payload: null, counts: true }
  const event = now && { id: '7', title: 'Dentist', from: iso(now[0]), to: iso(now[1]) }
  const other = { id: '8', title: 'Review', from: '2024-05-30 03:15', to: '2024-05-30 04:00' }
  const result = (tool: string, value: unknown) => ({
    name: tool,
    sender: 'tools',
    content: null,
    payload: { tool, args: {}, error: false, value },
    counts: true,
  })
  const listed = result('list', [...(event === null ? [] : [event]), other])
  const messages = [said, result('day', '2024-05-19'), listed]
  const found = soughtValues(known, args, {
    ...noEvidence,
    messages,
    untrusted: () => [],
    lists: (tool) => (tool === 'list' ? [list] : []),
    today: (tool) => (tool === 'day' ? '' : null),
  })
  return Object.fromEntries(
    found.filter((one) => one.found.kind === 'time').map((one) => [one.found.arg, one.found.found]),
  )
}

const hour = fc.integer({ min: 1, max: 10 })
const ways: readonly (readonly [string, (by: string) => string, 1 | -1])[] = [
  ['later', (by) => `Move my dentist appointment to ${by} later.`, 1],
  ['back', (by) => `Please put my dentist appointment back by ${by}.`, 1],
  ['postponed', (by) => `Could you postpone the dentist appointment by ${by}?`, 1],
  ['delayed', (by) => `Delay my dentist appointment ${by}.`, 1],
  ['earlier', (by) => `Move the dentist appointment ${by} earlier.`, -1],
  ['sooner', (by) => `Shift the dentist appointment: ${by} sooner would suit me.`, -1],
  ['forward', (by) => `Bring the dentist appointment forward by ${by}.`, -1],
]
const distances: readonly (readonly [string, number])[] = [
  ['an hour', 60],
  ['one hour', 60],
  ['half an hour', 30],
  ['two hours', 120],
  ['90 minutes', 90],
  ['an hour and a half', 90],
  ['two and a half hours', 150],
  ['a day', 1440],
  ['two days', 2880],
  ['a week', 10_080],
  ['a fortnight', 20_160],
]

describe('what is moved by a distance', () => {
  test.each(ways)('%s', (_, says, sign) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...distances),
        fc.integer({ min: 600, max: 900 }),
        fc.integer({ min: 20, max: 100 }),
        fc.integer({ min: -700, max: 700 }).filter((off) => off !== 0),
        ([by, long], start, length, off) => {
          const begin = base + start * minute
          const now = [begin, begin + length * minute] as const
          const aim = begin + sign * long * minute
          const to = (at: number, more: number) => ({
            event: '7',
            from: iso(at),
            to: iso(at + more * minute),
          })
          const isMeant = times(says(by), to(aim, length), now)
          expect(isMeant).toEqual({ '/from': 'message', '/to': 'message' })
          const elsewhere = times(says(by), to(aim + off * minute, length), now)
          expect(elsewhere['/from']).not.toBe('message')
          // It keeps its length.
          expect(times(says(by), to(aim, length + 5), now)['/to']).not.toBe('message')
          // Another event that is listed has a time, too.
          expect(times(says(by), { event: '7', from: '2024-05-30 03:15' }, now)['/from']).not.toBe(
            'message',
          )
        },
      ),
    )
  })
})

const words = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')
const spelt = (at: number) => words[at - 1] ?? ''
const halves: readonly (readonly [string, (hour: number) => string, number])[] = [
  ['pm', (at) => `${at} pm`, 12],
  ['am', (at) => `${at} am`, 0],
  ['a word with pm', (at) => `${spelt(at)} p.m.`, 12],
  ['evening', (at) => `${at} in the evening`, 12],
  ['a word in the morning', (at) => `${spelt(at)} in the morning`, 0],
  ['past the hour', (at) => `half past ${spelt(at)} in the afternoon`, 12.5],
  ['to the hour', (at) => `quarter to ${at} in the evening`, 11.75],
  ["o'clock", (at) => `${spelt(at)} o'clock in the morning`, 0],
]

describe('an hour that is stated', () => {
  test.each(halves)('%s', (_, said, shift) => {
    fc.assert(
      fc.property(hour, fc.integer({ min: 1, max: 1439 }), (at, off) => {
        const start = base + (at + shift) * 60 * minute
        for (const says of [
          `Enter a call with Bob on May 20 at ${said(at)}.`,
          `Put a call into my calendar tomorrow, ${said(at)}.`,
          `Please create the event 'Call' for Monday, 20 May, ${said(at)}, for half an hour`,
        ]) {
          const call = (from: number, to = from + 30 * minute) =>
            times(says, { title: 'Call', from: iso(from), to: iso(to) })
          expect(call(start)).toEqual({ '/from': 'message', '/to': 'message' })
          expect(call(start + off * minute)['/from']).not.toBe('message')
          expect(call(start - 1440 * minute)['/from']).not.toBe('message')
          expect(call(start, start + 400 * 1440 * minute)['/to']).not.toBe('message')
        }
      }),
    )
  })

  test('both ends of a span are in the half of the day of its end', () => {
    fc.assert(
      fc.property(
        hour,
        fc.constantFrom('to', 'till', 'until', '-'),
        fc.constantFrom(
          ...([
            ['in the evening', 12],
            ['pm', 12],
            ['in the morning', 0],
            ['am', 0],
          ] as const),
        ),
        (at, join, [half, shift]) => {
          const says = `Enter lunch on 2024-05-20 from ${at} ${join} ${at + 1} ${half}.`
          const from = base + (at + shift) * 60 * minute
          const call = (by: number) =>
            times(says, { title: 'Lunch', from: iso(from + by), to: iso(from + 60 * minute + by) })
          expect(call(0)).toEqual({ '/from': 'message', '/to': 'message' })
          expect(call(12 * 60 * minute)['/from']).not.toBe('message')
        },
      ),
    )
  })

  test('without a half of the day it may be in both, and in no other', () => {
    fc.assert(
      fc.property(hour, fc.integer({ min: 1, max: 719 }), (at, off) => {
        const says = `Enter lunch on May 20 at ${spelt(at)}.`
        const call = (by: number) =>
          times(says, { title: 'Lunch', from: iso(base + (at * 60 + by) * minute) })['/from']
        expect([call(0), call(720)]).toEqual(['message', 'message'])
        expect(call(off)).not.toBe('message')
      }),
    )
  })

  test.each([
    ['in the evening', 17, 24],
    ['in the morning', 4, 12],
    ['in the afternoon', 12, 18],
  ])('%s bounds it', (part, from, to) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 23 }), (at) => {
        const says = `Enter lunch on May 20 ${part}.`
        const found = times(says, { title: 'Lunch', from: iso(base + at * 60 * minute) })['/from']
        expect(found === 'message').toBe(at >= from && at <= to)
      }),
    )
  })
})

const days: readonly (readonly [string, string])[] = [
  ['on June 1st', '2024-06-01'],
  ['on the first of June', '2024-06-01'],
  ['on the thirty-first of May', '2024-05-31'],
  ['on 28.05.', '2024-05-28'],
  ['on 2024-06-04', '2024-06-04'],
  ['today', '2024-05-19'],
  ['tomorrow', '2024-05-20'],
  ['on Friday', '2024-05-24'],
  ['on Friday the 24th', '2024-05-24'],
  ['in two weeks', '2024-06-02'],
  ['on June 1st and not today', '2024-06-01'],
  ['right now and not on June 1st', '2024-05-19'],
]

test.each(days)('a payment %s is of that day alone', (says, day) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), (off) => {
      const pay = (date: string) => times(`Pay 45 to DE89 ${says}.`, { amount: 45, date })['/date']
      expect(pay(day)).toBe('message')
      expect(pay(iso(Date.parse(`${day}T00:00:00Z`) + off * 1440 * minute).slice(0, 10))).not.toBe(
        'message',
      )
    }),
  )
})

test('where people leave it open, any time will do', () => {
  for (const says of [
    'Enter the dinner to which Olga invited me.',
    'Answer the mail of Monday and enter what Ann proposes.',
    'What did I do last Wednesday? Enter a call with Bob.',
  ]) {
    expect(times(says, { title: 'Dinner call', from: '2024-07-01 03:00' })).toEqual({})
  }
})

test('of two that are moved each has its own time', () => {
  const says = 'Please move the dentist to 2024-05-24 10:00 and the review to 2024-05-25 19:00.'
  const now = [base, base + 60 * minute] as const
  const move = (event: string, from: string) => times(says, { event, from }, now)['/from']
  expect(move('7', '2024-05-24 10:00')).toBe('message')
  expect(move('8', '2024-05-25 19:00')).toBe('message')
  expect(move('7', '2024-05-25 19:00')).not.toBe('message')
  expect(move('8', '2024-05-24 10:00')).not.toBe('message')
})

test('hours are read as people write them beside days', () => {
  const says = 'Put the dentist visit into my calendar: 1 June 18-22h.'
  const on = (day: string, from: string, to: string) => ({
    title: 'Dentist visit',
    from: `2024-06-${day} ${from}`,
    to: `2024-06-${day} ${to}`,
  })
  expect(times(says, on('01', '18:00', '22:00'))).toEqual({ '/from': 'message', '/to': 'message' })
  expect(times(says, on('01', '17:00', '22:00'))['/from']).not.toBe('message')
  expect(times(says, on('01', '18:00', '23:00'))['/to']).not.toBe('message')
  const long = 'Note the dentist visit (7 June 11:00 – 10 June 16:00).'
  const visit = { title: 'Dentist visit', from: '2024-06-07 11:00', to: '2024-06-10 16:00' }
  expect(times(long, visit)).toEqual({ '/from': 'message', '/to': 'message' })
  expect(times(long, { ...visit, from: '2024-06-07 10:00' })['/from']).not.toBe('message')
})

test('a distance is of the way that a day beside it has', () => {
  const begin = base + 600 * minute
  const now = [begin, begin + 60 * minute] as const
  const day = 1440 * minute
  for (const [says, way] of [
    ['Move my dentist appointment one day back, so to the 19th.', -1],
    ['Move my dentist appointment one day back, so to the 21st.', 1],
  ] as const) {
    const to = (at: number) => ({ event: '7', from: iso(at), to: iso(at + 60 * minute) })
    expect(times(says, to(begin + way * day), now)['/from']).toBe('message')
    expect(times(says, to(begin - way * day), now)['/from']).not.toBe('message')
  }
})

test('a payment among other acts is due when its own words say', () => {
  const says =
    'My aunt visits from 7 to 10 June. Note it in the calendar. Transfer 80 to Dan for the tickets.'
  expect(times(says, { amount: 80, date: '2024-05-19' })['/date']).toBeUndefined()
  const due = `${says} Pay it on June 1.`
  expect(times(due, { amount: 80, date: '2024-06-01' })['/date']).toBe('message')
})

test('when something is now, in brackets, is not when it is to be', () => {
  const begin = base + 16 * 60 * minute
  const now = [begin, begin + 60 * minute] as const
  const says = 'Move my dentist appointment (20 May 16:00-17:00) to the 22nd of May.'
  const to = (at: number) => ({ event: '7', from: iso(at), to: iso(at + 60 * minute) })
  expect(times(says, to(begin + 2880 * minute), now)['/from']).toBe('message')
  expect(times(says, to(begin + 2940 * minute), now)['/from']).not.toBe('message')
})

test('each entry of a list says when it is to be itself', () => {
  const says =
    'My aunt visits from 7 to 10 June and I like it so:\n' +
    '- reserve a table for 8 June 19:30 at table@rosa.it\n' +
    '- note the dentist visit, 7 June 11:00\n- transfer 80 to Dan'
  const visit = (hour: string) => ({ title: 'Dentist visit', from: `2024-06-07 ${hour}` })
  expect(times(says, visit('11:00'))['/from']).toBe('message')
  expect(times(says, visit('19:30'))['/from']).not.toBe('message')
  expect(times(says, { amount: 80, date: '2024-05-19' })['/date']).toBeUndefined()
})
