// What one agent may have open, and how often it may ask for people: bounded, so that it can take
// neither the memory of every process nor the attention of everyone.
import { expect, test } from 'vitest'
import { openMax, openServedMax } from '#state/agents'
import {
  anyArgs,
  codes,
  deletion,
  erase,
  expectReplay,
  judged,
  look,
  names,
} from '../../support/scene.ts'
import { recoveries, reviewed, say, scene, verdict } from '../../support/scene.ts'

const unlimited = [{ safetyClass: 'READ' as const, uses: 'unlimited' as const, windowMs: 1 }]
const asking = deletion({ name: 'ask' })
const intent = { tool: 'erase' }

test('one agent has so many open intents served, the next are denied, and the rest void', async () => {
  const catalog = { capabilities: [look, erase], limits: unlimited }
  const on = await scene({ catalog, graph: asking })
  for (let n = 0; n < openServedMax; n += 64) {
    await Promise.all(Array.from({ length: 64 }, () => say(on.log, { intent })))
    await on.watch.settled(on.log)
  }
  expect(on.runtime.follower.state.intents.size).toBe(openServedMax)
  const denied = await judged(on, { intent: { tool: 'look' } })
  expect(recoveries(denied)).toEqual(['too_many_open wait'])
  expect(denied.reasons[0]?.params.max).toBe(openServedMax)
  // Others are served as ever.
  expect((await judged(on, { as: 'honest', intent: { tool: 'look' } })).outcome).toBe('allow')
  await expectReplay(on)
})

test('beyond what counts at all nothing is opened, until something has its verdict', async () => {
  const on = await scene({ catalog: { capabilities: [look] }, stages: [] })
  for (let n = 0; n < openMax + 3; n += 1) await say(on.log, { intent: { tool: 'look' } })
  await on.runtime.follower.reached((await on.log.head()).position)
  expect(on.runtime.follower.state.intents.size).toBe(openMax)
  const honest = await say(on.log, { as: 'honest', intent: { tool: 'look' } })
  await on.runtime.follower.reached((await on.log.head()).position)
  expect(on.runtime.follower.state.intents.has(honest)).toBe(true)
})

test('people are asked as often as the limit allows, and no more', async () => {
  const limits = [{ capability: 'erase', uses: 2, windowMs: 60_000 }]
  const on = await scene({ catalog: { capabilities: [erase], limits }, graph: asking })
  await reviewed(on, { intent })
  await reviewed(on, { intent })
  const denied = await judged(on, { intent })
  expect(recoveries(denied)).toEqual(['rate_limited wait'])
  expect(denied.reasons[0]?.params).toMatchObject({ waitMs: 60_000, max: 2, windowMs: 60_000 })
  expect(await names(on.log, 'main.1.asked.bot.erase.*')).toHaveLength(2)
  expect(await names(on.log, 'main.1.rate.>')).toEqual([])
  on.time.pass(60_000)
  await reviewed(on, { intent })
  await expectReplay(on)
})

test('arguments that cannot be shown to a person cannot be approved', async () => {
  const on = await scene({
    catalog: { capabilities: [{ ...erase, argsSchema: anyArgs }] },
    graph: asking,
  })
  const shown = await reviewed(on, { intent: { ...intent, args: { x: 'x'.repeat(60_000) } } })
  expect(shown).not.toBe('')
  const denied = await judged(on, { intent: { ...intent, args: { x: 'x'.repeat(66_000) } } })
  expect(recoveries(denied)).toEqual(['no_confirmer never'])
  expect(denied.reasons[0]?.params.cause).toBe('arguments_too_large')
  await expectReplay(on)
})

test('two people are asked within a session alone, unless the catalog sets otherwise', async () => {
  const four = { id: 'four', tier: 'four_eyes' as const, group: 'desk' }
  const on = await scene({
    catalog: {
      capabilities: [erase],
      groups: [{ id: 'desk', members: ['piet', 'quin'] }],
      confirmations: [four],
    },
    graph: deletion({ name: 'ask', confirmation: 'four' }),
  })
  const denied = await judged(on, { intent })
  expect(codes(denied)).toEqual(['no_confirmer'])
  expect(denied.reasons[0]?.params.cause).toBe('session_missing')
  await reviewed(on, { session: 'S-2026-01-01-bot-abcdef', intent })
})

test('a justification of invisible characters is not one', async () => {
  const write = { ...look, id: 'write', safetyClass: 'WRITE' as const }
  const on = await scene({ catalog: { capabilities: [write] } })
  const justification = '\u200b'.repeat(20)
  const address = await reviewed(on, { intent: { tool: 'write', justification } })
  on.time.pass(16 * 60_000)
  expect(codes(await verdict(on.log, address))).toContain('insufficient_justification')
})

test.each(['id', 'receiver'])(
  'a message may have an `%s` of up to 256 characters',
  async (name) => {
    const on = await scene({ catalog: { capabilities: [look], limits: unlimited } })
    const named = (length: number) => ({
      intent: { tool: 'look' },
      message: { [name]: 'x'.repeat(length) },
    })
    expect((await judged(on, named(256))).outcome).toBe('allow')
    const denied = await judged(on, named(257))
    expect(codes(denied)).toEqual(['malformed_message'])
    await expectReplay(on)
  },
)
