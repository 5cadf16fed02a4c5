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
} from '../../support/scene.ts'
import {
  place,
  recoveries,
  reviewed,
  say,
  scene,
  verdict,
  type Scene,
} from '../../support/scene.ts'

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
