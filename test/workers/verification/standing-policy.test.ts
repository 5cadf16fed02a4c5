// What an agent's standing lets it do: levels that ask and refuse, suspension and its end.
import { describe, expect, test } from 'vitest'
import { reinstate } from '#client/people/reinstate'
import { keys } from '../../support/runtime.ts'
import { bound, codes, expectReplay, judged } from '../../support/scene.ts'
import { reviewOf, say, verdict } from '../../support/scene.ts'
import {
  claims,
  contracted,
  done,
  earned,
  folded,
  verificationOf,
  whyVoid,
  workScene,
  type WorkScene,
} from '../../support/work/work-scene.ts'

describe('standing', () => {
  const broken = { maxRetries: 1, requiredFiles: ['missing.json'] }

  /** After so many contracts, each refuted. */
  async function refuted(on: WorkScene, times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      const contract = await contracted(on, broken)
      await claims(on, contract, await done(on))
      await verificationOf(on, contract)
    }
    await folded(on)
  }

  const ask = (on: WorkScene, tool: string) => judged(on, { intent: { tool } })

  test('refuses everything to a suspended agent, until a policy admin lets it work again', async () => {
    const on = await workScene({ start: 0.3 })
    expect((await ask(on, 'look')).outcome).toBe('allow')
    await refuted(on, 1)
    expect(codes(await ask(on, 'look'))).toEqual(['agent_suspended'])
    const contract = await contracted(on)
    expect(await whyVoid(on)).toContain('its worker is suspended')
    expect(on.runtime.follower.state.contracts.has(contract)).toBe(false)
    const by = { by: 'root', privateKey: keys.root }
    const { name } = await reinstate(on.runtime, { agent: 'bot', reason: 'fixed', ...by })
    expect(name).toBe('main.1.reinstatement.bot.1')
    await folded(on)
    expect(earned(on)).toMatchObject({ value: 0.3, suspendedBy: null, scored: 1 })
    expect((await ask(on, 'look')).outcome).toBe('allow')
    expect(codes(await ask(on, 'destroy'))).toEqual(['standing_refused'])
    await expectReplay(on)
  })

  test.each([
    ['its owner', 'olga', keys.olga],
    ['who has another key', 'root', keys.piet],
  ])('is not lifted by %s', async (_title, by, privateKey) => {
    const on = await workScene({ start: 0.3 })
    await refuted(on, 1)
    const lifting = reinstate(on.runtime, { agent: 'bot', reason: 'please', by, privateKey })
    await expect(lifting).rejects.toMatchObject({ code: 'reinstatement_refused' })
  })

  test('is lifted by time where the catalog says after how long, and not before', async () => {
    const on = await workScene({ start: 0.3, reinstateAfterMs: 60_000 })
    await refuted(on, 1)
    on.time.pass(59_000)
    expect(codes(await ask(on, 'look'))).toEqual(['agent_suspended'])
    on.time.pass(2_000)
    await bound(on.log, 'main.1.reinstatement.bot.1')
    await folded(on)
    expect(earned(on)?.value).toBe(0.3)
    await expectReplay(on)
  })

  test('asks as many people as its level says, by the confirmation that it names', async () => {
    const supervised = {
      confirm: [{ safetyClass: 'WRITE' as const }],
      confirmation: 'two',
      quorum: 2,
    }
    const on = await workScene({ start: 0.5, levels: { supervised } })
    const address = await say(on.log, { intent: { tool: 'write' } })
    const review = await reviewOf(on.log, address)
    expect(review).toMatchObject({
      quorum: 2,
      confirmers: ['piet', 'quin'],
      questions: [{ kind: 'standing', level: 'supervised', quorum: 2, confirmation: 'two' }],
    })
    expect((await ask(on, 'look')).outcome).toBe('allow')
    await expectReplay(on)
  })

  test('is at best supervised for who is on probation', async () => {
    const on = await workScene({ start: 1, probation: 1 })
    const address = await say(on.log, { intent: { tool: 'write' } })
    expect((await reviewOf(on.log, address)).questions).toMatchObject([{ level: 'supervised' }])
    const contract = await contracted(on)
    await claims(on, contract, await done(on))
    await verificationOf(on, contract)
    const again = await judged(on, { intent: { tool: 'write', distinct: true } })
    expect(again.outcome).toBe('allow')
  })

  test('decides nothing for agents that the catalog leaves out', async () => {
    const on = await workScene({ start: 0.5, agents: [{ role: 'coder' }] })
    expect((await ask(on, 'destroy')).outcome).not.toBe('deny')
  })

  test('ends what an agent has open when it is suspended', async () => {
    const on = await workScene({ start: 0.3 })
    const address = await say(on.log, { intent: { tool: 'write' } })
    await reviewOf(on.log, address)
    await refuted(on, 1)
    expect(codes(await verdict(on.log, address))).toEqual(['agent_suspended'])
    await expectReplay(on)
  })
})
