// `warrant ask` by an agent's own credential on a server of two cells: in the wrong place
// it learns that at once, and how to find the right one. And what others may do with theirs.
import { mkdir, writeFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeRealm } from '#log/nats-admin/cells'
import { openOperator } from '#log/nats-admin/operator'
import { emptyCatalog } from '#rules/catalog/catalog'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { publicKeyOf } from '#record/crypto/private-key'
import { movePlan } from '#authoring/moves/move-plan'
import { keysOf, run } from '../support/cli-runner.ts'
import { keys } from '../support/runtime.ts'
import { startPowers, type Powers } from '../support/servers/nats-powers.ts'
import { canStartNats } from '../support/servers/nats-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { cells, queuesIn, realm, agentOf } from './stand.ts'
import { commands, json, type Commands } from './commands.ts'

describe.skipIf(!canStartNats)('an agent of cell 1', () => {
  let powers: Powers
  let cwd = ''
  const seedFile = (user: string) => join(cwd, `${user}.nk`)

  beforeAll(async () => {
    powers = await startPowers({ cells })
    cwd = await temporaryFolder()
    for (const user of ['agent', 'auditor', 'operator', 'policy-admin']) {
      await writeFile(seedFile(user), powers.keyOf(user).seed, { mode: 0o600 })
    }
    const nkeyFile = seedFile('operator')
    const operator = await openOperator({ servers: powers.server.url, nkeyFile })
    await makeRealm(operator, realm, { cells, replicas: 1, queuesIn })
    await operator.close()
  })
  afterAll(() => powers.dispose())

  const ask = (...where: readonly string[]) => {
    const args = ['ask', 'look', '--agent', 'agent', '--wait', '0', '--json', ...where]
    const env = { WARRANT_LOG: powers.server.url, WARRANT_NATS_NKEY_FILE: seedFile('agent') }
    return run(args, { cwd, env })
  }

  test.each([[], ['--realm', 'main-c0']])('is refused at once elsewhere', async (...to) => {
    const { code, stdout } = await ask(...to)
    expect(code).toBe(1)
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'not_permitted',
      message: expect.stringContaining('--realm'),
    })
  })

  test('is in what an auditor reads of all cells', async () => {
    await ask('--realm', 'main-c1')
    const env = { WARRANT_LOG: powers.server.url, WARRANT_NATS_NKEY_FILE: seedFile('auditor') }
    for (const how of [[], ['--name', 'vlp.>'], ['--from', '-1']]) {
      const { code, stdout, stderr } = await run(['log', '--json', ...how], { cwd, env })
      expect([code, stderr]).toEqual([0, ''])
      expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({
        name: expect.stringMatching(/^main-c1[.]1[.]vlp[.]agent[.]/),
        cell: 1,
      })
    }
    const open = await run(['log', '--open'], { cwd, env })
    expect([open.code, open.stderr]).toEqual([0, ''])
    expect(open.stdout).toMatch(/^cell +age .*\n1 /)
  })

  test('asks in the realm of its prefix', async () => {
    const { code, stdout } = await ask('--realm', 'main-c1')
    expect([code, JSON.parse(stdout).outcome]).toEqual([4, null])
  })

  test('is moved by the credential of a policy admin alone', async () => {
    const root = { id: 'root', roles: ['policy-admin'], keys: [publicKeyOf(keys.root)] }
    const fleets = ['north', 'south', 'east', 'west', 'up', 'down']
    const file = { cells, principals: [root, { id: 'mover', attributes: { fleet: 'first' } }] }
    const { catalog = emptyCatalog } = catalogFromFile(file)
    const to = fleets.find((fleet) => movePlan(catalog, 'mover', { fleet }).moves.length === 1)
    await mkdir(keysOf(cwd), { recursive: true })
    await writeFile(join(keysOf(cwd), 'root.pem'), keys.root, { mode: 0o600 })
    await writeFile(join(cwd, 'catalog.json'), JSON.stringify(file))
    const env = { WARRANT_LOG: powers.server.url, WARRANT_NATS_NKEY_FILE: seedFile('policy-admin') }
    const seeded = await run(['seed', '.', '--as', 'root'], { cwd, env })
    expect([seeded.stderr, seeded.code]).toEqual(['', 0])
    const moving = ['catalog', 'move', 'mover', '--fleet', to ?? '', '--as', 'root', '--json']
    const { code, stdout, stderr } = await run(moving, { cwd, env })
    expect([stderr, code]).toEqual(['', 0])
    expect(JSON.parse(stdout)).toMatchObject({ moved: [{ id: 'mover' }], left: 2, revision: 3 })
  })
})

