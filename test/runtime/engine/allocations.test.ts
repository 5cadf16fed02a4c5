// What a verdict allocates is kept from growing unseen: bytes are the same on a busy machine, where
// times are not. The bench prints which functions they are of.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Measured 25 500 on Node 20, 30 700 on 24: what grows by a twentieth has to be looked at. */
const bytesMax = process.versions.node.startsWith('20.') ? 26_800 : 32_300

test('a verdict on the embedded log allocates no more than it did', async () => {
  const source = ['--conditions=warrant-source', '--import', 'tsx', 'bench/main.ts']
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...source,
    'allocations',
    '--json',
  ])
  const { name, median } = JSON.parse(stdout.slice(0, stdout.indexOf('\n')))
  expect(name).toBe('all functions')
  expect(median).toBeGreaterThan(10_000)
  expect(median).toBeLessThan(bytesMax)
})
