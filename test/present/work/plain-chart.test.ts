// The chart of a standing: a row for each tenth, the bounds of levels marked, the latest values.
import { expect, test } from 'vitest'
import { plainStandingChart } from '#present/work/plain-chart'

const marks = (lines: readonly string[]) => lines.filter((line) => line.includes('*'))

test('has each value on the row of its tenth, in order', () => {
  const chart = plainStandingChart([0.7, 0.79, 0.553])
  expect(marks(chart)).toEqual([
    ' 0.8 |---*--- above: autonomous',
    ' 0.7 | *',
    ' 0.6 |-----*- above: standard',
  ])
})

test('ends at zero, and below it where a value is below', () => {
  expect(plainStandingChart([0.7]).at(-1)).toBe(' 0.0 |')
  const low = plainStandingChart([0.7, -1])
  expect(low.at(-1)).toBe('-1.0 |   *')
  expect(low).toHaveLength(21)
})

test('marks each bound once, whatever values there are', () => {
  const named = plainStandingChart([1]).filter((line) => line.includes('above'))
  expect(named.map((line) => line.slice(0, 4).trim())).toEqual(['0.8', '0.6', '0.4', '0.2'])
})

test('shows the latest sixty values', () => {
  const [row = ''] = marks(plainStandingChart([0.1, ...Array.from({ length: 60 }, () => 0.5)]))
  expect(row.split('*')).toHaveLength(61)
  expect(marks(plainStandingChart([0.1, ...Array.from({ length: 60 }, () => 0.5)]))).toHaveLength(1)
})
