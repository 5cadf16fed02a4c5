// Anyone who may bind a name may bind anything under it. It costs that name, and stops no one.
import { expect, test } from 'vitest'
import { nameOf } from '#record/names'
import {
  anyArgs,
  answer,
  deletion,
  erase,
  expectAlive,
  judged,
  look,
  names,
} from '../support/scene.ts'
import { place, reason, replayed, reviewed, say, scene, verdict } from '../support/scene.ts'
import type { SceneSetup } from '../support/scene.ts'

const write = { id: 'write', safetyClass: 'WRITE' as const, argsSchema: anyArgs }
const setup: SceneSetup = {
  catalog: { capabilities: [look, erase, write] },
  graph: deletion({ name: 'ask' }),
}

test('facts of kinds and names that no one knows are stepped over', async () => {
  const on = await scene(setup)
  for (const name of [
    'main.1.verdict.x',
    'main.1.plan.a.b.c',
    'main.1.vlp.bot',
    'main.1.grounding.bot.-.u1',
    'main.1.checkpoint.1',
    'main.1.proposal.x',
    'main.1.outcome.bot.-.u1',
    'main.2.verdict.bot.-.u1',
    'other.1.vlp.bot.-.u1',
    '_._._',
    'main.1.rate.bot.look.x',
    'main.1.fault.policy.1',
  ]) {
    await on.log.append({ name, bytes: Buffer.from('junk') })
  }
  expect((await judged(on, { intent: { tool: 'look' } })).outcome).toBe('allow')
  await on.watch.settled(on.log)
  // One takes the place of a use, and one that of a proposal: nothing derives them.
  const { differences, first } = await replayed(on)
  expect({ differences, name: first?.name }).toEqual({
    differences: 2,
    name: 'main.1.proposal.x',
  })
})

const deepJunk = `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
const used = ['grounding', 'review', 'verdict', 'hold', 'rate'] as const

test.each(used)(
  'junk under the %s of an intent costs that intent, and no one else',
  async (kind) => {
    const on = await scene({ ...setup, stages: [] })
    const ulid = 'victim'
    const victim = `bot.-.${ulid}`
    const tokens = {
      grounding: `${victim}.1`,
      hold: `${victim}.1`,
      rate: 'bot.erase.1',
      review: victim,
      verdict: victim,
    }
    const name = nameOf(place, kind, tokens[kind])
    await say(on.log, { ulid, intent: { tool: 'erase' } })
    await on.log.append({ name, bytes: Buffer.from(deepJunk) })
    const live = await scene({ ...setup, catalog: { capabilities: [look, erase] } }, on)
    await live.watch.settled(live.log)
    expect((await judged(live, { as: 'honest', intent: { tool: 'look' } })).outcome).toBe('allow')
    const other = await reviewed(live, { intent: { tool: 'erase' } })
    await answer(live, other)
    expect((await verdict(live.log, other)).outcome).toBe('allow')
  },
)

test('an agent that withdraws in a hundred thousand levels does not stop the fold', async () => {
  const on = await scene(setup)
  const address = await reviewed(on, { intent: { tool: 'erase' } })
  for (const name of [`withdrawal.${address}`, `decision.${address}.1.bot`]) {
    await on.log.append({ name: `main.1.${name}`, bytes: Buffer.from(deepJunk) })
  }
  await answer(on, address)
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  await expectAlive(on)
})

test('a note and a reason that JSON cannot hold are refused before they are bound', async () => {
  const on = await scene(setup)
  const address = await reviewed(on, { intent: { tool: 'write' } })
  await expect(answer(on, address, { note: `${reason} \ud800` })).rejects.toThrow()
  expect(await names(on.log, 'main.1.decision.>')).toEqual([])
  await answer(on, address, { note: reason })
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  await expectAlive(on)
})
