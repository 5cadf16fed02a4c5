// An agent that may read only its own finds a request under its key, too.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canStartNats } from '../../support/servers/nats-server.ts'
import { agentsSetup, deploy, startStages, type Deployment } from '../nats-client-scene.ts'

describe.skipIf(!canStartNats)('a client that reads its own', () => {
  let on: Deployment
  beforeAll(async () => {
    on = await deploy('roles', agentsSetup)
    await startStages(on)
  })
  afterAll(() => on.dispose())

  test('asks under a key, in two processes, for one intent that runs once', async () => {
    const [one, two] = [
      await on.client('agent', { reads: 'own' }),
      await on.client('agent', { reads: 'own' }),
    ]
    const of = { key: 'call-1' }
    const first = await one.ask({ tool: 'look' }, of)
    expect((await two.ask({ tool: 'look' }, of)).intent).toBe(first.intent)
    await expect(two.ask({ tool: 'other' }, of)).rejects.toMatchObject({ code: 'request_differs' })
    let runs = 0
    const guarded = [one, two].map((client) => client.guard('look', () => (runs += 1)))
    const ran = guarded.map((run) => run.redeem(first.intent))
    await Promise.allSettled(ran)
    expect(runs).toBe(1)
  })
})
