// Who may rule on a gap: never an agent that has met it, first or later, waiting or denied, and the
// owner of such an agent only where no one else may.
import { describe, expect, test } from 'vitest'
import { nameOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import type { CatalogOperation } from '#schemas/catalog'
import { folded, learnable, proposed, read, ruled, teach } from '../../support/learning-scene.ts'
import { changeCatalog, keys, newKey } from '../../support/runtime.ts'
import {
  expectReplay,
  judged,
  names,
  place,
  say,
  scene,
  verdict,
  type Scene,
} from '../../support/scene.ts'

const moon = { tool: 'look', concepts: ['moon'], onGap: 'learn' }

/** Who may rule from then on, with that key. */
function curator(id: string, key: string, owner?: string): CatalogOperation {
  const entry = { id, roles: ['curator'], attributes: {}, keys: [publicKeyOf(key)] }
  const owned = owner === undefined ? {} : { owner }
  return { op: 'put', collection: 'principals', entry: { ...entry, suspended: false, ...owned } }
}

async function teachAs(on: Scene, confirmer: string, privateKey: string): Promise<void> {
  await teach(on, await proposed(on), { confirmer, privateKey })
}

async function metBy(on: Scene, count: number): Promise<readonly string[]> {
  const { id } = await proposed(on)
  const met = () => on.runtime.follower.state.learning.open.get(id)?.met ?? []
  await folded(on, () => met().length >= count)
  return met().map(({ agent }) => agent)
}

describe('an agent that may rule', () => {
  test('does not rule on what it met second, waiting', async () => {
    const on = await scene(learnable)
    const own = newKey()
    await changeCatalog(on.runtime, curator('cur', own))
    await say(on.log, { as: 'honest', intent: moon })
    await proposed(on)
    const address = await say(on.log, { as: 'cur', intent: moon, privateKey: own })
    expect(await metBy(on, 2)).toEqual(['honest', 'cur'])
    await expect(teachAs(on, 'cur', own)).rejects.toThrow('met_the_gap')
    await teachAs(on, 'root', keys.root)
    expect((await verdict(on.log, address)).outcome).toBe('allow')
    await expectReplay(on)
  })

  test('does not rule on what it met second, denied', async () => {
    const on = await scene(learnable)
    const own = newKey()
    await changeCatalog(on.runtime, curator('cur', own))
    await say(on.log, { as: 'honest', intent: moon })
    await proposed(on)
    const intent = { tool: 'look', concepts: ['moon'] }
    expect((await judged(on, { as: 'cur', intent, privateKey: own })).outcome).toBe('deny')
    expect(await metBy(on, 2)).toEqual(['honest', 'cur'])
    await expect(teachAs(on, 'cur', own)).rejects.toThrow('met_the_gap')
    await expectReplay(on)
  })

  test('does not rule on what it met in an earlier round', async () => {
    const on = await scene(learnable)
    const own = newKey()
    await changeCatalog(on.runtime, curator('cur', own))
    await judged(on, { as: 'cur', intent: { tool: 'look', concepts: ['moon'] }, privateKey: own })
    await ruled(on, (await proposed(on)).id, { ruling: 'skipped' })
    on.time.pass(3_600_000)
    await say(on.log, { as: 'honest', intent: moon })
    expect((await proposed(on)).data.round).toBe(2)
    expect(await metBy(on, 2)).toEqual(['honest', 'cur'])
    await expect(teachAs(on, 'cur', own)).rejects.toThrow('met_the_gap')
    await expectReplay(on)
  })

  test('rules on what only others met', async () => {
    const on = await scene(learnable)
    const own = newKey()
    await changeCatalog(on.runtime, curator('cur', own))
    const address = await say(on.log, { as: 'honest', intent: moon })
    await teachAs(on, 'cur', own)
    expect((await verdict(on.log, address)).outcome).toBe('allow')
    await expectReplay(on)
  })
})

describe('the owner of an agent that met the gap', () => {
  test('does not rule where someone else may', async () => {
    const on = await scene(learnable)
    await changeCatalog(on.runtime, curator('olga', keys.olga))
    await say(on.log, { intent: moon })
    await expect(teachAs(on, 'olga', keys.olga)).rejects.toThrow('others_may_rule')
    // Nor does it help to give the agent away.
    const entry = { id: 'bot', roles: ['writer'], attributes: {}, keys: [], suspended: false }
    await changeCatalog(on.runtime, { op: 'put', collection: 'principals', entry })
    await expect(teachAs(on, 'olga', keys.olga)).rejects.toThrow('others_may_rule')
    await expectReplay(on)
  })

  test('rules where no one else may, and that is on the record', async () => {
    const on = await scene(learnable)
    const agents = ['mine', 'yours'].map((id) => ({
      id,
      roles: id === 'mine' ? ['writer'] : ['curator'],
      attributes: {},
      keys: id === 'mine' ? [] : [publicKeyOf(newKey())],
      suspended: false,
      owner: 'root',
    }))
    for (const entry of agents) {
      await changeCatalog(on.runtime, { op: 'put', collection: 'principals', entry })
    }
    const address = await say(on.log, { as: 'mine', intent: moon })
    // The other curator is an agent, and of the same owner: no person.
    await teachAs(on, 'root', keys.root)
    expect((await verdict(on.log, address)).outcome).toBe('allow')
    const [name = ''] = await names(on.log, 'main.1.ruling.>')
    expect(await read(on, 'ruling', name)).toMatchObject({ byOwner: true })
    await expectReplay(on)
  })
})

describe('a question that was closed', () => {
  test('is asked again once a person reopens it, and who met it may still not rule', async () => {
    const on = await scene(learnable)
    const own = newKey()
    await changeCatalog(on.runtime, curator('bot', own))
    await judged(on, { as: 'bot', intent: { tool: 'look', concepts: ['moon'] }, privateKey: own })
    const { id } = await proposed(on)
    await expect(on.bot.reopen({ proposal: id, ...asRoot })).rejects.toThrow('neither rejected')
    await ruled(on, id, { ruling: 'rejected' })
    const byBot = { proposal: id, confirmer: 'bot', privateKey: own }
    await expect(on.bot.reopen(byBot)).rejects.toThrow('met_the_gap')
    await on.bot.reopen({ proposal: id, note: 'we know better by now', ...asRoot })
    const again = await proposed(on)
    expect(again.data).toMatchObject({
      round: 2,
      from: { name: nameOf(place, 'reopening', id, 'root') },
    })
    await expect(teachAs(on, 'bot', own)).rejects.toThrow('met_the_gap')
    await teachAs(on, 'root', keys.root)
    const address = await say(on.log, { as: 'honest', intent: moon })
    expect((await verdict(on.log, address)).outcome).toBe('allow')
    await expectReplay(on)
  })
})

const asRoot = { confirmer: 'root', privateKey: keys.root }
