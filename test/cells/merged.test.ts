// Facts of several logs as one: what is there by time, what is yet to come as it comes.
import { describe, expect, test } from 'vitest'
import { asTheyCome, lastOf, mergedByTime } from '#cli/terminal/opening/cells/merged'

const error = new Error('it broke')

async function* of<T>(values: readonly T[], how: { readonly fails?: boolean } = {}) {
  for (const value of values) yield value
  if (how.fails === true) throw error
}

async function all<T>(source: AsyncIterable<T>): Promise<readonly T[]> {
  const values: T[] = []
  for await (const value of source) values.push(value)
  return values
}

describe('by time', () => {
  const byTime = (...sources: readonly AsyncIterable<number>[]) =>
    all(mergedByTime(sources, (value) => Math.floor(value)))

  test('each goes on in its own order, and at one time the first source is first', async () => {
    const merged = await byTime(of([1.1, 3.1, 3.1]), of([]), of([1.2, 2.2, 3.2, 4.2]))
    expect(merged).toEqual([1.1, 1.2, 2.2, 3.1, 3.1, 3.2, 4.2])
  })

  test('what fails fails for all', async () => {
    await expect(byTime(of([1, 4]), of([2], { fails: true }))).rejects.toBe(error)
  })
})

describe('as they come', () => {
  test('nothing is left out, and each source keeps its order', async () => {
    const merged = await all(asTheyCome([of([1, 2, 3]), of([]), of([10, 20])]))
    expect(merged.filter((value) => value < 10)).toEqual([1, 2, 3])
    expect(merged.filter((value) => value >= 10)).toEqual([10, 20])
  })

  test('a source that fails ends it, after what came before', async () => {
    const got: number[] = []
    const reading = async () => {
      for await (const value of asTheyCome([of([1], { fails: true })])) got.push(value)
    }
    await expect(reading()).rejects.toBe(error)
    expect(got).toEqual([1])
  })

  test('where no more is wanted, its sources end', async () => {
    const ended: string[] = []
    async function* endless(name: string) {
      try {
        for (;;) yield name
      } finally {
        ended.push(name)
      }
    }
    for await (const _ of asTheyCome([endless('one'), endless('other')])) break
    await expect.poll(() => ended.toSorted()).toEqual(['one', 'other'])
  })
})

test.each([
  [3, [3, 4, 5]],
  [5, [1, 2, 3, 4, 5]],
  [9, [1, 2, 3, 4, 5]],
])('the last %i are kept', async (count, kept) => {
  expect(await lastOf(of([1, 2, 3, 4, 5]), count)).toEqual(kept)
})
