// What agents get of results: modes, budgets, the text of facts, warnings.
import { describe, expect, test } from 'vitest'
import type { Json } from '#record/canonical'
import { frameConstraints } from '#firewall/frame-constraints'
import { twoDecimals } from '#firewall/facts'
import { frame, frameBudgets, frameModes } from '#firewall/frame'

const rows = (count: number): Json[] => Array.from({ length: count }, (_, id) => ({ id }))

describe('a summary', () => {
  test('of rows counts them, their fields and their values', () => {
    const value = [
      { id: 1, state: 'open', paid: true, cents: 0.25, note: null },
      { id: 2, state: 'done', paid: false, cents: 0, note: 'x' },
      { id: 4, state: 'open', paid: false },
    ]
    expect(frame(value, { mode: 'summary' })).toEqual({
      mode: 'summary',
      facts: [
        'Total rows: 3',
        'Top keys: id, state, paid, cents, note',
        'id: min=1.00, max=4.00, avg=2.33',
        'cents: min=0.00, max=0.25, avg=0.12',
        'state distribution: done=1, open=2',
        'paid: true=1, false=2',
      ],
      handle: { rows: 3 },
      warnings: [],
    })
  })

  test('of rows one of which is no row has an answer', () => {
    expect(frame([{ a: 1 }, 5, null], { mode: 'summary' }).facts).toEqual([
      'Total rows: 3',
      'Top keys: a',
      'a: min=1.00, max=1.00, avg=1.00',
    ])
  })

  test('of an object says what each member is', () => {
    const value = { b: true, a: 1.5, c: null, d: 'x'.repeat(100), e: [1, 2], f: { g: 1, h: 2 } }
    expect(frame(value, { mode: 'summary' })).toEqual({
      mode: 'summary',
      facts: [
        'Keys: a, b, c, d, e, f',
        'b: true',
        'a: 1.5',
        'c: null',
        `d: ${'x'.repeat(80)}`,
        'e: list of 2 items',
        'f: dict with keys [g, h]',
      ],
      handle: { rows: 1 },
      warnings: [],
    })
  })

  test('of a list says what its items are', () => {
    expect(frame([true, null, 'a', 1, [2]], { mode: 'summary' }).facts).toEqual([
      'List of 5 items',
      'true',
      'null',
      '"a"',
      '1',
      '[2]',
    ])
  })

  test('of a text has its beginning, by whole characters', () => {
    expect(frame('short', { mode: 'summary' }).facts).toEqual(['short'])
    expect(frame('😀'.repeat(501), { mode: 'summary' }).facts).toEqual([
      `${'😀'.repeat(500)}… (501 chars total)`,
    ])
  })

  test('says how much it leaves out, and only then', () => {
    const exactly = Object.fromEntries(rows(19).map((_, index) => [`k${index}`, index]))
    expect(frame(exactly, { mode: 'summary' }).facts).toHaveLength(20)
    expect(frame(exactly, { mode: 'summary' }).facts?.at(-1)).toBe('k18: 18')
    const more = { ...exactly, last: 1 }
    expect(frame(more, { mode: 'summary' }).facts).toHaveLength(20)
    expect(frame(more, { mode: 'summary' }).facts?.at(-1)).toBe(
      '… (2 more facts omitted; full data via handle)',
    )
    expect(frame([1, 2, 3], { mode: 'summary' }).facts).toHaveLength(4)
  })

  test('ends before it is too long', () => {
    const value = Array.from({ length: 10 }, (_, index) => {
      return { [`${index}${'k'.repeat(500)}`]: 1 }
    })
    const { facts, warnings } = frame(value, { mode: 'summary' })
    expect(facts?.join('').length).toBeLessThanOrEqual(frameBudgets.chars)
    expect(warnings).toEqual([{ code: 'chars', path: '' }])
  })
})

describe('a table', () => {
  test('has so many rows as are allowed, and says that there are more', () => {
    const of = (count: number, maxRows?: number) =>
      frame(rows(count), { mode: 'table', constraints: maxRows === undefined ? {} : { maxRows } })
    expect(of(50)).toMatchObject({ table: rows(50), warnings: [] })
    expect(of(51)).toMatchObject({
      table: rows(50),
      handle: { rows: 51 },
      warnings: [{ code: 'rows', path: '' }],
    })
    expect(of(60, 500).table).toHaveLength(60)
    expect(of(3, 0)).toMatchObject({ table: [], warnings: [{ code: 'rows', path: '' }] })
  })

  test('has one row of an object, and a value for what has no members', () => {
    expect(frame({ a: 1 }, { mode: 'table' }).table).toEqual([{ a: 1 }])
    expect(frame(5, { mode: 'table' }).table).toEqual([{ value: 5 }])
    expect(frame([1, { a: 2 }], { mode: 'table' }).table).toEqual([{ value: 1 }, { a: 2 }])
  })

  test('has twenty fields a row, and names those it leaves out', () => {
    const wide = Object.fromEntries(rows(21).map((_, index) => [`k${index}`, 1]))
    const { table, warnings } = frame([wide], { mode: 'table' })
    expect(Object.keys(Object(table?.[0]))).toHaveLength(20)
    expect(warnings).toEqual([{ code: 'field_dropped', path: '/0/k20' }])
  })

  test('ends before it is too long', () => {
    const long = rows(10).map(() => ({ a: 'x '.repeat(5_000) }))
    const { table, warnings } = frame(long, { mode: 'table' })
    expect(table).toHaveLength(6)
    expect(warnings).toEqual([{ code: 'chars', path: '' }])
  })
})

