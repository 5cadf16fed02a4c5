// What learning asks, on a server that holds each role to its own: anyone who has a confirmer's
// seed adds, every stage does its own part, and anyone who has another's cannot.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicKeyOf } from '#record/crypto/private-key'
import { run } from '../../../support/cli-runner.ts'
import {
  confirmerKey,
  deploy,
  startStages,
  type Deployment,
} from '../../../client/nats-client-scene.ts'
import { canStartNats } from '../../../support/servers/nats-server.ts'
import type { Runtime } from '#runtime/engine/runtime'
import { anyArgs, deletion } from '../../../support/scene.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const setup = {
  catalog: {
    learning: true,
    capabilities: [
      { id: 'notify', safetyClass: 'READ' as const, argsSchema: anyArgs, concepts: ['notice'] },
    ],
    principals: [
      { id: 'confirmer', roles: ['curator'], keys: [publicKeyOf(confirmerKey)] },
      { id: 'agent' },
    ],
  },
  graph: deletion(),
}

describe.skipIf(!canStartNats)('proposals on a server', () => {
  let on: Deployment
  let running: readonly Runtime[] = []
  let cwd = ''
  beforeAll(async () => {
    on = await deploy('roles', setup)
    running = await startStages(on)
    cwd = await temporaryFolder()
    await writeFile(join(cwd, 'confirmer.pem'), confirmerKey)
  })
  afterAll(() => on.dispose())

  async function command(user: 'agent' | 'confirmer' | 'auditor', ...args: readonly string[]) {
    const seedFile = await on.seedFile(user)
    const env = { WARRANT_LOG: on.url, WARRANT_NATS_NKEY_FILE: seedFile ?? '' }
    return run(args, { cwd, env })
  }

  const teach = ['--as', 'confirmer', '--key', 'confirmer.pem', '--level', '1', 'what=x', '--yes']

  test('are answered by a confirmer, and by no one who may only read', async () => {
    const ask = ['ask', 'notify', '--agent', 'agent', '--on-gap', 'learn', '--wait', '0']
    expect((await command('agent', ...ask)).code).toBe(4)
    const [learning] = running
    await asked(learning)
    const { stdout } = await command('auditor', 'proposals', '--json')
    const [{ proposal: id, waiting }] = JSON.parse(stdout).rows
    expect(waiting).toHaveLength(1)
    const refused = await command('auditor', 'proposals', 'teach', id, ...teach, '--json')
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'not_permitted' } })
    const added = await command('confirmer', 'proposals', 'teach', id, ...teach)
    expect(added.stdout).toMatch(/APPLIED {2}revision 2[^]*ALLOW {3}notify/)
    expect(added.code).toBe(0)
    const all = await command('auditor', 'proposals', '--all', '--json')
    expect(JSON.parse(all.stdout).rows).toMatchObject([
      { state: 'applied', ruled: { by: 'confirmer' } },
    ])
  })
})

/** Waits until someone is asked something. */
function asked(runtime: Runtime | undefined): Promise<void> {
  if (runtime === undefined) throw new Error('no stage is running')
  const { follower } = runtime
  const isAsked = (): boolean => follower.state.learning.open.size > 0
  if (isAsked()) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = follower.listen(() => {
      if (!isAsked()) return
      stop()
      resolve()
    })
  })
}
