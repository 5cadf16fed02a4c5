// A folder against a log: what applying it would change, what only the log has, a plan that is
// applied exactly or refused, and what the log has written back into files.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { beginKnowing } from '../../../support/samples/known-tool.ts'
import { run } from '../../../support/cli-runner.ts'
import { adding, changed, put } from '../../../support/edits.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

let begun = ''
let cwd = ''
const reason = ['--justification', 'Ann asked for her invoice']
const asking = ['ask', 'send_email', '--arg', 'to=ann@example.com', ...reason]
const warrant = (...args: string[]) => run(args, { cwd })

async function bound(kind: 'graph' | 'catalog', ...operations: readonly object[]): Promise<void> {
  expect(await changed(kind, operations, { cwd })).toMatchObject({ code: 0 })
}

async function promoted(more: object = {}): Promise<void> {
  const agent = { id: 'my-agent', roles: ['writer', 'admin'], ...more }
  expect(await put('principals', [agent], { cwd })).toMatchObject({ code: 0 })
}

const byPost = {
  op: 'describe',
  name: 'send',
  level: 1,
  properties: { is: 'to pass on', by: 'post' },
}

async function edited(
  name: string,
  edit: (file: ReturnType<typeof JSON.parse>) => void,
): Promise<void> {
  const path = join(cwd, 'warrant', name)
  const file = JSON.parse(await readFile(path, 'utf8'))
  edit(file)
  await writeFile(path, JSON.stringify(file))
}

const send = {
  name: 'send',
  depths: [
    { level: 0 },
    {
      level: 1,
      properties: { is: 'to pass on' },
      relata: [{ type: 'APPLIES_TO', target: 'email', targetDepth: 1 }],
    },
  ],
}
const policy = { name: 'ask', confirmationMessage: 'May I {action} it?' }

async function withPolicy(): Promise<void> {
  await edited('graph.json', ({ primitives }) => {
    primitives[1].depths[1].relata[0].policies = [policy]
  })
}

/** A log that knows sending, with one call that was allowed. */
beforeAll(async () => {
  cwd = await temporaryFolder()
  expect((await beginKnowing({ cwd })).code).toBe(0)
  await edited('graph.json', ({ primitives }) => primitives.push(send))
  expect(await warrant('apply', 'warrant')).toMatchObject({ code: 0, stderr: '' })
  expect((await warrant(...asking)).code).toBe(0)
  begun = cwd
})

beforeEach(async () => {
  cwd = await temporaryFolder()
  await cp(begun, cwd, { recursive: true, filter: (path) => !path.endsWith('-shm') })
})

test('a plan shows what would change and flip, changes nothing, and is checked in CI', async () => {
  const same = await warrant('plan', 'warrant', '--check')
  expect(same).toMatchObject({ code: 0, stdout: 'up to date: no changes in warrant\n' })
  await withPolicy()
  const shown = await warrant('plan', 'warrant', '--check')
  expect(shown.code).toBe(5)
  expect(shown.stdout).toContain('+ rule ask')
  expect(shown.stdout).toMatch(/allow → ask {4}send_email/)
  expect(shown.stdout).toContain('1 question more among them')
  expect((await warrant(...asking)).code).toBe(0)
})

test('an apply does not undo what others put into the log, and says that it is there', async () => {
  await promoted({ attributes: { tenant: 'a' } })
  await bound('graph', byPost)
  const relatum = { type: 'APPLIES_TO', target: 'email', targetDepth: 1, policies: [policy] }
  const unrelated = { op: 'unrelate', name: 'send', level: 1, type: 'APPLIES_TO', target: 'email' }
  await bound('graph', unrelated)
  await bound('graph', { op: 'relate', name: 'send', level: 1, relatum })
  for (const command of ['seed', 'apply']) {
    const { stdout } = await warrant(command, 'warrant')
    expect(stdout).toContain('warrant adds and changes nothing, and 4 settings stay')
    expect(stdout).toContain('principal my-agent: roles "admin"')
  }
  // A setting that a file lacks may have been deleted from it: the text begins with it.
  const text = (await warrant('plan', 'warrant')).stdout
  expect(text).toContain('adds and changes nothing, and 4 settings stay that it does not have')
  const planned = JSON.parse((await warrant('plan', 'warrant', '--json')).stdout)
  const only = planned.onlyInLog.map(({ path }: { path: string[] }) => path.at(-1))
  expect(only).toEqual(['by', 'policies', 'roles', 'tenant'])
  expect(planned.sets).toEqual([])
  const moved = planned.drift.since.map(({ kind }: { kind: string }) => kind)
  expect(moved).toEqual(['catalog', 'graph', 'graph', 'graph'])
  const catalog = await warrant('catalog', 'show')
  expect(catalog.stdout).toContain('the log has moved on since a folder was applied last')
  const shown = JSON.parse((await warrant('catalog', 'show', '--json')).stdout)
  expect(shown.principals[1]).toMatchObject({ roles: ['writer', 'admin'] })
})

