// Whom each sees, what stops an agent, and where a block does.
import { expect, test } from 'vitest'
import { cellOf } from '#rules/catalog/cells'
import { realmOfCell } from '#record/names'
import { logDeciding } from '#operations/agents/standings'
import { lift } from '#client/people/reinstate'
import { changeCatalog, keys } from '../support/runtime.ts'
import { look, say, scene } from '../support/scene.ts'
import { asked } from './asking.ts'

const session = 'S-2026-01-01-bot-abcdef'
const setup = {
  catalog: {
    capabilities: [look],
    principals: [{ id: 'guard' }, { id: 'two', owner: 'quin', attributes: { desk: 'b' } }],
    groups: [{ id: 'fleet', members: ['bot', 'two'] }],
    trustedEvidence: [{ sender: 'guard', for: ['*'] }],
  },
}

const own = (principal: string) => ({ principal, readsAll: false })

test('each sees themselves and their own agents, agents first; who reads all, everyone', async () => {
  const { runtime } = await scene(setup)
  const seen = async (by?: string, given: object = {}) => {
    const { rows } = await asked(runtime, 'agents', given, by === undefined ? undefined : own(by))
    return rows.map(({ agent }) => agent)
  }
  expect(await seen()).toEqual(['bot', 'two', 'guard', 'honest', 'olga', 'piet', 'quin', 'root'])
  expect(await seen('olga')).toEqual(['bot', 'olga'])
  expect(await seen('bot')).toEqual(['bot'])
  expect(await seen('unknown')).toEqual([])
  expect(await seen(undefined, { search: 'QUIN' })).toEqual(['two', 'quin'])
  const two = await asked(runtime, 'agent', { agent: 'two' }, own('quin'))
  expect(two).toMatchObject({
    agent: { agent: 'two', owner: 'quin', groups: ['fleet'], level: null },
    attributes: { desk: 'b' },
    standing: null,
  })
  expect((await asked(runtime, 'agent', { agent: 'quin' })).owns).toEqual(['two'])
  const refused = asked(runtime, 'agent', { agent: 'two' }, own('olga'))
  await expect(refused).rejects.toMatchObject({ code: 'unknown_principal' })
})

test('what stops an agent is listed with where it does, until it is lifted', async () => {
  const { runtime, log } = await scene(setup)
  const read = async () => runtime.follower.reached((await log.head()).position)
  const stopped = async () => {
    await read()
    const { rows } = await asked(runtime, 'agents', { stopped: true })
    return rows.map(({ agent, suspended, blocked }) => [agent, suspended, blocked])
  }
  const block = { type: 'notice', content: 'stop', safety: { level: 'block', issues: [] } }
  const blocks = (receiver: object) => {
    return say(log, { as: 'guard', session, message: { ...block, ...receiver } })
  }
  expect(await stopped()).toEqual([])
  // Without a receiver it stops who speaks in the session, and its own sender.
  await blocks({ receiver: undefined })
  expect(await stopped()).toEqual([['guard', false, true]])
  await blocks({ receiver: 'fleet' })
  await blocks({})
  await changeCatalog(runtime, { op: 'suspend', id: 'two' })
  expect(await stopped()).toEqual([
    ['bot', false, true],
    ['two', true, true],
    ['guard', false, true],
  ])
  const where = async (agent: string) => {
    const { blocks: all } = await asked(runtime, 'agent', { agent })
    return all.map(({ sender, group, session: in_ }) => [sender, group, in_ !== null])
  }
  const everywhere = [
    ['guard', 'fleet', false],
    ['guard', null, true],
  ]
  expect(await where('bot')).toEqual([['guard', null, false], ...everywhere])
  expect(await where('two')).toEqual(everywhere)
  await lift(runtime, { agent: 'bot', by: 'olga', privateKey: keys.olga })
  await read()
  expect(await where('bot')).toEqual([])
})

test('of an agent that has moved the log of its cell decides, whatever the one it left has', async () => {
  const { runtime } = await scene(setup)
  const { state } = runtime.follower
  const catalog = { ...state.catalog, cells: 8 }
  const logs = Array.from({ length: 8 }, (_, index) => {
    return {
      state: { ...state, catalog, place: { realm: realmOfCell({ of: 'main', index }), era: 1 } },
    }
  })
  for (const id of catalog.principals.keys()) {
    expect(logDeciding(logs, id)).toBe(logs[cellOf(catalog, id) ?? -1])
  }
  expect(logDeciding(logs, 'unknown')).toBeUndefined()
})
