// `warrant ask` by anyone who has an agent's seed: it just answers, with no more than the agent's
// own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../support/cli-runner.ts'
import { canStartNats } from '../support/servers/nats-server.ts'
import { agentsSetup, deploy, startStages, type Deployment } from './nats-client-scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe.skipIf(!canStartNats).each(['no_roles', 'roles'] as const)('warrant ask, %s', (has) => {
  let on: Deployment
  beforeAll(async () => {
    on = await deploy(has, agentsSetup)
    await startStages(on)
  })
  afterAll(() => on.dispose())

  /** With roles the server decides how much is read, and without the option does. */
  async function ask(...args: readonly string[]) {
    const seedFile = await on.seedFile('agent')
    const env = { WARRANT_LOG: on.url, WARRANT_NATS_NKEY_FILE: seedFile ?? '' }
    const reads = on.hasRoles ? [] : ['--reads', 'own']
    return run(['ask', ...args, ...reads], { cwd: await temporaryFolder(), env })
  }

  test('reports what it has to be given', async () => {
    expect(await ask('look')).toMatchObject({ code: 2, stderr: expect.stringContaining('--agent') })
    const counted = await ask('look', '--agent', 'agent', '--session', 's')
    expect(counted).toMatchObject({ code: 2, stderr: expect.stringContaining('--session') })
  })

  test('answers no, and why', async () => {
    const { code, stdout } = await ask('fly', '--agent', 'agent')
    expect(stdout).toContain('DENY   fly for agent')
    expect(stdout).toContain('unknown_capability')
    expect(code).toBe(3)
  })

  test('answers yes', async () => {
    const { code, stdout } = await ask('look', '--agent', 'agent', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'allow', fixes: [] })
    expect(code).toBe(0)
  })

  test('shows who must answer, and does not wait for them unless it is asked to', async () => {
    const now = await ask('erase', '--agent', 'agent', '--json')
    expect(JSON.parse(now.stdout)).toMatchObject({
      outcome: null,
      waits: { for: 'people', people: ['confirmer'] },
    })
    expect(now.code).toBe(4)
    const later = await ask('erase', '--agent', 'agent', '--wait', '0.5')
    expect(later.stderr).toContain('waiting for approval from `confirmer`')
    expect(later.stdout).toContain('approval is required')
    expect(later.code).toBe(4)
  })

  test('reads everything or fails, if it is asked to', async () => {
    const seedFile = await on.seedFile('agent')
    const env = { WARRANT_LOG: on.url, WARRANT_NATS_NKEY_FILE: seedFile ?? '' }
    const all = ['ask', 'look', '--agent', 'agent', '--reads', 'all', '--json']
    const { code, stderr } = await run(all, { cwd: await temporaryFolder(), env })
    expect(code).toBe(on.hasRoles ? 1 : 0)
    if (on.hasRoles) expect(stderr).toContain('this user may not publish')
  })

  test('is refused in the name of another', async () => {
    const { code, stderr } = await ask('look', '--agent', 'other', '--json')
    expect(code).toBe(on.hasRoles ? 1 : 0)
    if (on.hasRoles) expect(stderr).toContain('this user may not publish')
  })
})
