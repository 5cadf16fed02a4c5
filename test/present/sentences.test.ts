// No English sentence of the project is a byte of a fact: with every one of them changed, the
// golden logs are derived again to the byte.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { changedCopy } from './sentences/changed-copy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { count, isFull } from '../support/vitest/counts.ts'

/** What the copy makes of the golden log, in a process of its own. */
async function replayedBy(copy: string, golden: string) {
  const script = join(copy, 'dist', 'test', 'present', 'sentences', 'replay-golden.js')
  const { stdout } = await promisify(execFile)(process.execPath, [script, golden], { cwd: copy })
  return JSON.parse(stdout)
}

const folder = fileURLToPath(new URL('../golden/', import.meta.url))
/** How many facts a golden log has. */
const factsOf = (name: string): number =>
  readFileSync(join(folder, name, 'log.ndjson'), 'utf8')
    .trimEnd()
    .split('\n').length
const versions = readdirSync(folder)
  .filter((name) => /^\d+\.\d+\.\d+/.test(name))
  .toSorted((one, other) => factsOf(one) - factsOf(other))

describe('every sentence is changed', () => {
  let copy = ''
  beforeAll(async () => {
    const { folder: made, changed } = changedCopy(await temporaryFolder())
    expect(changed).toBeGreaterThan(1_500)
    copy = made
  })

  test.each(versions.slice(-count(versions.length, 1)))(
    'and no fact of the log that version %s wrote differs',
    async (version) => {
      const report = await replayedBy(copy, join(folder, version))
      expect(report).toMatchObject({ differences: 0, first: null })
      expect(report.derived).toBeGreaterThan(factsOf(version) / 4)
    },
  )

  test.runIf(isFull)('while one code more is seen', async () => {
    const codes = new Map([['pass', 'passes']])
    const made = changedCopy(await temporaryFolder(), codes)
    const report = await replayedBy(made.folder, join(folder, '0.2.0'))
    expect(report.differences).toBeGreaterThan(0)
  })
})
