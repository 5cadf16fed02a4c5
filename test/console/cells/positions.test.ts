// Where something stands in one log and in several, as the console says it and takes it back.
import { describe, expect, test } from 'vitest'
import { realmNamed } from '#record/names'
import {
  countBetween,
  isNewer,
  momentAfter,
  momentText,
  positionsIn,
  positionsOf,
} from '#schemas/console/positions'

describe('positions', () => {
  test('are a number in one log, and name each cell of several, also of one alone', () => {
    expect(positionsOf([{ position: 17 }])).toBe(17)
    expect(
      positionsOf([
        { cell: 0, position: 12 },
        { cell: 10, position: 0 },
      ]),
    ).toBe('c0.12,c10.0')
    expect(momentText({ cell: 1, position: 40 })).toBe('c1.40')
  })

  test('are read as they are written, and nothing else is', () => {
    expect(positionsIn('17')).toEqual(new Map([[undefined, 17]]))
    expect(positionsIn('c0.12,c10.0')).toEqual(
      new Map([
        [0, 12],
        [10, 0],
      ]),
    )
    for (const text of [
      '',
      '-1',
      '017',
      '1.5',
      'c0',
      'c01.2',
      'c0.1,',
      'c0.1,c0.2',
      'c0.1, c1.2',
    ]) {
      expect(positionsIn(text), text).toBeNull()
    }
  })

  test('say what is behind them, and how much lies between two of them', () => {
    expect([16, 17, 18].map((position) => isNewer({ position }, 17))).toEqual([false, false, true])
    const named = 'c0.3,c1.5'
    expect(isNewer({ cell: 1, position: 5 }, named)).toBe(false)
    expect(isNewer({ cell: 1, position: 6 }, named)).toBe(true)
    expect(isNewer({ cell: 2, position: 1 }, named)).toBe(true)
    expect(countBetween(3, 10)).toBe(7)
    expect(countBetween(named, 'c0.4,c1.7')).toBe(3)
    expect([momentAfter('17'), momentAfter('c1.40')]).toEqual(['18', 'c1.41'])
  })
})

test('a name says which log of the realm has it', () => {
  expect(realmNamed('main-c1.1.verdict.bot.-.u1', 'main')).toBe('main-c1')
  expect(realmNamed('main.1.catalog.3', 'main')).toBe('main')
  expect(realmNamed('other-c1.1.verdict.bot.-.u1', 'main')).toBe('main')
})
