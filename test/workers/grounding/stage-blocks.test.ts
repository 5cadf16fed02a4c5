// What stops an agent: a block of a trusted sender until a person lifts it, its own correction, and
// a suspension; each ends what is open, at once.
import { describe, expect, test } from 'vitest'
import { lift } from '#client/people/reinstate'
import { nameOf } from '#record/names'
import { changeCatalog, keys } from '../../support/runtime.ts'
import {
  answer,
  bind,
  codes,
  deletion,
  erase,
  expectReplay,
  judged,
  look,
  names,
  place,
  recoveries,
  reviewed,
  say,
  scene,
  verdict,
  type Scene,
  anyArgs,
} from '../../support/scene.ts'
import { openMax, openServedMax } from '#state/agents'

const session = 'S-2026-01-01-bot-abcdef'
const other = 'S-2026-01-01-bot-fedcba'
const setup = {
  catalog: {
    capabilities: [look, erase],
    principals: [{ id: 'guard' }, { id: 'two', owner: 'olga' }, { id: 'stranger' }],
    groups: [{ id: 'fleet', members: ['bot', 'two'] }],
    trustedEvidence: [{ sender: 'guard', for: ['*'] }],
  },
  graph: deletion({ name: 'ask' }),
}
const safety = { level: 'block', issues: [] }
const block = { type: 'notice', content: 'stop', safety }
const looking = { intent: { tool: 'look' } }

function blocked(on: Scene, message: object = {}, as = 'guard'): Promise<string> {
  return say(on.log, { as, session, message: { ...block, ...message } })
}

async function lifted(on: Scene, by: keyof typeof keys = 'olga', agent = 'bot') {
  await on.runtime.follower.reached((await on.log.head()).position)
  return lift(on.runtime, { agent, by, privateKey: keys[by] })
}

describe('a block by a trusted sender', () => {
  test('stops the agent that it addresses, in every session, until it is lifted', async () => {
    const on = await scene(setup)
    expect((await judged(on, looking)).outcome).toBe('allow')
    await blocked(on)
    for (const where of [session, other, null]) {
      const denied = await judged(on, { session: where, ...looking })
      expect(recoveries(denied)).toEqual(['message_blocked never'])
      expect(denied.reasons[0]?.params).toMatchObject({ cause: 'sender', principal: 'guard' })
    }
    expect((await judged(on, { as: 'two', ...looking })).outcome).toBe('allow')
    await lifted(on)
    expect((await judged(on, { session, ...looking })).outcome).toBe('allow')
    await blocked(on)
    expect(codes(await judged(on, looking))).toEqual(['message_blocked'])
    await expectReplay(on)
  })

  test('of a group stops each of its agents, and a lift helps one', async () => {
    const on = await scene(setup)
    await blocked(on, { receiver: 'fleet' })
    expect(codes(await judged(on, looking))).toEqual(['message_blocked'])
    expect(codes(await judged(on, { as: 'two', ...looking }))).toEqual(['message_blocked'])
    await lifted(on, 'olga', 'two')
    expect((await judged(on, { as: 'two', ...looking })).outcome).toBe('allow')
    expect(codes(await judged(on, looking))).toEqual(['message_blocked'])
    await expectReplay(on)
  })

  test('without a receiver stops all who have spoken in its session', async () => {
    const on = await scene(setup)
    await judged(on, { session, ...looking })
    await blocked(on, { receiver: null })
    expect(codes(await judged(on, { session: other, ...looking }))).toEqual(['message_blocked'])
    // It was not there, and is stopped only where it joins.
    expect((await judged(on, { as: 'two', session: other, ...looking })).outcome).toBe('allow')
    expect(codes(await judged(on, { as: 'two', session, ...looking }))).toEqual(['message_blocked'])
    await expectReplay(on)
  })

  test('ends what is open at once, and no one is asked any more', async () => {
    const on = await scene(setup)
    const address = await reviewed(on, { session: other, intent: { tool: 'erase' } })
    await blocked(on)
    expect(codes(await verdict(on.log, address))).toEqual(['message_blocked'])
    expect(await on.bot.reviews()).toEqual([])
    await expectReplay(on)
  })
})

describe('what does not stop an agent', () => {
  test('is the block of a sender that is not trusted, of another name, or suspended', async () => {
    const on = await scene(setup)
    await blocked(on, {}, 'stranger')
    await blocked(on, { sender: 'stranger' })
    await blocked(on, { session_id: other })
    await changeCatalog(on.runtime, { op: 'suspend', id: 'guard' })
    await blocked(on)
    expect((await judged(on, { session, ...looking })).outcome).toBe('allow')
    await expectReplay(on)
  })

  test('its own block stops itself alone', async () => {
    const on = await scene(setup)
    await blocked(on, { receiver: 'two' }, 'bot')
    expect(codes(await judged(on, looking))).toEqual(['message_blocked'])
    expect((await judged(on, { as: 'two', session, ...looking })).outcome).toBe('allow')
  })
})

