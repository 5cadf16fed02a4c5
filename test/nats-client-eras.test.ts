// An agent that reads its own alone, where nobody answers it, nobody tells it, or the era turns.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraOf } from '#core/names'
import { OwnEras } from '#services/client/own-eras'
import { ownRedeeming } from '#services/client/own-redeeming'
import type { Verdict } from '#services/client/verdict'
import { canStartNats } from './nats-server.ts'
import { agentsSetup, deploy, ownSaying, startStages } from './nats-client-scene.ts'
import type { Deployment } from './nats-client-scene.ts'

describe.skipIf(!canStartNats).each(['no_roles', 'roles'] as const)('%s, in bad times', (has) => {
  let on: Deployment
  beforeAll(async () => {
    on = await deploy(has, agentsSetup)
  }, 30_000)
  afterAll(() => on.dispose())

  test('without stages its time-out says where the message is', async () => {
    const agent = await on.client('agent', { reads: 'own' })
    const asking = agent.ask({ tool: 'look' }, { waitMs: 200 })
    await expect(asking).rejects.toMatchObject({
      code: 'no_verdict',
      message: expect.stringMatching(/is at position \d+, and the stages have not answered/),
    })
    await expect(agent.verdict('agent.-.never', 50)).rejects.toMatchObject({
      code: 'no_verdict',
      message: expect.stringContaining('no message'),
    })
  })

  test('whose notices are lost is answered all the same', async () => {
    const running = await startStages(on, 'no_notices')
    const agent = await on.client('agent', { reads: 'own' })
    expect((await agent.ask({ tool: 'look' }, { waitMs: 10_000 })).outcome).toBe('allow')
    for (const runtime of running) await runtime.stop()
  })

  test('asks on while the server is gone, and is answered when it is back', async () => {
    const running = await startStages(on)
    const agent = await on.client('agent', { reads: 'own' })
    expect((await agent.ask({ tool: 'look' })).outcome).toBe('allow')
    const asking: Promise<Verdict>[] = []
    await on.crash(() => {
      for (let asked = 0; asked < 20; asked += 1) asking.push(agent.ask({ tool: 'look' }))
    })
    const verdicts = await Promise.all(asking)
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(asking.map(() => 'allow'))
    for (const runtime of running) await runtime.stop()
  }, 30_000)

  test('finds the era that is open, says the same there, and remembers it', async () => {
    const log = await on.ownLog('agent')
    const eras = new OwnEras(log, 'main')
    const said = (id: string) => ({
      kind: 'vlp' as const,
      tokens: ['agent', '-', `${has}-${id}`],
      bytes: (name: string) => Buffer.from(name),
    })
    const before = await eras.bind(said('a'))
    expect(eraOf(before.name)).toBe(1)
    await on.turn()
    const after = await eras.bind(said('b'))
    expect(after.name).toBe(`main.2.vlp.agent.-.${has}-b`)
    expect(after.position).toBeGreaterThan(before.position)
    expect(eras.current).toBe(2)
    const found = await eras.find('vlp', `agent.-.${has}-a`, { from: 1, beyond: false })
    expect(found?.name).toBe(before.name)
    const fresh = new OwnEras(log, 'main')
    const looking = { from: 1, beyond: true }
    expect(await fresh.find('vlp', `agent.-.${has}-b`, looking)).toMatchObject({ name: after.name })
    expect(await eras.bindIn(1, said('c'))).toBeNull()
  })

  test('with a warrant of a sealed era runs nothing, and asks again', async () => {
    const log = await on.ownLog('agent')
    const eras = new OwnEras(log, 'main')
    const redeeming = ownRedeeming({ log, eras, saying: ownSaying(eras) })
    const intent = 'agent.-.old'
    const verdict = {
      intent,
      name: `main.1.verdict.${intent}`,
      position: 1,
      outcome: 'allow' as const,
      reasons: [],
      gaps: [],
      terms: null,
      observed: false,
      confirmedBy: [],
    }
    await expect(redeeming.start(verdict)).rejects.toMatchObject({ code: 'era_sealed' })
    expect(await eras.find('start', intent, { from: 1, beyond: true })).toBeUndefined()
  })
})