// Commands that find, explain, plan, back up and give evidence, on a realm of two cells: each does
// all cells, or finds the right one, or says to name one.

describe.skipIf(!canStartNats)('on a realm of two cells', () => {
  let on: Commands
  let folder = ''
  let allowed = ''

  beforeAll(async () => {
    on = await commands()
    folder = await temporaryFolder()
    await on.asked(0, 'look')
    allowed = await on.asked(1, 'look')
    await on.asked(1, 'nowhere')
  })
  afterAll(() => on.at.dispose())

  test('facts are found in all of them', async () => {
    const denied = await on.printed('log', '--since', '1h', '--outcome', 'deny')
    expect(denied.map(({ cell, tool }) => [cell, tool])).toEqual([[1, 'nowhere']])
    const both = await on.printed('log', '--where', 'kind == "verdict" && tool == "look"')
    expect(both.map(({ cell }) => cell)).toEqual([0, 1])
    const agent = agentOf(on.at, 0)
    const one = await on.printed('log', '--agent', agent, '--name', 'verdict.>')
    expect(one.map(({ cell }) => cell)).toEqual([0])
    expect((await on.called('log', '--until', '1h')).stdout).toBe('')
    const [counted] = await on.printed('stats')
    expect(JSON.stringify(counted)).toContain('"nowhere"')
  })

  test('a request is explained in the cell of its agent', async () => {
    const [found] = await on.printed('explain', 'look', '--agent', agentOf(on.at, 1))
    expect(found).toMatchObject({ outcome: 'allow', agent: agentOf(on.at, 1) })
  })

  test('a backup has all of them, and is restored to a file for each', async () => {
    const file = join(folder, 'all.backup')
    const [made] = await on.printed('backup', file)
    expect(made.logs.map(({ realm }: { realm: string }) => realm)).toEqual([
      'main',
      'main-c0',
      'main-c1',
    ])
    const cwd = await temporaryFolder()
    expect(await run(['restore', file], { cwd })).toMatchObject({ code: 0 })
    const files = (await readdir(join(cwd, '.warrant'))).filter((name) => name.endsWith('.db'))
    expect(files.toSorted()).toEqual(['main-c0.db', 'main-c1.db', 'main.db'])
    const at = ['--log', '.warrant/main-c1.db', '--realm', 'main-c1', '--json']
    const replayed = await run(['replay', ...at], { cwd })
    expect(replayed.code).toBe(0)
    expect(json(replayed.stdout)[0]).toMatchObject({ differences: 0, head: made.logs[2].head })
    const [one] = await on.printed('backup', join(folder, 'c1.backup'), '--realm', 'main-c1')
    expect(one.logs).toHaveLength(1)
  })

  test('the evidence of an intent comes from its cell', async () => {
    const file = join(folder, 'one.export')
    const [made] = await on.printed('export', file, '--intent', allowed.slice(-8))
    const { code, stdout } = await on.called('verify', file, '--root-key', made.root, '--json')
    expect(code).toBe(0)
    expect(json(stdout)[0]).toMatchObject({ intent: allowed, derives: true })
  })

  test('a change is planned and applied for all, and tried on the intents of one', async () => {
    const seed = join(folder, 'seed')
    await on.printed('pull', seed)
    const file = join(seed, 'catalog.json')
    const catalog = JSON.parse(await readFile(file, 'utf8'))
    catalog.conditions = [{ name: 'none', when: 'true', effect: 'deny' }]
    await writeFile(file, JSON.stringify(catalog))
    const planned = await on.called('plan', seed)
    expect(planned.code).toBe(0)
    expect(planned.stderr).toContain('not previewed: the intents are in the 2 cells')
    const all = await on.called('whatif', seed)
    expect(all).toMatchObject({ code: 2, stdout: '' })
    expect(all.stderr).toContain('name one of main-c0, main-c1')
    const [flips] = await on.printed('whatif', seed, '--realm', 'main-c1')
    expect(flips.flips).toHaveLength(1)
    expect(await on.called('apply', seed, '--as', 'root')).toMatchObject({ code: 0 })
    const [verdict] = json(
      (await on.called('ask', 'look', '--agent', agentOf(on.at, 0), '--json')).stdout,
    )
    expect(verdict).toMatchObject({ outcome: 'deny' })
  })
})