describe('all of it', () => {
  test('is for administrators, and redacted all the same', () => {
    expect(frame({ password: 'x', a: 1 }, { mode: 'raw', roles: ['admin'] })).toEqual({
      mode: 'raw',
      raw: { password: '[REDACTED]', a: 1 },
      handle: null,
      warnings: [{ code: 'field_redacted', path: '/password' }],
    })
  })

  test('is a summary for everyone else, with a warning', () => {
    for (const roles of [[], ['Admin'], ['administrator', 'writer']]) {
      expect(frame([1], { mode: 'raw', roles })).toEqual({
        mode: 'summary',
        facts: ['List of 1 items', '1'],
        handle: { rows: 1 },
        warnings: [{ code: 'mode', path: '' }],
      })
    }
  })

  test('says that it is long', () => {
    const text = 'a '.repeat(2_001)
    expect(frame(text, { mode: 'raw', roles: ['admin'] }).warnings).toEqual([
      { code: 'chars', path: '' },
    ])
    expect(frame('a', { mode: 'raw', roles: ['admin'] }).warnings).toEqual([])
  })
})

test('a handle alone has nothing of the value', () => {
  expect(frame(rows(7), { mode: 'handle_only' })).toEqual({
    mode: 'handle_only',
    handle: { rows: 7 },
    warnings: [],
  })
})

test('what is not shown is not looked at, and there is no warning of it', () => {
  const many = rows(60).map((row) => ({ ...Object(row), password: 'x' }))
  expect(frame(many, { mode: 'handle_only' }).warnings).toEqual([])
  const { warnings } = frame(many, { mode: 'table', constraints: { maxRows: 2 } })
  expect(warnings).toEqual([
    { code: 'rows', path: '' },
    { code: 'field_redacted', path: '/0/password' },
    { code: 'field_redacted', path: '/1/password' },
  ])
  const untouchable = new Proxy({}, { ownKeys: () => expect.unreachable('it is not shown') })
  const beyond: Json[] = [{ id: 1 }, untouchable]
  expect(frame(beyond, { mode: 'table', constraints: { maxRows: 1 } }).table).toEqual([{ id: 1 }])
})

test('fields that are not allowed are in no frame', () => {
  const value = [{ id: 1, name: 'Ann', balance: 7_777 }]
  for (const mode of frameModes) {
    const shown = frame(value, {
      mode,
      roles: ['admin'],
      constraints: { allowedFields: ['id'] },
    })
    expect(JSON.stringify(shown)).not.toMatch(/Ann|7777/)
  }
  expect(frame(value, { mode: 'table', constraints: { allowedFields: [] } }).table).toEqual([{}])
})

test('warnings are bounded, and one more reports it', () => {
  const many = rows(2_000).map(() => ({ password: 'x' }))
  const { warnings } = frame(many, { mode: 'summary' })
  expect(warnings).toHaveLength(frameBudgets.warningsMax + 1)
  expect(warnings[0]).toEqual({ code: 'chars', path: '' })
})

test.each([
  [0.125, '0.12'],
  [0.375, '0.38'],
  [-0.125, '-0.12'],
  [2.675, '2.67'],
  [1.005, '1.00'],
  [0.005, '0.01'],
  [1e21, '1000000000000000000000.00'],
  [123_456_789.625, '123456789.62'],
  [-1.5, '-1.50'],
  [Number.POSITIVE_INFINITY, 'inf'],
])('%d has the two decimals %s', (value, text) => {
  expect(twoDecimals(value)).toBe(text)
})

describe('constraints of a verdict', () => {
  test('are taken as they are', () => {
    const given = { max_rows: 3, allowed_fields: ['a'], dry_run: true }
    expect(frameConstraints(given).constraints).toEqual({ maxRows: 3, allowedFields: ['a'] })
    expect(frameConstraints({}).constraints).toEqual({})
  })

  test.each(['abc', '3', -2, 1.5, null, [3], Number.POSITIVE_INFINITY, Number.NaN, 2 ** 60])(
    'are a problem where `max_rows` is %s',
    (rowsMax) => {
      expect(frameConstraints({ max_rows: rowsMax }).problem?.at).toBe('constraints/max_rows')
    },
  )

  test.each(['id', [1], null, { id: true }])('are a problem where fields are %s', (fields) => {
    expect(frameConstraints({ allowed_fields: fields }).problem?.at).toMatch(/allowed_fields/)
  })
})
