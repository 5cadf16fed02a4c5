// The work for an input grows with its length: counted in steps, so that it holds on every machine.
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { builtFile } from '../../support/vitest/built.ts'

const Cost = z.strictObject({ title: z.string(), less: z.number(), more: z.number() })
/** Of an input that is four times as long. The square of that would be sixteen. */
const growthMax = 6
/** What costs less than this is not looked at: parts that are always the same outweigh it. */
const stepsMin = 400

test('what strangers can make long costs in proportion to its length', () => {
  const worker = builtFile('test/system/growth/worker.ts')
  const { stdout, stderr } = spawnSync(process.execPath, [worker])
  expect(String(stderr)).toBe('')
  const lines = String(stdout).trimEnd().split('\n')
  const costs = lines.map((line) => Cost.parse(JSON.parse(line)))
  const steep = costs.filter(({ less, more }) => more > growthMax * Math.max(less, stepsMin))
  // The first two are planted: a loop in a loop, and an expression that is asked from each place.
  expect(steep).toEqual(costs.slice(0, 2))
  expect(costs.length).toBeGreaterThan(60)
})