describe('a lift', () => {
  test('counts from the owner and from who signs change sets, and from no one else', async () => {
    const on = await scene(setup)
    await blocked(on)
    for (const by of ['piet', 'quin'] as const) {
      await expect(lifted(on, by)).rejects.toMatchObject({ code: 'lift_void' })
    }
    const name = nameOf(place, 'lift', 'bot', 1)
    await bind(on.log, 'lift', name, { agent: 'bot', by: 'olga', through: 99 }, keys.piet)
    expect(codes(await judged(on, looking))).toEqual(['message_blocked'])
    await lifted(on, 'root')
    expect(await names(on.log, 'main.1.lift.>')).toHaveLength(2)
    expect((await judged(on, looking)).outcome).toBe('allow')
    await expectReplay(on)
  })
})

describe('a correction', () => {
  const correction = { type: 'correction', content: 'not that one', provenance: ['me'] }

  test.each([
    ['by its full name', (address: string) => nameOf(place, 'vlp', address)],
    ['by its id in the session', (address: string) => `MSG-${address.split('.')[2] ?? ''}`],
  ])('of an open intent by its own agent takes it back: %s', async (_, ref) => {
    const on = await scene(setup)
    const address = await reviewed(on, { session, intent: { tool: 'erase' } })
    await say(on.log, { session, message: { ...correction, refers_to: ref(address) } })
    const denied = await verdict(on.log, address)
    expect(recoveries(denied)).toEqual(['withdrawn never'])
    expect(denied.reasons[0]?.params.cause).toBe('correction')
    await expectReplay(on)
  })

  test('of what was withdrawn already changes nothing, and leaves others be', async () => {
    const on = await scene({ ...setup, stages: [] })
    const [withdrawn, other] = [
      await say(on.log, { session, intent: { tool: 'erase' } }),
      await say(on.log, { session, intent: { tool: 'erase' } }),
    ]
    await on.bot.withdraw(withdrawn)
    const refers_to = ['main.1.vlp.bot.-.nowhere', nameOf(place, 'vlp', withdrawn)]
    await say(on.log, { session, message: { ...correction, refers_to } })
    await on.runtime.follower.reached((await on.log.head()).position)
    const { intents } = on.runtime.follower.state
    expect(intents.get(withdrawn)?.withdrawn).toBe('withdrawal')
    expect(intents.get(other)?.withdrawn).toBe(null)
    expect([...intents.keys()]).toEqual([withdrawn, other])
  })

  test('by anyone else takes nothing back', async () => {
    const on = await scene(setup)
    const address = await reviewed(on, { session, intent: { tool: 'erase' } })
    const refers_to = nameOf(place, 'vlp', address)
    await say(on.log, { as: 'two', session, message: { ...correction, refers_to } })
    await say(on.log, { as: 'guard', session, message: { ...correction, refers_to } })
    await answer(on, address)
    expect((await verdict(on.log, address)).outcome).toBe('allow')
    await expectReplay(on)
  })
})

test('a suspension ends open intents and reviews at once', async () => {
  const on = await scene({ ...setup, catalog: { ...setup.catalog, learning: true } })
  const review = await reviewed(on, { intent: { tool: 'erase' } })
  const held = { tool: 'look', concepts: ['moon'], onGap: 'learn' }
  const waiting = await say(on.log, { intent: held })
  await on.watch.settled(on.log)
  await changeCatalog(on.runtime, { op: 'suspend', id: 'bot' })
  expect(codes(await verdict(on.log, review))).toEqual(['agent_suspended'])
  expect(codes(await verdict(on.log, waiting))).toEqual(['agent_suspended', 'ungrounded'])
  expect(await on.bot.reviews()).toEqual([])
  await expectReplay(on)
})

test('a suspension while nothing ran ends what is open when something runs again', async () => {
  const on = await scene(setup)
  const review = await reviewed(on, { intent: { tool: 'erase' } })
  await on.runtime.stop()
  const person = await scene({ ...setup, stages: [] }, on)
  await changeCatalog(person.runtime, { op: 'suspend', id: 'bot' })
  await person.runtime.stop()
  const again = await scene(setup, on)
  expect(codes(await verdict(again.log, review))).toEqual(['agent_suspended'])
  await expectReplay(again)
})

// What one agent may have open, and how often it may ask for people: bounded, so that it can take
// neither the memory of every process nor the attention of everyone.

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