test('what only the log has goes with --prune, down to a role and a property', async () => {
  await promoted()
  const desk = { op: 'put', collection: 'groups', entry: { id: 'desk', members: ['you'] } }
  await bound('catalog', desk)
  await bound('graph', ...adding('moon', { 1: { is: 'far' } }), byPost)
  const pruned = await warrant('apply', 'warrant', '--prune')
  expect(pruned).toMatchObject({ code: 0, stderr: '' })
  expect(pruned.stdout).toContain('- moon')
  expect(pruned.stdout).toContain('- group desk')
  expect(pruned.stdout).toContain('roles: ["writer","admin"] → ["writer"]')
  expect(pruned.stdout).toMatch(/remove \d/)
  expect(pruned.stdout).not.toContain('left alone')
  expect((await warrant('plan', 'warrant', '--prune', '--check')).code).toBe(0)
  expect((await warrant(...asking)).code).toBe(0)
})

test('a log under older rules that has drills moves to newer ones with --prune', async () => {
  await edited('catalog.json', (catalog) => {
    const [{ id: person }] = catalog.principals
    Object.assign(catalog, { rules: 6, attention: { drills: [{ person }] } })
  })
  expect(await warrant('apply', 'warrant')).toMatchObject({ code: 0, stderr: '' })
  const moved = { rules: 7, attention: {} }
  await edited('catalog.json', (catalog) => Object.assign(catalog, moved))
  const refused = await warrant('apply', 'warrant')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('`apply --prune`')])
  expect(await warrant('apply', 'warrant', '--prune')).toMatchObject({ code: 0, stderr: '' })
  expect(await warrant('replay')).toMatchObject({ code: 0 })
})

test('a plan is applied exactly, though the folder was edited since', async () => {
  await withPolicy()
  expect((await warrant('plan', 'warrant', '--out', 'plan.json')).code).toBe(0)
  await edited('graph.json', ({ primitives }) => primitives.splice(1))
  const applied = await warrant('apply', 'plan.json', '--json')
  expect(applied).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(applied.stdout)).toMatchObject({ graph: { unrelate: 1, relate: 1 } })
  const asked = await warrant(...asking, '--wait', '0.2')
  expect(asked.code).toBe(4)
})

test('a plan is refused where the log has moved, and where it was made for another', async () => {
  await withPolicy()
  await warrant('plan', 'warrant', '--out', 'plan.json')
  await bound('graph', ...adding('moon'))
  const stale = await warrant('apply', 'plan.json')
  expect(stale).toMatchObject({ code: 1, stdout: '' })
  expect(stale.stderr).toContain('the graph has changed since revision 2')
  const other = await temporaryFolder()
  expect((await run(['init'], { cwd: other })).code).toBe(0)
  const foreign = await run(['apply', join(cwd, 'plan.json'), '--json'], { cwd: other })
  expect(JSON.parse(foreign.stdout)).toMatchObject({ error: { code: 'plan_foreign' } })
  await writeFile(join(cwd, 'plan.json'), '{"plan":1}')
  const broken = await warrant('apply', 'plan.json', '--json')
  expect(JSON.parse(broken.stdout)).toMatchObject({ error: { code: 'plan_invalid' } })
})

test('without a terminal nothing is signed unless a key and --yes are given', async () => {
  await withPolicy()
  const bare = await run(['apply', 'warrant', '--json'], { cwd, isBare: true })
  expect(JSON.parse(bare.stdout)).toMatchObject({ error: { code: 'no_terminal' } })
  expect((await warrant(...asking)).code).toBe(0)
})

