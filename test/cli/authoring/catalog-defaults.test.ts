// Built-in rules set in files: refused with what to write, named by the
// denials and questions that follow, written back, pruned; and what a change is warned about.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { run } from '../../support/cli-runner.ts'
import { adding, changed, put } from '../../support/edits.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let cwd = ''
const warrant = (...args: string[]) => run(args, { cwd })
const set = (value: object) => changed('catalog', [{ op: 'set', key: 'defaults', value }], { cwd })
const asking = ['ask', 'delete_customer', '--arg', 'id=17', '--justification', 'she asked for it']
const folder = () => join(cwd, 'warrant/catalog.json')
const written = async () => JSON.parse(await readFile(folder(), 'utf8'))

const withRoles = (roles: string, ...words: string[]) =>
  put('principals', [{ id: 'my-agent', roles: roles.split(',') }], { cwd }, ...words)

beforeEach(async () => {
  cwd = await temporaryFolder()
  await warrant('init', '--tool', 'delete_customer')
})

test('a rule is set, named by what it refuses, and fulfilled', async () => {
  const wrong = await set({ rolesFor: { DESTRUCTVE: [] } })
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringContaining('did you mean `DESTRUCTIVE`?'),
  ])
  const rules = { rolesFor: { DESTRUCTIVE: ['deployer'] }, justificationCharacters: 20 }
  const bound = await set(rules)
  expect(bound).toMatchObject({ code: 0, stderr: '' })
  expect(bound.stdout).toContain('warning: no principal may use `delete_customer`')
  expect((await warrant('catalog', 'show')).stdout).toContain('set justificationCharacters: 20')
  const denied = await warrant(...asking)
  expect(denied.stdout).toContain('DESTRUCTIVE tools require the role `deployer`')
  expect(denied.stdout).toContain('no reason of at least 20 characters')
  expect(denied.stdout).toContain(
    '    "roles": ["writer","deployer"]\n  Then: warrant apply warrant',
  )
  const fulfilled = await withRoles('deployer')
  expect(fulfilled.stdout).not.toContain('warning')
  const open = JSON.parse((await warrant(...asking, '--wait', '0.1', '--json')).stdout)
  const intent = open.intent.slice(-8)
  const short = await warrant('approve', intent, '--note', 'nineteen characters')
  expect(short.stderr).toContain('a reason of at least 20 characters')
  const long = await warrant('approve', intent, '--note', 'these are twenty-two..')
  expect(long.code).toBe(0)
  expect(JSON.parse((await warrant('replay', '--json')).stdout)).toMatchObject({ differences: 0 })
})

test('what is set goes into files and comes back, and goes only with --prune', async () => {
  await set({ tenantFor: [], maxRows: 9 })
  expect((await warrant('pull', 'warrant', '--yes')).code).toBe(0)
  const file = await written()
  expect(file.defaults).toEqual({ tenantFor: [], maxRows: 9 })
  expect((await warrant('plan', 'warrant')).stdout).toContain('up to date')

  await writeFile(folder(), JSON.stringify({ ...file, defaults: { maxRows: 12 } }))
  const applied = await warrant('apply', 'warrant')
  expect(applied.code).toBe(0)
  expect((await warrant('catalog', 'show')).stdout).toContain('set tenantFor: []')

  const { defaults: _, ...rest } = file
  await writeFile(folder(), JSON.stringify(rest))
  expect((await warrant('plan', 'warrant')).stdout).toContain('-   defaults {"maxRows":12')
  expect(
    (await warrant('catalog', 'import', 'warrant/catalog.json', '--dry-run')).stdout,
  ).toContain('up to date')
  expect((await warrant('apply', 'warrant', '--prune')).code).toBe(0)
  expect((await warrant('catalog', 'show')).stdout).not.toContain('maxRows')
})

test('an offline line is decided by what its catalog sets', async () => {
  const defaults = { rolesFor: { DESTRUCTIVE: ['writer'] }, maxRows: 3, justificationFor: [] }
  await writeFile(folder(), JSON.stringify({ ...(await written()), defaults }))
  const line = { principal: 'my-agent', tool: 'delete_customer', request: { args: {} } }
  const input = `${JSON.stringify(line)}\n`
  const { stdout } = await run(['decide', '--seed', 'warrant'], { cwd, input })
  expect(stdout).toBe('{"outcome":"allow","reasons":[],"constraints":{"max_rows":3}}\n')
})

test('a role that is misspelt is warned about by every command that writes it', async () => {
  const warning = 'no rule reads the role `wrtier` of `my-agent`'
  for (const more of [['--dry-run'], []]) {
    const { code, stdout } = await withRoles('writer,wrtier', ...more)
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${warning}; did you mean`)])
  }
  // It was so before.
  const learning = { op: 'set', key: 'learning', value: true }
  expect((await changed('catalog', [learning], { cwd })).stdout).not.toContain('warning')
  await withRoles('writer')

  const file = await written()
  file.principals[1].roles.push('wrtier')
  await writeFile(folder(), JSON.stringify(file))
  for (const args of [
    ['plan', 'warrant'],
    ['catalog', 'import', 'warrant/catalog.json', '--dry-run'],
    ['apply', 'warrant'],
    ['graph', 'check'],
    ['doctor'],
  ]) {
    expect((await warrant(...args)).stdout, args.join(' ')).toContain(warning)
  }
  const json = JSON.parse((await withRoles('writer,wrtier', '--json')).stdout)
  expect(json.warnings).toEqual([])
})

test('a policy that names what people are asked, and asks no one, is warned about', async () => {
  const policy = { name: 'ask', confirmationMessage: 'Really?', requiresConfirmation: false }
  const policies = [{ ...policy, when: 'true' }]
  const relatum = { type: 'APPLIES_TO', target: 'customer', targetDepth: 1, policies }
  const known = [
    ...adding('delete', { 1: { is: 'gone for ever' } }),
    ...adding('customer', { 1: { is: 'who buys' } }),
    { op: 'relate', name: 'delete', level: 1, relatum },
  ]
  const { code, stdout } = await changed('graph', known, { cwd })
  expect(code).toBe(0)
  expect(stdout).toContain('the policy `ask` has a `confirmationMessage` and asks no one')
  expect((await warrant('graph', 'check')).stdout).toContain('policy_unasked')
})

test('no command writes a placeholder as knowledge', async () => {
  const level = { level: 1, properties: { description: 'TODO: what is it?' } }
  const primitives = [{ name: 'send', depths: [{ level: 0 }, level] }]
  await writeFile(join(cwd, 'warrant/graph.json'), JSON.stringify({ primitives }))
  const operation = { op: 'describe', name: 'file', level: 1, properties: { a: ['what is it?'] } }
  await changed('graph', adding('file'), { cwd })
  await writeFile(join(cwd, 'operations.json'), JSON.stringify([operation]))
  for (const args of [
    ['seed', 'warrant'],
    ['apply', 'warrant'],
    ['plan', 'warrant'],
    ['graph', 'import', 'warrant/graph.json'],
    ['graph', 'apply', 'operations.json'],
  ]) {
    const { code, stderr } = await warrant(...args)
    expect([code, stderr], args.join(' ')).toEqual([1, expect.stringContaining('placeholder')])
  }
  const other = { ...operation, properties: { description: 'One file: say here what it is.' } }
  expect((await changed('graph', [other], { cwd })).stderr).toContain('placeholder')
  const due = { ...operation, properties: { what: 'a to-do list: what is due' } }
  const fine = await changed('graph', [due], { cwd })
  expect(fine.code).toBe(0)
})
