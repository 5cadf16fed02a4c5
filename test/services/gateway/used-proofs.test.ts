// How many proofs are remembered: of each key so many, so that no key’s proofs refuse another’s.
import { expect, test } from 'vitest'
import { usedProofs } from '#services/gateway/used-proofs'

test('a key that floods is refused, and no other, until its proofs have ended', () => {
  const used = usedProofs()
  let taken = 0
  const flood = (now: number): void => {
    for (; taken < 1_000_000; taken += 1) used.use('one', `${taken}`, now)
  }
  expect(() => flood(0)).toThrow('too many proofs')
  expect(taken).toBeGreaterThan(1_000)
  expect(taken).toBeLessThan(100_000)
  used.use('other', 'its first', 0)
  expect(() => used.use('other', 'its first', 0)).toThrow('before')
  used.use('one', 'a later one', 3_600_000)
})
