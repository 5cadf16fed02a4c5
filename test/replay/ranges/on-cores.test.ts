// A log in a file is replayed by threads, and its report is the same whatever their number.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { builtFile } from '../../support/vitest/built.ts'

const execute = promisify(execFile)

test('1, 2, 3 and 5 threads report alike, and threads that are gone report nothing', async () => {
  const path = join(await temporaryFolder(), 'log.db')
  const program = builtFile('test/replay/ranges/on-cores-program.ts')
  const words = ['1', '2', '3', '5', 'killed']
  const { stdout } = await execute(process.execPath, [program, path, ...words])
  const lines = stdout.trim().split('\n')
  const [one = '', ...others] = lines.slice(0, 4).map((line) => JSON.stringify(JSON.parse(line)))
  expect(JSON.parse(one)).toMatchObject({
    report: { differences: 0, facts: 12_602, derived: 8_400, first: null },
    isWhole: true,
    shown: true,
  })
  for (const other of others) expect(other).toBe(one)
  expect(JSON.parse(lines[4] ?? '{}')).toEqual({ failed: 'a thread ended without a report' })
})
