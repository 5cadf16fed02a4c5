// No English sentence of the project is a byte of a fact: with every one of them changed, the
// golden logs are derived again to the byte.
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeGolden } from './golden/golden-log.ts'
import { goldenStory } from './golden/story.ts'
import { changedCopy } from './sentences/changed-copy.ts'
import { temporaryFolder } from './temporary-folder.ts'

const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
const flags = ['--conditions=warrant-source', '--import', loader]

/** What the copy makes of the golden log, in a process of its own. */
async function replayedBy(copy: string, golden: string) {
  const script = join(copy, 'test', 'sentences', 'replay-golden.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, golden], {
    cwd: copy,
  })
  return JSON.parse(stdout)
}

describe('every sentence is changed', () => {
  let golden = ''
  beforeAll(async () => {
    golden = join(await temporaryFolder(), 'golden')
    await writeGolden(golden, await goldenStory())
  })

  test('and no derived fact differs', async () => {
    const { folder, changed } = changedCopy(await temporaryFolder())
    expect(changed).toBeGreaterThan(1_500)
    const report = await replayedBy(folder, golden)
    expect(report).toMatchObject({ differences: 0, first: null })
    expect(report.derived).toBeGreaterThan(30)
  })

  test('while one code more is seen', async () => {
    const codes = new Map([['pass', 'passes']])
    const { folder } = changedCopy(await temporaryFolder(), codes)
    const report = await replayedBy(folder, golden)
    expect(report.differences).toBeGreaterThan(0)
  })
})
