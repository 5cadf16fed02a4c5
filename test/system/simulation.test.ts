// Many seeded lives of a whole deployment in one thread; each step may be the one at which a worker
// dies.
import { expect, test } from 'vitest'
import { count } from '../support/vitest/counts.ts'
import { simulate } from './simulation/run.ts'

const seeds = Array.from({ length: count(30, 2) }, (_, index) => index + 1)

test(`in ${seeds.length} lives, whatever crashes or comes twice or late, every intent gets one verdict that replays`, async () => {
  let crashes = 0
  let eras = 0
  let added = 0
  for (const seed of seeds) {
    const { report, intents, ...run } = await simulate(seed)
    crashes += run.crashes
    eras += run.eras
    added += run.added
    const found = { seed, first: report.first, open: report.open, voids: report.voidCount }
    expect(found).toEqual({ seed, first: null, open: 0, voids: expect.any(Number) })
    expect(report.derived).toBeGreaterThanOrEqual(intents * 2)
    // An honest worker may be overtaken; nothing that it writes is ever late.
    expect(report.findings.shown.filter(({ kind }) => kind !== 'overtaken')).toEqual([])
  }
  expect(crashes).toBeGreaterThan(seeds.length)
  expect(eras).toBeGreaterThan(seeds.length * 2)
  expect(added).toBeGreaterThan(seeds.length)
})

test('the same seed is the same life', async () => {
  const [one, other] = [await simulate(7), await simulate(7)]
  expect(other.steps).toBe(one.steps)
  expect(other.facts).toBe(one.facts)
  expect(other.crashes).toBe(one.crashes)
})
