// The credential of a door on a server: it lets it speak for those whom its user lists, and for no
// one else, whatever the catalog says.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Runtime } from '#runtime/engine/runtime'
import { doorAgents } from '#client/doors/door-agent'
import { decide } from '#client/people/decide'
import { canStartNats } from '../../support/servers/nats-server.ts'
import {
  agentsSetup,
  confirmerKey,
  deploy,
  startStages,
  type Deployment,
} from '../nats-client-scene.ts'

const { catalog } = agentsSetup
const principals = catalog.principals.map((one) => {
  return one.id === 'confirmer' ? one : { ...one, via: ['http'] }
})

describe.skipIf(!canStartNats)('the credential of a door', () => {
  let on: Deployment
  let runtime: Runtime
  beforeAll(async () => {
    on = await deploy('roles', { ...agentsSetup, catalog: { ...catalog, principals } })
    await startStages(on)
    runtime = await on.run('door-of-other', [])
  })
  afterAll(() => on.dispose())

  test('asks, starts, ends, takes back and says in the name that it has', async () => {
    const other = doorAgents(runtime, 'http').agentFor('other')
    const { intent, outcome } = await other.ask({ tool: 'look' }, { key: 'K1' })
    expect([outcome, intent]).toEqual(['allow', 'other.-.K1'])
    expect((await other.ask({ tool: 'look' }, { key: 'K1' })).intent).toBe(intent)
    await other.start(intent)
    await expect(other.start(intent)).rejects.toMatchObject({ code: 'warrant_used' })
    await other.end(intent, { outcome: 'succeeded' })
    const session = other.session('s')
    expect((await other.say('hello', { session, receiver: 'agent' })).appended).toBe(true)
    const asked = other.ask({ tool: 'erase' }, { onReview: () => false })
    const { intent: open } = Object(await asked.catch((error: unknown) => error))
    await other.withdraw(String(open ?? intent))
  })

  test('binds no answer of a person, who has a user of their own', async () => {
    const other = doorAgents(runtime, 'http').agentFor('other')
    const asked = other.ask({ tool: 'erase' }, { onReview: () => false })
    const { intent } = Object(await asked.catch((error: unknown) => error))
    const answer = { intent: String(intent), confirmer: 'confirmer', answers: true }
    const signed = decide(runtime, { ...answer, privateKey: confirmerKey })
    await expect(signed).rejects.toMatchObject({ code: 'not_permitted' })
    await other.withdraw(String(intent))
  })

  test('binds nothing in another name, though the catalog assigns the door to it', async () => {
    const agent = doorAgents(runtime, 'http').agentFor('agent')
    await expect(agent.ask({ tool: 'look' })).rejects.toMatchObject({ code: 'not_permitted' })
    await expect(agent.withdraw('agent.-.x')).rejects.toMatchObject({ code: 'not_permitted' })
  })
})
