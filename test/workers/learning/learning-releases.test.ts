// What a ruling releases: what a person saw of it goes on, and what changes something and no one
// saw is asked about.
import { describe, expect, test } from 'vitest'
import { publicKeyOf } from '#record/crypto/private-key'
import { stages } from '#workers/stages'
import { folded, learnable, moonKnown, proposed, teach } from '../../support/learning-scene.ts'
import { changeCatalog, changeGraph, keys, newKey } from '../../support/runtime.ts'
import { another, anyArgs, bound, expectReplay, place, say, scene } from '../../support/scene.ts'
import { verdict, type Scene } from '../../support/scene.ts'
import { nameOf } from '#record/names'

const wipe = {
  id: 'wipe',
  safetyClass: 'DESTRUCTIVE' as const,
  argsSchema: anyArgs,
  concepts: ['moon'],
}
const setup = {
  ...learnable,
  catalog: {
    ...learnable.catalog,
    capabilities: [...learnable.catalog.capabilities, wipe],
    principals: [{ id: 'adm', roles: ['writer', 'admin'], owner: 'olga' }],
  },
}
const justification = 'the tenant asked for it'
const wiping = { tool: 'wipe', args: { all: true }, onGap: 'learn', justification }
const looking = { tool: 'look', concepts: ['moon'], onGap: 'learn' }

/** A harmless call met the gap first, and one that is not waits for the same. */
async function waiting(on: Scene) {
  const read = await say(on.log, { intent: looking })
  const proposal = await proposed(on)
  const write = await say(on.log, { as: 'adm', intent: wiping })
  await bound(on.log, nameOf(place, 'hold', write, 1))
  return { read, write, proposal }
}

async function questionsOf(on: Scene, address: string): Promise<readonly string[]> {
  const { intents } = on.runtime.follower.state
  await folded(on, () => intents.get(address)?.review !== null)
  const open = (await on.bot.reviews()).find(({ intent }) => intent === address)
  return open?.review.questions.map(({ kind }) => kind) ?? []
}

describe('a held call that changes something', () => {
  test('goes on where a person saw its tool, class and arguments', async () => {
    const on = await scene(setup)
    const { read, write, proposal } = await waiting(on)
    const releases = await on.bot.held(proposal.id)
    expect(releases).toMatchObject([
      { intent: write, tool: 'wipe', safetyClass: 'DESTRUCTIVE', args: { all: true } },
      { intent: read, tool: 'look', safetyClass: 'READ' },
    ])
    // As they are shown: a program gives to `rule` what `held` gave.
    await teach(on, proposal, { releases })
    expect((await verdict(on.log, read)).outcome).toBe('allow')
    expect((await verdict(on.log, write)).outcome).toBe('allow')
    await expectReplay(on)
  })

  test.each([
    ['listed only what is harmless', (digest: string) => [{ intent: 'read', digest }]],
    ['listed nothing', () => []],
    ['saw something else', (digest: string) => [{ intent: 'write', digest }]],
  ])('is asked about where the ruling %s', async (_, listed) => {
    const on = await scene(setup)
    const { read, write, proposal } = await waiting(on)
    const [, harmless] = await on.bot.held(proposal.id)
    const named = { read, write }
    const releases = listed(harmless?.digest ?? '').map(({ intent, digest }) => {
      return { intent: intent === 'read' ? named.read : named.write, digest }
    })
    await teach(on, proposal, { releases })
    expect((await verdict(on.log, read)).outcome).toBe('allow')
    expect(await questionsOf(on, write)).toEqual(['released'])
    const decision = { intent: write, answers: [true], confirmer: 'olga', privateKey: keys.olga }
    await on.bot.decide(decision)
    expect((await verdict(on.log, write)).outcome).toBe('allow')
    await expectReplay(on)
  })

  test('is asked about where its class is another by then', async () => {
    const on = await scene(setup)
    const { write, proposal } = await waiting(on)
    const releases = await on.bot.held(proposal.id)
    const entry = { ...wipe, safetyClass: 'WRITE' as const }
    await changeCatalog(on.runtime, putCapability(entry))
    await teach(on, proposal, {
      releases: releases.map(({ intent, digest }) => ({ intent, digest })),
    })
    expect(await questionsOf(on, write)).toEqual(['released'])
    await expectReplay(on)
  })

  test('is asked about where someone else made it known', async () => {
    const on = await scene(setup)
    const { write } = await waiting(on)
    await changeGraph(on.runtime, ...moonKnown)
    expect(await questionsOf(on, write)).toEqual(['released'])
    await expectReplay(on)
  })

  test('is asked about where its arguments are too large to be shown', async () => {
    const on = await scene(setup)
    await say(on.log, { intent: looking })
    const proposal = await proposed(on)
    const args = { text: 'x'.repeat(5_000) }
    const write = await say(on.log, { as: 'adm', intent: { ...wiping, args } })
    await bound(on.log, nameOf(place, 'hold', write, 1))
    const releases = await on.bot.held(proposal.id)
    expect(releases.map(({ tool }) => tool)).toEqual(['look'])
    await teach(on, proposal, {
      releases: releases.map(({ intent, digest }) => ({ intent, digest })),
    })
    expect(await questionsOf(on, write)).toEqual(['released'])
  })

  test('of the very agent that rules is not seen by ruling', async () => {
    const on = await scene({ ...setup, stages: [] })
    const own = newKey()
    const curator = {
      id: 'cur',
      roles: ['curator', 'writer', 'admin'],
      attributes: {},
      suspended: false,
    }
    const entry = { ...curator, keys: [publicKeyOf(own)], owner: 'olga' }
    await changeCatalog(on.runtime, { op: 'put', collection: 'principals', entry })
    const first = await another(on, { stages })
    const { proposal } = await waiting(first)
    await first.runtime.stop()
    // No one runs who could note that this agent has met it too.
    const without = await another(on, { stages: stages.filter(({ name }) => name !== 'learning') })
    const address = await say(on.log, { as: 'cur', intent: wiping, privateKey: own })
    await bound(on.log, nameOf(place, 'hold', address, 1))
    await without.runtime.follower.reached((await on.log.head()).position)
    const releases = (await without.bot.held(proposal.id)).filter(
      ({ intent }) => intent === address,
    )
    expect(releases).toHaveLength(1)
    await teach(without, proposal, {
      releases: releases.map(({ intent, digest }) => ({ intent, digest })),
      confirmer: 'cur',
      privateKey: own,
    })
    const next = await another(on, { stages })
    expect(await questionsOf(next, address)).toEqual(['released'])
    await expectReplay(next)
  })
})

function putCapability(entry: Omit<typeof wipe, 'safetyClass'> & { safetyClass: 'WRITE' }) {
  const rest = { description: '', sensitivity: 'NONE' as const, allowedFields: [], tags: [] }
  return {
    op: 'put' as const,
    collection: 'capabilities' as const,
    entry: { ...entry, ...rest },
  }
}
