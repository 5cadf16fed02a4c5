// What may never end is stopped, and what ends is as it would be; a page begins nothing of it.
import { expect, test } from 'vitest'
import { endedWithin as inPage } from '#record/platform/time-limit-browser'
import { endedWithin } from '#record/platform/time-limit-node'

const backtracking = (): boolean => /^(a+)+$/.test(`${'a'.repeat(60)}!`)
const endless = (): never => {
  for (;;);
}
const whole = 600_000

test.each([backtracking, endless])('%s is stopped', (run) => {
  expect(endedWithin(20, run)).toBeNull()
  expect(endedWithin(whole, () => endedWithin(20, run))).toEqual({ value: null })
  expect(inPage(20, run)).toBeNull()
})

test('what ends gives its value or its error, one in another too', () => {
  expect(endedWithin(whole, () => 'a')).toEqual({ value: 'a' })
  expect(endedWithin(whole, () => undefined)).toEqual({ value: undefined })
  const one = endedWithin(whole, () => endedWithin(whole, () => 1))
  expect(one).toEqual({ value: { value: 1 } })
  const wrong = new TypeError('no')
  const fail = (): never => {
    throw wrong
  }
  expect(() => endedWithin(whole, fail)).toThrow(wrong)
})
