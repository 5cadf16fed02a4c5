// The pages with commands: what these print is what the pages say. With WARRANT_TRANSCRIPT=1 a page
// is written again, to be looked at before it is committed.
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { transcribed, wordsOf } from '../../support/pages/transcript.ts'

const examples = join(packageRoot(), 'examples')
/** A Saturday evening in Berlin. */
const now = Date.UTC(2026, 0, 3, 18)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now })
})
afterEach(() => {
  vi.useRealTimers()
})

test.each(['rules/five-rules.md', 'rules/testing.md'])('docs/%s', async (name) => {
  const page = join(packageRoot(), 'docs', name)
  const cwd = await temporaryFolder()
  for (const example of ['five-rules', 'policy-in-ci']) {
    await cp(join(examples, example), join(cwd, example), { recursive: true })
  }
  const written = await readFile(page, 'utf8')
  const found = await transcribed(written, async (line) => {
    const [program, ...args] = wordsOf(line)
    expect(program).toBe('warrant')
    const options = { cwd, isBare: true, env: { COLUMNS: '100', NO_COLOR: '1' } }
    // Who asks the same again waits for the same intent: on a busy machine it may take longer.
    for (;;) {
      const ran = await run(args, options)
      if (!ran.stdout.includes('no verdict in time')) return ran
    }
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