test('a pull writes the log into files, and then nothing differs', async () => {
  await promoted()
  await bound('graph', ...adding('moon', { 1: { is: 'far' } }))
  await warrant('suspend', 'my-agent')
  const pulled = await warrant('pull', 'warrant')
  expect(pulled).toMatchObject({ code: 0, stderr: '' })
  expect(pulled.stdout).toContain('graph.json, catalog.json')
  expect((await warrant('plan', 'warrant', '--check')).code).toBe(0)
  expect((await warrant('pull', 'warrant')).stdout).toContain('says all of that already')
  const catalog = await readFile(join(cwd, 'warrant/catalog.json'), 'utf8')
  expect(catalog).not.toContain('suspended')
  const fresh = await temporaryFolder()
  expect((await warrant('pull', join(fresh, 'new'))).code).toBe(0)
  expect((await warrant('plan', join(fresh, 'new'), '--check')).code).toBe(0)
})

test('a pull overwrites nothing that only the folder has, unless --yes is given', async () => {
  await withPolicy()
  const refused = await run(['pull', 'warrant'], { cwd, isBare: true })
  expect(refused.code).toBe(1)
  expect(refused.stdout).toContain('May I {action} it?')
  expect((await warrant('plan', 'warrant', '--check')).code).toBe(5)
  expect((await warrant('pull', 'warrant', '--yes')).code).toBe(0)
  expect((await warrant('plan', 'warrant', '--check')).code).toBe(0)
})

test('a callback module is pulled, planned and applied with its folder', async () => {
  const module = 'export const never = () => ({ passed: false })\n'
  await writeFile(join(cwd, 'warrant/callbacks.ts'), module)
  await edited('graph.json', ({ primitives }) => {
    primitives[1].depths[1].relata[0].policies = [{ name: 'no', callback: 'never' }]
  })
  const planned = await warrant('plan', 'warrant', '--out', 'plan.json')
  expect(planned.stdout).toMatch(/allow → deny {3}send_email .* policy_blocked/)
  expect((await warrant('apply', 'plan.json')).code).toBe(0)
  expect((await warrant(...asking)).code).toBe(3)
  await warrant('pull', 'copy')
  expect(await readFile(join(cwd, 'copy/callbacks.ts'), 'utf8')).toBe(module)
  expect((await warrant('plan', 'copy', '--check')).code).toBe(0)
})

test('what a change newly allows is shown with a case, and a never of the tests refuses it', async () => {
  const limited = (...to: readonly string[]) =>
    edited('catalog.json', ({ capabilities }) => {
      const own = capabilities.find((one: { id: string }) => one.id === 'send_email')
      own.conditions = [{ name: 'far', when: `args.to in ${JSON.stringify(to)}`, effect: 'deny' }]
    })
  await limited('a@x.example', 'b@x.example')
  expect((await warrant('apply', 'warrant')).code).toBe(0)
  await limited('b@x.example')
  const plan = await warrant('plan', 'warrant', '--last', '0', '--json')
  const { letThrough } = JSON.parse(plan.stdout)
  expect(letThrough).toMatchObject({ ways: [{ stoppedBy: ['far'] }] })
  const [{ case: shown }] = letThrough.ways
  expect(shown).toMatchObject({ agent: 'my-agent', expect: 'allow' })
  const never = { name: 'not far', never: { tool: 'send_email', when: "args.to == 'a@x.example'" } }
  await mkdir(join(cwd, 'warrant', 'tests'), { recursive: true })
  const file = join(cwd, 'warrant', 'tests', 'cases.yaml')
  await writeFile(file, JSON.stringify({ cases: [shown, never] }))
  const tested = await warrant('test', 'warrant', '--json')
  expect(JSON.parse(tested.stdout)).toMatchObject({ passed: 1, failed: 1 })
  expect((await warrant('plan', 'warrant', '--last', '0')).code).toBe(5)
  const refused = await warrant('apply', 'warrant')
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain('`not far` does not hold')
  await limited('a@x.example', 'b@x.example')
  await writeFile(file, JSON.stringify({ cases: [never] }))
  expect((await warrant('test', 'warrant')).code).toBe(0)
  expect((await warrant('apply', 'warrant')).code).toBe(0)
})
