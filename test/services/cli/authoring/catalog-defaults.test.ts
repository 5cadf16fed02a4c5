// Built-in rules set on the command line and in files: refused with what to write, named by the
// denials and questions that follow, written back, pruned; and what a change is warned about.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { run, runChild } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

let cwd = ''
const warrant = (...args: string[]) => run(args, { cwd })
const set = (value: object, ...more: string[]) =>
  warrant('catalog', 'set', 'defaults', JSON.stringify(value), ...more)
const asking = ['ask', 'delete_customer', '--arg', 'id=17', '--justification', 'she asked for it']
const folder = () => join(cwd, 'warrant/catalog.json')
const written = async () => JSON.parse(await readFile(folder(), 'utf8'))

beforeEach(async () => {
  cwd = await temporaryFolder()
  await warrant('init', '--tool', 'delete_customer')
})

test('a rule is set, named by what it refuses, and fulfilled', async () => {
  const wrong = await set({ rolesFor: { DESTRUCTVE: [] } })
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('there are READ, WRITE')])
  const rules = { rolesFor: { DESTRUCTIVE: ['deployer'] }, justificationCharacters: 20 }
  const bound = await set(rules)
  expect(bound).toMatchObject({ code: 0, stderr: '' })
  expect(bound.stdout).toContain('warning: no principal may use `delete_customer`')
  expect((await warrant('catalog', 'show')).stdout).toContain('set justificationCharacters: 20')
  const denied = await warrant(...asking)
  expect(denied.stdout).toContain('DESTRUCTIVE tools require the role `deployer`')
  expect(denied.stdout).toContain('no reason of at least 20 characters')
  expect(denied.stdout).toContain('warrant catalog put principal id=my-agent roles=writer,deployer')
  const put = await warrant('catalog', 'put', 'principal', 'id=my-agent', 'roles=deployer')
  expect(put.stdout).not.toContain('warning')
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
  const { stdout } = await runChild(['decide', '--seed', 'warrant'], { cwd, input })
  expect(stdout).toBe('{"outcome":"allow","reasons":[],"constraints":{"max_rows":3}}\n')
})

test('a role that is misspelt is warned about by every command that writes it', async () => {
  const warning = 'no rule reads the role `wrtier` of `my-agent`'
  const put = ['catalog', 'put', 'principal', 'id=my-agent', 'roles=writer,wrtier']
  for (const more of [['--dry-run'], []]) {
    const { code, stdout } = await warrant(...put, ...more)
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${warning}; did you mean`)])
  }
  // It was so before.
  expect((await warrant('catalog', 'set', 'learning', 'true')).stdout).not.toContain('warning')
  await warrant('catalog', 'put', 'principal', 'id=my-agent', 'roles=writer')

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
  const json = JSON.parse((await warrant(...put, '--json')).stdout)
  expect(json.warnings).toEqual([])
})

test('a policy that names what people are asked, and asks no one, is warned about', async () => {
  await warrant('graph', 'add', 'delete', '--level', '1', 'is="gone for ever"')
  await warrant('graph', 'add', 'customer', '--level', '1', 'is="who buys"')
  const policy = { name: 'ask', confirmationMessage: 'Really?', requiresConfirmation: false }
  const edge = ['graph', 'relate', 'delete', '1', 'APPLIES_TO', 'customer', '1']
  const asked = { ...policy, when: 'true' }
  const { code, stdout } = await warrant(...edge, '--policy', JSON.stringify(asked))
  expect(code).toBe(0)
  expect(stdout).toContain('the policy `ask` has a `confirmationMessage` and asks no one')
  expect((await warrant('graph', 'check')).stdout).toContain('policy_unasked')
})

test('no command writes a placeholder as knowledge', async () => {
  const level = { level: 1, properties: { description: 'TODO: what is it?' } }
  const primitives = [{ name: 'send', depths: [{ level: 0 }, level] }]
  await writeFile(join(cwd, 'warrant/graph.json'), JSON.stringify({ primitives }))
  const operation = { op: 'describe', name: 'file', level: 1, properties: { a: ['what is it?'] } }
  await warrant('graph', 'add', 'file')
  await writeFile(join(cwd, 'operations.json'), JSON.stringify([operation]))
  for (const args of [
    ['seed', 'warrant'],
    ['apply', 'warrant'],
    ['plan', 'warrant'],
    ['graph', 'import', 'warrant/graph.json'],
    ['graph', 'apply', 'operations.json'],
    ['graph', 'describe', 'file', '1', 'description="One file: say here what it is."'],
  ]) {
    const { code, stderr } = await warrant(...args)
    expect([code, stderr], args.join(' ')).toEqual([1, expect.stringContaining('placeholder')])
  }
  const fine = await warrant('graph', 'describe', 'file', '1', 'what="a to-do list: what is due"')
  expect(fine.code).toBe(0)
})
