// docs/FIVE-RULES.md: its commands print what it says. With WARRANT_TRANSCRIPT=1 the page is written
// again, to be looked at before it is committed.
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '#services/cli/opening/package-root'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { run } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { transcribed, wordsOf } from '../../../support/transcript.ts'

const page = join(packageRoot(), 'docs/FIVE-RULES.md')
const examples = join(packageRoot(), 'examples')
/** A Saturday evening in Berlin. */
const now = Date.UTC(2026, 0, 3, 18)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now })
})
afterEach(() => {
  vi.useRealTimers()
})

test('the commands of the page print what it says', { timeout: 120_000 }, async () => {
  const cwd = await temporaryFolder()
  await cp(join(examples, 'five-rules'), join(cwd, 'five-rules'), { recursive: true })
  const written = await readFile(page, 'utf8')
  const found = await transcribed(written, (line) => {
    const [program, ...args] = wordsOf(line)
    expect(program).toBe('warrant')
    return run(args, { cwd, isBare: true, env: { COLUMNS: '100', NO_COLOR: '1' } })
  })
  if (process.env['WARRANT_TRANSCRIPT'] === '1') await writeFile(page, found)
  expect(found).toBe(written)
})

test('the cases of the examples pass', async () => {
  for (const name of ['five-rules', 'policy-in-ci']) {
    const { code, stdout } = await run(['test', name, '--min-coverage', '100'], { cwd: examples })
    expect({ name, code, stdout }).toMatchObject({ code: 0 })
  }
})
