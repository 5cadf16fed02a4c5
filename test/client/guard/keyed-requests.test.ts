// A request under a key of the caller's own is one intent, in every process and after its verdict.
import { expect, test } from 'vitest'
import { connect } from '#client/connect'
import { Pending } from '#client/pending'
import { answer, another, deletion, erase, expectReplay, look } from '../../support/scene.ts'
import { names, scene, type SceneSetup } from '../../support/scene.ts'

const setup: SceneSetup = {
  catalog: { capabilities: [look, erase], principals: [{ id: 'user' }] },
  graph: deletion({ name: 'ask' }),
}
const of = { key: 'call-1' }

test('asked again after its verdict, in another process too, it is the same intent', async () => {
  const on = await scene(setup)
  const first = await on.bot.ask({ tool: 'look', args: { n: 1 } }, of)
  const again = await on.bot.ask({ tool: 'look', args: { n: 1 } }, of)
  const { bot } = await another(on)
  const elsewhere = await bot.ask({ tool: 'look', args: { n: 1 } }, of)
  expect([again.intent, elsewhere.intent]).toEqual([first.intent, first.intent])
  expect(await names(on.log, 'main.1.vlp.>')).toEqual([`main.1.vlp.${first.intent}`])
  await expectReplay(on)
})

test('what people agreed to is found under it, and not asked about again', async () => {
  const on = await scene(setup)
  const ask = () => on.bot.ask({ tool: 'erase' }, { ...of, onReview: () => false })
  const pending = await ask().catch((error: unknown) => error)
  if (!(pending instanceof Pending)) throw pending
  await answer(on, pending.intent)
  expect(await ask()).toMatchObject({ outcome: 'allow', intent: pending.intent })
  expect(await names(on.log, 'main.1.review.>')).toHaveLength(1)
})

test('under another key, in another session or without one, it is another', async () => {
  const on = await scene(setup)
  const session = on.bot.session()
  const intents = []
  for (const asked of [of, { key: 'call-2' }, { ...of, session }, {}, {}]) {
    intents.push((await on.bot.ask({ tool: 'look' }, asked)).intent)
  }
  expect(new Set(intents).size).toBe(5)
})

test('another tool or other arguments under it are refused, and open nothing', async () => {
  const on = await scene(setup)
  await on.bot.ask({ tool: 'look', args: { n: 1 } }, of)
  for (const other of [
    { tool: 'look', args: { n: 2 } },
    { tool: 'erase', args: { n: 1 } },
  ]) {
    await expect(on.bot.ask(other, of)).rejects.toMatchObject({ code: 'request_differs' })
  }
  expect(await names(on.log, 'main.1.vlp.>')).toHaveLength(1)
})

test('a guarded function runs once under it', async () => {
  const on = await scene(setup)
  let runs = 0
  const guarded = on.bot.guard('look', () => (runs += 1))
  await guarded({}, of)
  await expect(guarded({}, of)).rejects.toMatchObject({ code: 'warrant_used' })
  expect(runs).toBe(1)
})

test('asked twice at the same time it is one intent', async () => {
  const on = await scene(setup)
  const { bot } = await another(on)
  const asked = [on.bot, bot, on.bot].map((one) => one.ask({ tool: 'look' }, of))
  const intents = (await Promise.all(asked)).map(({ intent }) => intent)
  expect(new Set(intents).size).toBe(1)
})

test('what a sender repeats under it is there once', async () => {
  const on = await scene(setup)
  const session = on.bot.session()
  const user = await connect({ as: 'user', runtime: on.runtime })
  const to = { session: user.session(session.id), receiver: 'bot', key: 'words-1' }
  const { name } = await user.say('delete it', to)
  expect(await user.say('delete it', to)).toMatchObject({ name, appended: false })
  await expect(user.say('keep it', to)).rejects.toMatchObject({ code: 'request_differs' })
  expect(await names(on.log, 'main.1.vlp.user.>')).toHaveLength(1)
})
