// Amounts are exact: what is added up is what was written, and what cannot be kept is refused.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amountOfNumber, amountOfText, amountText } from '#rules/budgets/decimal'

const sum = (...amounts: readonly (bigint | string)[]): string => {
  return amountText(amounts.reduce<bigint>((all, one) => all + BigInt(one), 0n))
}

test('a tenth and two tenths are three tenths', () => {
  expect(sum(amountOfNumber(0.1), amountOfNumber(0.2))).toBe('0.3')
  expect(sum(amountOfText('0.1'), amountOfText('0.2'))).toBe('0.3')
})

test('what a text says comes back in one spelling', () => {
  const digits = fc.stringMatching(/^[1-9][0-9]{0,29}$/)
  const fraction = fc.stringMatching(/^[0-9]{0,17}[1-9]$/)
  fc.assert(
    fc.property(digits, fraction, (whole, part) => {
      expect(sum(amountOfText(`${whole}.${part}`))).toBe(`${whole}.${part}`)
      expect(sum(amountOfText(`000${whole}.000`))).toBe(whole)
    }),
    { numRuns: 200 },
  )
})

test('a number is the shortest decimal that is read as it', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-2, max: 1e29, noNaN: true }), (value) => {
      const amount = amountOfNumber(value)
      if (typeof amount === 'string') expect(amount).toBe('amount_beyond')
      else expect(Number(amountText(amount))).toBe(value)
    }),
    { numRuns: 500 },
  )
})

describe('an amount', () => {
  test.each([
    [0, '0'],
    [-0, '0'],
    [1e21, '1000000000000000000000'],
    [1.5e-7, '0.00000015'],
    [1e-18, '0.000000000000000001'],
    [9_007_199_254_740_993n, '9007199254740993'],
  ])('of the number %s is %s', (value, text) => {
    expect(sum(amountOfNumber(value))).toBe(text)
  })

  test.each([
    [-1, 'amount_negative'],
    [-1n, 'amount_negative'],
    [Number.NaN, 'amount_not_decimal'],
    [Infinity, 'amount_not_decimal'],
    [-Infinity, 'amount_negative'],
    [1e-19, 'amount_beyond'],
    [1e30, 'amount_beyond'],
    [1.7e308, 'amount_beyond'],
    [5e-324, 'amount_beyond'],
    [10n ** 30n, 'amount_beyond'],
  ])('is not the number %s', (value, fault) => {
    expect(amountOfNumber(value)).toBe(fault)
  })

  test.each([
    ['-0', 'amount_negative'],
    ['-12.5', 'amount_negative'],
    ['', 'amount_not_decimal'],
    ['1e400', 'amount_not_decimal'],
    ['1e1', 'amount_not_decimal'],
    ['NaN', 'amount_not_decimal'],
    ['Infinity', 'amount_not_decimal'],
    ['+1', 'amount_not_decimal'],
    ['--1', 'amount_not_decimal'],
    ['0x10', 'amount_not_decimal'],
    ['1,000', 'amount_not_decimal'],
    [' 1', 'amount_not_decimal'],
    ['1\n', 'amount_not_decimal'],
    ['1.', 'amount_not_decimal'],
    ['.5', 'amount_not_decimal'],
    ['１', 'amount_not_decimal'],
    [`0.${'0'.repeat(18)}1`, 'amount_beyond'],
    ['9'.repeat(31), 'amount_beyond'],
    ['9'.repeat(100_000), 'amount_beyond'],
  ])('is not the text %j', (text, fault) => {
    expect(amountOfText(text)).toBe(fault)
  })
})
