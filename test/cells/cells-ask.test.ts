// `warrant ask` by an agent's own credential on a server of two cells: in the wrong place
// it learns that at once, and how to find the right one. And what others may do with theirs.
import { mkdir, writeFile } from 'node:fs/promises'
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
import { cells, queuesIn, realm } from './stand.ts'

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
