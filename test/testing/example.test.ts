// The example of a policy’s tests runs under the test runner of Node, which knows nothing of ours.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isFull } from '../support/vitest/counts.ts'

const root = join(import.meta.dirname, '../..')

test.runIf(isFull)('examples/policy-test.ts passes under node:test', () => {
  const loader = ['--conditions=warrant-source', '--import', 'tsx']
  const args = [...loader, '--test', '--test-reporter=tap', 'examples/policy-test.ts']
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  expect(stdout).toContain('# pass 5')
  expect({ status, stdout }).toMatchObject({ status: 0 })
})
