// Turns over those whom what waits belongs to.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fairQueue } from '#log/fair-queue'

test('of one with very many the others wait for one item at a time', () => {
  const queue = fairQueue<string>()
  for (let n = 0; n < 20_000; n += 1) queue.add('greedy', `greedy ${n}`)
  queue.add('polite', 'polite 0')
  queue.add('polite', 'polite 1')
  const taken = Array.from({ length: 5 }, () => queue.take())
  expect(taken).toEqual(['greedy 0', 'polite 0', 'greedy 1', 'polite 1', 'greedy 2'])
  expect(queue.size).toBe(19_997)
})

test('an owner can be passed over, and loses no place', () => {
  const queue = fairQueue<string>()
  expect(queue.add('greedy', 'greedy 0')).toBe(1)
  expect(queue.add('greedy', 'greedy 1')).toBe(2)
  queue.add('polite', 'polite 0')
  expect(queue.take('greedy')).toBe('polite 0')
  expect(queue.take('greedy')).toBe(undefined)
  expect(queue.size).toBe(2)
  expect([queue.take(), queue.take()]).toEqual(['greedy 0', 'greedy 1'])
})

test('nothing is lost, and of each the oldest comes first', () => {
  const owners = fc.constantFrom('a', 'b', 'c')
  const steps = fc.array(fc.oneof(owners, fc.constant(null)), { maxLength: 4_000 })
  fc.assert(
    fc.property(steps, (all) => {
      const queue = fairQueue<readonly [string, number]>()
      const added = all.flatMap((owner, at) => (owner === null ? [] : [[owner, at] as const]))
      const taken: (readonly [string, number])[] = []
      for (const [at, owner] of all.entries()) {
        if (owner !== null) queue.add(owner, [owner, at])
        else taken.push(...[queue.take()].filter((item) => item !== undefined))
      }
      taken.push(...queue.takeAll())
      expect(queue.size).toBe(0)
      expect(queue.take()).toBe(undefined)
      for (const owner of ['a', 'b', 'c']) {
        const of = (items: readonly (readonly [string, number])[]) =>
          items.filter(([whose]) => whose === owner)
        expect(of(taken)).toEqual(of(added))
      }
    }),
    { numRuns: 50 },
  )
})
