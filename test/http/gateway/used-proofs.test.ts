// How many proofs are remembered: of each principal so many, so that no one's proofs refuse those
// of another; and what a proof with a key of no one costs.
import { expect, test } from 'vitest'
import { publicKeyOf } from '#record/crypto/private-key'
import { thumbprintOf } from '#messages/warrants/jwk'
import { Principal } from '#schemas/catalog'
import { holdersOf } from '#http/gateway/routes'
import { usedProofs } from '#http/gateway/used-proofs'
import { testKey } from '#testing/setup'

test('who floods is refused, by whichever keys, and no one else, until the proofs have ended', () => {
  const used = usedProofs()
  let taken = 0
  const flood = (now: number): void => {
    for (; taken < 1_000_000; taken += 1) {
      used.use({ principal: 'one', key: `link ${taken % 100}`, jti: `${taken}` }, now)
    }
  }
  expect(() => flood(0)).toThrow('too many proofs')
  expect(taken).toBeGreaterThan(1_000)
  expect(taken).toBeLessThan(100_000)
  const first = { principal: 'other', key: 'its own', jti: 'its first' }
  used.use(first, 0)
  expect(() => used.use(first, 0)).toThrow('before')
  used.use({ principal: 'one', key: 'its own', jti: 'a later one' }, 3_600_000)
})

test('a principal that was known before is looked at once, however many proofs come', () => {
  const key = publicKeyOf(testKey('ada'))
  let looks = 0
  class Counted extends Map<string, Principal> {
    override values() {
      looks += 1
      return super.values()
    }
  }
  const ada = Principal.parse({ id: 'ada', keys: [key] })
  const bea = Principal.parse({ id: 'bea', keys: [key], suspended: true })
  const principals = new Counted([
    ['ada', ada],
    ['bea', bea],
  ])
  for (let proof = 0; proof < 100; proof += 1) {
    expect(holdersOf({ principals }, `key of no one ${proof}`)).toEqual([])
    expect(holdersOf({ principals }, thumbprintOf(key))).toEqual([ada])
  }
  expect(looks).toBe(1)
  const changed = new Counted([['bea', { ...bea, suspended: false }]])
  expect(holdersOf({ principals: changed }, thumbprintOf(key))).toHaveLength(1)
})
