// The credential of an agent lets it do what its client does, and nothing more.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { natsNotices } from '#log/nats/notices'
import { canStartNats, until } from '../support/servers/nats-server.ts'
import { agentsSetup, deploy, startStages, type Deployment } from './nats-client-scene.ts'

describe.skipIf(!canStartNats)('the credential of an agent', () => {
  let on: Deployment
  beforeAll(async () => {
    on = await deploy('roles', agentsSetup)
    await startStages(on)
  })
  afterAll(() => on.dispose())

  test('publishes nothing in the name of another', async () => {
    const liar = await on.client('agent', { as: 'other', reads: 'own' })
    const claim = { type: 'claim', content: 'x', confidence: 0.5 }
    await expect(liar.publish(claim)).rejects.toMatchObject({ code: 'not_permitted' })
    await expect(liar.withdraw('other.-.x')).rejects.toMatchObject({ code: 'not_permitted' })
    await expect(liar.ask({ tool: 'look' })).rejects.toMatchObject({ code: 'not_permitted' })
  })

  test('reads and receives nothing of another', async () => {
    const other = await on.client('other', { reads: 'own' })
    const thief = await on.client('agent', { reads: 'own' })
    const notices = natsNotices(await on.link('agent'), 'main')
    const received: unknown[] = []
    await notices.receive('other', (notice) => received.push(notice))
    const { intent } = await other.ask({ tool: 'look' })
    await expect(thief.verdict(intent, 100)).rejects.toMatchObject({ code: 'not_permitted' })
    expect(received).toEqual([])
  })

  test('reads no knowledge, and gives no notice', async () => {
    const log = await on.ownLog('agent')
    for (const name of ['main.1.graph.1', 'main.1.catalog.1', 'main.1.grounding.agent.-.x.1']) {
      await expect(log.get(name)).rejects.toMatchObject({ code: 'not_permitted' })
    }
    const received: unknown[] = []
    await natsNotices(await on.link('agent'), 'main').receive('agent', (one) => received.push(one))
    const giver = await on.link('agent')
    natsNotices(giver, 'main').report('agent.-.x', 'main.1.verdict.agent.-.x')
    await giver.flush()
    const { intent, name } = await (await on.client('agent')).ask({ tool: 'look' })
    await until(() => received.length > 0)
    expect(received).toEqual([{ address: intent, verdict: name }])
  })
})
