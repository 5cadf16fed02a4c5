// A newcomer's first minutes, by the real command line: a tool of their own is denied, they write
// what is missing, it is allowed; then people are asked, and the agent is stopped.
import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, runChild } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const reason = ['--justification', 'Ann asked for her invoice']
const asking = ['ask', 'send_email', '--arg', 'to=ann@example.com']

test('a tool of one’s own is denied, fixed as the denial says, and allowed', async () => {
  const cwd = await temporaryFolder()
  const begun = await runChild(['init'], { cwd })
  expect(begun).toMatchObject({ code: 0, stderr: '' })
  expect(begun.stdout).toContain('warrant ask send_email')
  expect((await stat(join(cwd, '.keys/you.pem'))).mode & 0o777).toBe(0o600)

  const denied = await runChild([...asking, ...reason], { cwd })
  expect(denied).toMatchObject({ code: 3, stderr: '' })
  expect(denied.stdout).toContain('DENY   send_email for my-agent')
  expect(denied.stdout).toContain('`send` is not in the graph: add it')
  expect(denied.stdout).toContain('warrant seed warrant')

  // What is pasted is what was printed: from its brace to the one at the same indent.
  const piece = /^ {4}\{\n[\s\S]*?^ {4}\}$/m.exec(denied.stdout)?.[0] ?? ''
  const file = join(cwd, 'warrant/graph.json')
  const graph = JSON.parse(await readFile(file, 'utf8'))
  graph.primitives.push(JSON.parse(piece))
  await writeFile(file, JSON.stringify(graph))
  expect(await run(['seed', 'warrant'], { cwd })).toMatchObject({ code: 0, stderr: '' })
  const again = await run(['seed', 'warrant', '--json'], { cwd })
  expect(JSON.parse(again.stdout)).toMatchObject({ changes: [], revisions: { graph: 2 } })

  const allowed = await run([...asking, ...reason, '--json'], { cwd })
  expect(allowed.code).toBe(0)
  const verdict = JSON.parse(allowed.stdout)
  expect(verdict).toMatchObject({ outcome: 'allow', reasons: [], observed: false })

  const replayed = await run(['replay', '--json'], { cwd })
  const traced = await run(['trace', verdict.intent.slice(-10)], { cwd: join(cwd, 'warrant') })
  const refused = await run(['init'], { cwd })
  expect(JSON.parse(replayed.stdout)).toMatchObject({ differences: 0, voidCount: 0, open: 0 })
  expect(traced.stdout).toContain('`my-agent` asked to use `send_email`: allowed')
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^warrant: `.*log\.db` is there already: [^\n]*\n$/)
}, 60_000)

test('init for a tool of any name leaves one thing out, and touches nothing outside', async () => {
  const cwd = await temporaryFolder()
  const tool = 'Refund Order'
  const env = { WARRANT_KEYS: await temporaryFolder() }
  expect(await run(['init', 'sub dir', '--tool', tool], { cwd, env })).toMatchObject({ code: 0 })
  expect(await readdir(cwd)).toEqual(['sub dir'])
  const here = join(cwd, 'sub dir')
  const args = ['ask', tool, '--args', '{"id":17}', '--justification', 'what was ordered broke']
  const denied = await run([...args, '--json'], { cwd: here })
  expect(denied.code).toBe(3)
  expect(JSON.parse(denied.stdout)).toMatchObject({
    outcome: 'deny',
    reasons: [{ code: 'ungrounded', recover: 'learn' }],
    gaps: [{ kind: 'EXISTENCE', primitive: 'refund' }],
    fixes: [{ pieces: [{ name: 'refund' }] }],
  })
}, 60_000)
