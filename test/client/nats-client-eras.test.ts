// An agent that reads its own alone, where no one answers it, no one notifies it, or the era is
// rotated.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#system/clock'
import { OwnEras } from '#client/own/eras'
import { ownRedeeming } from '#client/own/client'
import type { Verdict } from '#replay/verdicts/verdict'
import { canStartNats, until } from '../support/servers/nats-server.ts'
import { agentsSetup, deploy, startStages } from './nats-client-scene.ts'
import type { Deployment } from './nats-client-scene.ts'

describe.skipIf(!canStartNats).each(['no_roles', 'roles'] as const)('%s, in bad times', (has) => {
  let on: Deployment
  let claimed = ''
  beforeAll(async () => {
    on = await deploy(has, agentsSetup)
  })
  afterAll(() => on.dispose())

  test('without stages its time-out shows where the message is', async () => {
    const agent = await on.client('agent', { reads: 'own' })
    const asking = agent.ask({ tool: 'look' }, { waitMs: 200 })
    await expect(asking).rejects.toMatchObject({
      code: 'no_verdict',
      message: expect.stringMatching(
        /timed out after 200 ms: .* waits for the stages; are they running\?/,
      ),
    })
    await expect(agent.verdict('agent.-.never', 50)).rejects.toMatchObject({
      code: 'no_verdict',
      message: expect.stringContaining('waits for its message'),
    })
    claimed = (await agent.publish({ type: 'claim', content: 'so it is', confidence: 0.5 })).address
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
  })

  test('is answered across the turn of an era, whenever it asked', async () => {
    const running = await startStages(on)
    const agent = await on.client('agent', { reads: 'own' })
    const waiting = await agent.publish({
      type: 'query',
      content: 'x',
      payload: { intent: { tool: 'erase' } },
    })
    expect((await agent.ask({ tool: 'look' })).name).toContain('main.1.verdict.')
    const intents = running[0]?.follower.state.intents
    await until(() => (intents?.get(waiting.address)?.review ?? null) !== null)
    const verdict = agent.verdict(waiting.address)
    await on.turn()
    const after = await agent.ask({ tool: 'look' })
    expect(after).toMatchObject({ outcome: 'allow', name: `main.2.verdict.${after.intent}` })
    await agent.withdraw(waiting.address)
    expect(await verdict).toMatchObject({
      name: `main.2.verdict.${waiting.address}`,
      reasons: [{ code: 'withdrawn' }],
    })
    expect(await agent.guard('look', () => 'done')({})).toBe('done')
    for (const runtime of running) await runtime.stop()
  })

  test('finds the era that took what it said, and remembers it', async () => {
    const log = await on.ownLog('agent')
    const eras = new OwnEras(log, 'main')
    const said = (id: string) => ({
      kind: 'vlp' as const,
      tokens: ['agent', '-', `${has}-${id}`],
      bytes: (name: string) => Buffer.from(name),
    })
    const bound = await eras.bind(said('b'))
    expect(bound.name).toBe(`main.2.vlp.agent.-.${has}-b`)
    expect(eras.current).toBe(2)
    const fresh = new OwnEras(log, 'main')
    const looking = { from: 1, beyond: true }
    expect(await fresh.find('vlp', `agent.-.${has}-b`, looking)).toMatchObject({ name: bound.name })
  })

  test('learns by its time-out that an address was used in an era before', async () => {
    const log = await on.ownLog('agent')
    const said = { kind: 'vlp' as const, tokens: [claimed], bytes: () => Buffer.from('{}') }
    const bound = await new OwnEras(log, 'main').bind(said)
    expect(bound).toMatchObject({ appended: false, name: `main.1.vlp.${claimed}` })
    const agent = await on.client('agent', { reads: 'own' })
    await expect(agent.verdict(claimed, 200)).rejects.toMatchObject({
      code: 'no_verdict',
      message: expect.stringContaining('what was published later under its address opens nothing'),
    })
  })

  test('with a warrant of a sealed era runs nothing, and asks again', async () => {
    const log = await on.ownLog('agent')
    const eras = new OwnEras(log, 'main')
    const redeeming = ownRedeeming({ log, eras, clock: systemClock })
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
      origin: { source: 'test', time: '', basis: 1, appendedAt: 0, callbacks: 0 },
    }
    await expect(redeeming.start(verdict)).rejects.toMatchObject({ code: 'era_sealed' })
    const start = await eras.find('ownstart', intent, { from: 1, beyond: true })
    expect(start?.name).toBe(`main.2.ownstart.${intent}`)
  })
})
