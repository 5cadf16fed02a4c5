// What doctor finds of observing: who has nothing enforced, which hooks only observe, and what of
// it is in no log.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { emptyCatalog } from '#rules/catalog/catalog'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { noteMissed } from '#health/missed-calls'
import { observedFindings } from '#cli/run/doctor/observing'
import { observesIn } from '#cli/agents/hook/settings-place'
import { keysOf, run } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

let cwd = ''
beforeAll(async () => {
  cwd = await temporaryFolder()
  expect(await run(['init'], { cwd })).toMatchObject({ code: 0 })
})

async function found(): Promise<readonly unknown[]> {
  const { stdout } = await run(['doctor', '--json'], { cwd })
  const { findings }: { readonly findings: readonly { readonly check: string }[] } =
    JSON.parse(stdout)
  return findings.filter(({ check }) => check === 'observing')
}

test('it finds nothing where all is enforced, and then what is not', async () => {
  await run(['ask', 'sing'], { cwd })
  expect(await found()).toEqual([])
  await run(['ask', 'sing', '--observe'], { cwd })
  const url = 'http://127.0.0.1:1/v1/hooks/claude-code'
  const settings = (address: string) =>
    JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'http', url: address }] }] } })
  await mkdir(join(cwd, '.claude'))
  const file = join(cwd, '.claude/settings.json')
  await writeFile(file, settings(url))
  expect(await found()).toHaveLength(1)
  await writeFile(file, settings(`${url}?observe=true`))
  const misses = join(keysOf(cwd), 'missed-calls.ndjson')
  noteMissed(misses, { at: 1, door: 'mcp', why: 'long ago' })
  noteMissed(misses, { at: Date.now(), door: 'hook codex', why: 'the log is gone' })
  expect(await found()).toMatchObject([
    { status: 'warning', about: 'my-agent', found: expect.stringContaining('1 call ') },
    { about: expect.stringContaining('settings.json'), found: expect.stringContaining('claude') },
    { about: misses, found: expect.stringMatching(/^1 observed call .*hook codex.*log is gone$/u) },
  ])
})

test('who asks about others enforces the answer, so that is not found', () => {
  const { catalog = emptyCatalog } = catalogFromFile({
    principals: [{ id: 'gate', via: ['http'], evaluates: { subjects: [] } }],
  })
  const calls = new Map([
    ['gate', 2],
    ['bot', 3],
  ])
  expect(observedFindings({ catalog }, calls)).toMatchObject([{ about: 'bot' }])
})

test.each([
  ['node /opt/services/cli/main.js hook run --for codex --log a --observe', true],
  ['node /opt/services/hooks/send.js codex http://b c /opt/a/missed-calls.ndjson', true],
  ["node /opt/services/hooks/send.js codex http://b c '/opt/a b/missed-calls.ndjson'", true],
  ['http://b/v1/hooks/claude-code?observe=true', true],
  ['http://b/v1/hooks/claude-code?observe=truest', false],
  ['node /opt/services/hooks/send.js codex http://b c', false],
  ['node /opt/services/cli/main.js hook run --for codex --log --observer', false],
])('%s: %s', (handler, observes) => expect(observesIn(handler)).toBe(observes))
