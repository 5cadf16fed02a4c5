// That no test depends on how fast the machine is, tried on planted violations first.
import { describe } from 'vitest'
import { testsHoldEverywhere } from './tidy/time.ts'
import { holds, tries } from './tidy/tried.ts'

describe('a test holds on a slow machine', () => {
  tries(testsHoldEverywhere, [
    ['test/a.test.ts', 'expect(performance.now() - began).toBeLessThan(5)', 'count steps'],
    ['test/a.test.ts', 'const start = process.cpuUsage()', 'count steps'],
    ['test/a.test.ts', 'expect(Date.now() - began).toBeLessThan(5)', 'count steps'],
    ['test/a.test.ts', 'while (Date.now() < end) await one()', 'count steps'],
    ['test/a.test.ts', 'const until = new Date(Date.now() + 60_000)'],
    ['test/a.test.ts', 'const earlier = Date.now() - 60_000'],
    ['test/a.test.ts', `test('a', () => {}, 60_000)`, 'one limit'],
    ['test/a.test.ts', `test('a', { timeout: 5_000 }, () => {})`, 'one limit'],
    ['test/a.test.ts', 'beforeAll(async () => {}, 30_000)', 'one limit'],
    ['test/a.test.ts', 'await expect.poll(() => a, { timeout: 900 }).toBe(1)', 'one limit'],
    ['test/a.test.ts', 'await expect.poll(() => a).toBe(1)'],
    ['bench/a.ts', 'performance.now()'],
  ])
  holds(testsHoldEverywhere)
})
