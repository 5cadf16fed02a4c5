// An agent that may bind and get its own and nothing else: what it asks is answered, on a plain
// server and on one that holds each role to its own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OwnLog } from '#log/jetstream/own-log'
import { systemClock } from '#system/clock'
import { Fault } from '#record/fault'
import { silentLogger } from '#runtime/reporting/logger'
import type { Runtime } from '#runtime/engine/runtime'
import { Refused } from '#client/connect'
import type { Warrant } from '#client/warrant'
import { decide } from '#client/people/decide'
import { guard } from '#client/guard/guard'
import { OwnEras } from '#client/own/eras'
import { ownRedeeming } from '#client/own/client'
import { answering } from '../support/samples/guard-client.ts'
import { canStartNats, until } from '../support/servers/nats-server.ts'
import { agentsSetup, confirmerKey, deploy, startStages } from './nats-client-scene.ts'
import type { Deployment } from './nats-client-scene.ts'

describe.skipIf(!canStartNats).each(['no_roles', 'roles'] as const)('an agent, %s', (has) => {
  let on: Deployment
  let agent: Warrant
  let running: readonly Runtime[] = []
  beforeAll(async () => {
    on = await deploy(has, agentsSetup)
    running = await startStages(on)
    agent = await on.client('agent', { reads: 'own' })
  })
  afterAll(() => on.dispose())

  test('learns what it cannot do, since it reads its own alone', async () => {
    await expect(agent.reviews()).rejects.toMatchObject({ code: 'reads_own' })
    expect(() => agent.runtime).toThrow(expect.objectContaining({ code: 'reads_own' }))
    const answer = { intent: 'x', confirmer: 'olga', privateKey: confirmerKey, answers: true }
    await expect(agent.decide(answer)).rejects.toMatchObject({ code: 'reads_own' })
    await expect(agent.read('trace', { intent: 'agent.-.x' })).rejects.toMatchObject({
      code: 'reads_own',
    })
  })

  test('is denied with every reason, and with the gaps', async () => {
    const unknown = await agent.ask({ tool: 'fly' })
    expect(unknown).toMatchObject({ outcome: 'deny', reasons: [{ code: 'unknown_capability' }] })
    const ungrounded = await agent.ask({ tool: 'look', concepts: ['moon'] })
    expect(ungrounded.reasons.map(({ code }) => code)).toEqual(['ungrounded'])
    expect(ungrounded.gaps).toMatchObject([{ kind: 'EXISTENCE', primitive: 'moon' }])
  })

  test('on a realm that has no log is reported', async () => {
    const nowhere = await on.client('agent', { realm: 'nowhere', reads: 'own' })
    const code = on.hasRoles ? 'not_permitted' : 'log_unreachable'
    const asking = nowhere.ask({ tool: 'look' }, { waitMs: 500 })
    await expect(asking).rejects.toMatchObject({ code })
  })

  test('learns who may still answer when its time is up', async () => {
    const asking = agent.ask({ tool: 'erase' }, { waitMs: 1_000 })
    await expect(asking).rejects.toMatchObject({
      code: 'no_verdict',
      message: expect.stringContaining('waits for approval from `confirmer` until'),
    })
  })

  test('waits for people, and is allowed when they agree', async () => {
    const confirmer = await on.run('confirmer', [])
    const { address } = await agent.publish({
      type: 'query',
      content: 'x',
      payload: { intent: { tool: 'erase' } },
    })
    const verdict = agent.verdict(address)
    const { intents } = confirmer.follower.state
    await until(() => (intents.get(address)?.review ?? null) !== null)
    const answer = { intent: address, privateKey: confirmerKey, answers: true }
    await decide(confirmer, { ...answer, confirmer: 'confirmer' })
    expect(await verdict).toMatchObject({ outcome: 'allow', confirmedBy: ['confirmer'] })
  })

  test('takes back what waits for people', async () => {
    const { address } = await agent.publish({
      type: 'query',
      content: 'x',
      payload: { intent: { tool: 'erase' } },
    })
    await agent.withdraw(address, 'no longer needed')
    const verdict = await agent.verdict(address)
    expect(verdict).toMatchObject({ outcome: 'deny', reasons: [{ code: 'withdrawn' }] })
    await expect(agent.withdraw('other.-.x')).rejects.toMatchObject({ code: 'not_yours' })
  })

  test('is allowed, and has the same verdict when it asks for it again', async () => {
    const verdict = await agent.ask({ tool: 'look', args: { path: 'a' } })
    expect(verdict).toMatchObject({ outcome: 'allow', reasons: [], terms: { capability: 'look' } })
    expect(await agent.verdict(verdict.intent)).toEqual(verdict)
    const again = await on.client('agent', { reads: 'own' })
    expect(await again.verdict(verdict.intent)).toEqual(verdict)
  })

  test('is answered by its notices, beside another that is answered by its own', async () => {
    const other = await on.client('other', { reads: 'own' })
    const many = Array.from({ length: 40 }, (_, n) => [agent, other][n % 2] ?? agent)
    const verdicts = await Promise.all(many.map((client) => client.ask({ tool: 'look' })))
    expect(verdicts.every(({ outcome }) => outcome === 'allow')).toBe(true)
    expect(new Set(verdicts.map(({ intent }) => intent)).size).toBe(40)
    expect(verdicts.map(({ intent }) => intent.split('.')[0])).toEqual(
      many.map((client) => (client === agent ? 'agent' : 'other')),
    )
  })

  test('counts the messages of a session', async () => {
    const session = agent.session()
    for (let asked = 1; asked <= 3; asked += 1) {
      expect((await agent.ask({ tool: 'look' }, { session })).outcome).toBe('allow')
    }
    expect(session.seq).toBe(3)
  })

  test('runs what it guards once and on an allow alone, and reports the outcome', async () => {
    const runs: unknown[] = []
    const guarded = agent.guard('look', (args: object) => runs.push(args))
    await expect(guarded({}, { concepts: ['moon'] })).rejects.toBeInstanceOf(Refused)
    expect(runs).toEqual([])
    await guarded({ path: 'a' })
    expect(runs).toEqual([{ path: 'a' }])
    const [reader] = running
    const facts = async (kind: string) => {
      const names: string[] = []
      for await (const { name } of reader?.log.read({}, [`main.1.${kind}.agent.>`]) ?? []) {
        names.push(name)
      }
      return names
    }
    expect(await facts('ownstart')).toHaveLength(1)
    expect(await facts('ownoutcome')).toHaveLength(1)
  })

  test('that presents one warrant twice at once runs one of the two', async () => {
    const verdict = await agent.ask({ tool: 'look' })
    const runs: number[] = []
    const guards = await Promise.all(
      [1, 2].map(async (number) => {
        const log = await on.ownLog('agent')
        const eras = new OwnEras(log, 'main')
        const redeeming = ownRedeeming({ log, eras, clock: systemClock })
        const client = answering(verdict, { logger: silentLogger, clock: systemClock, redeeming })
        const run = () => runs.push(number)
        return guard(client, { capability: 'look', run, options: {} })
      }),
    )
    const results = await Promise.allSettled(guards.map((guarded) => guarded({})))
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toMatchObject([{ reason: { code: 'warrant_used' } }])
    expect(runs).toHaveLength(1)
  })

  test('knows its own bytes under a name from those of someone else', async () => {
    const [one, two] = [await on.ownLog('agent'), await on.ownLog('agent')]
    const bind = (log: OwnLog, said: number) =>
      new OwnEras(log, 'main').bind({
        kind: 'vlp',
        tokens: ['agent', '-', has],
        bytes: () => Buffer.from(`{"said":${said}}`),
      })
    const first = await bind(one, 1)
    expect(first).toMatchObject({ appended: true, name: `main.1.vlp.agent.-.${has}` })
    expect(await bind(two, 1)).toEqual(first)
    expect(await bind(two, 2)).toEqual({ ...first, appended: false })
  })

  test('that waits learns when its client is closed', async () => {
    const client = await on.client('agent', { reads: 'own' })
    const waiting = client.verdict('agent.-.never')
    const ended = expect(waiting).rejects.toMatchObject({ code: 'log_closed' })
    await client.close()
    await ended
    await expect(client.ask({ tool: 'look' })).rejects.toMatchObject({ code: 'log_closed' })
  })

  test('reads as much as the server lets it, without being configured', async () => {
    const client = await on.client('agent')
    expect((await client.ask({ tool: 'look' })).outcome).toBe('allow')
    if (on.hasRoles) await expect(client.reviews()).rejects.toThrow(Fault)
    else expect(await client.reviews()).toBeInstanceOf(Array)
    const everything = on.client('agent', { reads: 'all' })
    if (on.hasRoles) await expect(everything).rejects.toMatchObject({ code: 'not_permitted' })
    else await everything
  })
})
