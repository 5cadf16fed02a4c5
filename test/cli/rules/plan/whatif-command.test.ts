// What a folder would have done to all that was asked: recorded intents are derived again, and
// what people answered counts where they would be asked the same.
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { beginKnowing } from '../../../support/samples/known-tool.ts'
import { run } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

let begun = ''
let cwd = ''
const warrant = (...args: string[]) => run(args, { cwd })
const reason = ['--justification', 'Ann asked for her invoice']
const asking = (to: string) => ['ask', 'send_email', '--arg', `to=${to}`, ...reason]

const inside = { name: 'inside', callback: 'staysInside' }
const ask = { name: 'ask', confirmationMessage: 'May I {action} it?' }
const module = `export const staysInside = ({ intent, evidence }: any) => ({
  passed: intent.args.to.endsWith('@example.com'),
  message: 'it goes outside',
})
`

async function withPolicies(...policies: readonly object[]): Promise<void> {
  const path = join(cwd, 'warrant/graph.json')
  const file = JSON.parse(await readFile(path, 'utf8'))
  file.primitives[1].depths[1].relata[0].policies = policies
  await writeFile(path, JSON.stringify(file))
}

const whatIf = async (...args: string[]) => {
  const ran = await warrant('whatif', 'warrant', '--json', ...args)
  expect(ran).toMatchObject({ stderr: '' })
  return { code: ran.code, ...JSON.parse(ran.stdout) }
}

/** One call inside and one outside were allowed, then one was approved and one was declined. */
beforeAll(async () => {
  cwd = await temporaryFolder()
  expect((await beginKnowing({ cwd })).code).toBe(0)
  const path = join(cwd, 'warrant/graph.json')
  const file = JSON.parse(await readFile(path, 'utf8'))
  const relata = [{ type: 'APPLIES_TO', target: 'email', targetDepth: 1 }]
  const depths = [{ level: 0 }, { level: 1, properties: { is: 'to pass on' }, relata }]
  file.primitives.push({ name: 'send', depths })
  await writeFile(path, JSON.stringify(file))
  expect((await warrant('apply', 'warrant')).code).toBe(0)
  expect((await warrant(...asking('ann@example.com'))).code).toBe(0)
  expect((await warrant(...asking('eve@evil.org'))).code).toBe(0)
  await withPolicies(ask)
  expect((await warrant('apply', 'warrant')).code).toBe(0)
  for (const answer of ['approve', 'decline']) {
    const pending = await warrant(...asking('bob@example.com'), '--wait', '0.2', '--json')
    const intent = JSON.parse(pending.stdout).intent
    const answered = await warrant(answer, intent, '--json')
    expect(answered.stderr).toBe('')
  }
  begun = cwd
})

beforeEach(async () => {
  cwd = await temporaryFolder()
  await cp(begun, cwd, { recursive: true, filter: (path) => !path.endsWith('-shm') })
})

test('a folder that says what the log has flips nothing, and keeps every answer', async () => {
  const found = await whatIf('--fail-on-flip')
  expect(found).toMatchObject({ code: 0, isSame: true, tried: 4, unable: 0, flips: [], kept: 2 })
  expect(found.asked).toEqual({ before: 4, after: 4 })
  const { stdout } = await warrant('whatif', 'warrant')
  expect(stdout).toContain('all of 4 intents come out the same')
  expect(stdout).toContain('2 recorded answers still would count')
})

test('flips are counted by reason, with who is asked less, and fail a build', async () => {
  await writeFile(join(cwd, 'warrant/callbacks.ts'), module)
  await withPolicies(inside)
  const found = await whatIf('--prune', '--fail-on-flip')
  expect(found.code).toBe(5)
  expect(found.turns).toMatchObject([
    { from: 'ask', to: 'allow', why: 'no longer ask', count: 1 },
    { from: 'ask', to: 'deny', why: 'policy_blocked (inside)', count: 1 },
    { from: 'deny', to: 'allow', why: 'no longer declined', count: 1 },
  ])
  expect(found).toMatchObject({ tried: 4, unsure: 0, faulted: null, kept: 0 })
  expect(found.asked).toEqual({ before: 4, after: 0 })
  expect(found.confirmers).toEqual({ you: { before: 4, after: 0 } })
  const text = await warrant('whatif', 'warrant', '--prune')
  expect(text.code).toBe(0)
  expect(text.stdout).toContain('3 of 4 intents would come out differently')
  expect(text.stdout).toMatch(/ask → deny {2}.*policy_blocked \(inside\)/)
})

test('an answer counts only to the question that was answered', async () => {
  await withPolicies({ ...ask, confirmationMessage: 'Really {action}?' })
  const found = await whatIf()
  expect(found).toMatchObject({ tried: 4, kept: 0 })
  const turns = found.turns.map(({ from, to }: { from: string; to: string }) => `${from} ${to}`)
  expect(turns.toSorted()).toEqual(['allow ask', 'ask ask', 'deny ask'])
})

test('the intents are chosen by time, position, agent and tool, and names are checked', async () => {
  expect(await whatIf('--since', '1h')).toMatchObject({ tried: 4 })
  expect(await whatIf('--since', '2999-01-01')).toMatchObject({ tried: 0 })
  expect(await whatIf('--since', '100000')).toMatchObject({ tried: 0 })
  expect(await whatIf('--agent', 'my-agent', '--tool', 'send_email')).toMatchObject({ tried: 4 })
  const misspelt = await warrant('whatif', 'warrant', '--agent', 'my-agnet')
  expect(misspelt).toMatchObject({ code: 2, stdout: '' })
  expect(misspelt.stderr).toContain('did you mean `my-agent`?')
})

test('it binds nothing', async () => {
  const head = async () => JSON.parse((await warrant('replay', '--json')).stdout).head
  const before = await head()
  await withPolicies(inside)
  await writeFile(join(cwd, 'warrant/callbacks.ts'), module)
  await whatIf()
  expect(await head()).toBe(before)
})
