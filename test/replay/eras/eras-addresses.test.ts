// An address is good for one message, whichever era it comes in: a second one opens nothing, gets
// no verdict, and is seen.
import { describe, expect, test } from 'vitest'
import { newMetrics } from '#health/metrics'
import { rotate } from '#replay/eras/rotate'
import { voidCount, voidFinding } from '#cli/run/doctor/of-runtime'
import { stages } from '#workers/stages'
import { calm, root, sayIn, settled, turned, twoOfDesk } from './parts/live.ts'
import {
  another,
  answer,
  expectReplay,
  judged,
  names,
  replayed,
  reviewed,
  scene,
  type Scene,
} from '../../support/scene.ts'

const intent = { tool: 'look' }
const moon = { ...intent, concepts: ['moon'] }

test('a message at the address of an intent that got its verdict opens nothing', async () => {
  const on = await scene(twoOfDesk)
  const denied = await judged(on, { intent: moon, ulid: 'old' })
  expect(denied.outcome).toBe('deny')
  for (const era of [2, 3]) {
    await turned(on)
    const address = await sayIn(on.log, { era, ulid: 'old', intent })
    expect(address).toBe(denied.intent)
    await calm(on)
    expect(await names(on.log, `main.${era}.verdict.>`)).toEqual([])
    expect(on.runtime.follower.state.intents.size).toBe(0)
    // Anyone who asks for the verdict of that address gets the one that there is.
    expect(await on.bot.verdict(address)).toEqual(denied)
  }
  const [name = ''] = await names(on.log, 'main.2.grounding.>')
  const grounding = await on.log.get(name)
  expect(Buffer.from(grounding?.bytes ?? []).toString()).toContain(
    '"earlier":"main.1.vlp.bot.-.old"',
  )
  await expectReplay(on)
})

/** Runs stages on the log until `done` holds, and stops them. */
async function working(on: Scene, done: (worker: Scene) => Promise<unknown>): Promise<void> {
  const worker = await another(on, { stages })
  await done(worker)
  await calm(worker)
  await worker.runtime.stop()
}

test('nor does it if an era was rotated again before a stage looked at it', async () => {
  const on = await scene({ ...twoOfDesk, stages: [] })
  const address = await sayIn(on.log, { era: 1, ulid: 'old', intent: moon })
  await working(on, ({ bot }) => bot.verdict(address))
  await settled(on)
  await rotate(on.runtime, root, null)
  await sayIn(on.log, { era: 2, ulid: 'old', intent })
  await settled(on)
  await rotate(on.runtime, root, null)
  await working(on, ({ watch, log }) => watch.settled(log))
  await settled(on)
  expect(await names(on.log, 'main.*.verdict.>')).toEqual([`main.1.verdict.${address}`])
  expect(await names(on.log, 'main.3.grounding.>')).toEqual([`main.3.grounding.${address}.1`])
  expect(on.runtime.follower.state.intents.size).toBe(0)
  await expectReplay(on)
})

test('nor does it where the intent before was grounded in the same era', async () => {
  const on = await scene({ ...twoOfDesk, stages: [] })
  const address = await sayIn(on.log, { era: 1, ulid: 'old', intent })
  await settled(on)
  await rotate(on.runtime, root, null)
  await working(on, async ({ bot, log, watch }) => {
    expect((await bot.verdict(address)).name).toBe(`main.2.verdict.${address}`)
    await sayIn(log, { era: 2, ulid: 'old', intent: moon })
    await watch.settled(log)
  })
  await settled(on)
  expect(on.runtime.follower.state.intents.size).toBe(0)
  expect(await names(on.log, 'main.*.fault.>')).toEqual([])
  expect(await names(on.log, 'main.*.verdict.>')).toEqual([`main.2.verdict.${address}`])
  const groundings = await names(on.log, 'main.2.grounding.>')
  expect(groundings).toEqual([1, 2].map((attempt) => `main.2.grounding.${address}.${attempt}`))
  await expectReplay(on)
})

test('nor does one at the address of a message that asked for nothing', async () => {
  const on = await scene(twoOfDesk)
  await sayIn(on.log, { era: 1, ulid: 'said', type: 'claim' })
  await turned(on)
  await sayIn(on.log, { era: 2, ulid: 'said', intent })
  await calm(on)
  expect(await names(on.log, 'main.*.verdict.>')).toEqual([])
  expect(on.runtime.follower.state.intents.size).toBe(0)
  await expectReplay(on)
})

test('a message at the address of an intent that is open does not take its place', async () => {
  const on = await scene(twoOfDesk)
  const address = await reviewed(on, { intent: { tool: 'erase' }, ulid: 'open' })
  await turned(on)
  const before = on.runtime.follower.state.intents.get(address)
  await sayIn(on.log, { era: 2, ulid: 'open', intent })
  await calm(on)
  expect(on.runtime.follower.state.intents.get(address)).toBe(before)
  expect(await names(on.log, 'main.2.grounding.>')).toEqual([])
  for (const by of ['piet', 'quin'] as const) await answer(on, address, { by })
  expect((await on.bot.verdict(address)).confirmedBy).toEqual(['piet', 'quin'])
  await expectReplay(on)
})

describe('a message that opens nothing', () => {
  const why = 'its address was used before its era'

  test('is counted with what counts for nothing, wherever that is counted', async () => {
    const metrics = newMetrics()
    const on = await scene({ ...twoOfDesk, parts: { observe: [metrics.observe] } })
    const { intent: address } = await judged(on, { intent: moon, ulid: 'old' })
    await turned(on)
    const counting = voidCount('main')
    on.runtime.follower.listen(counting.count)
    await sayIn(on.log, { era: 2, ulid: 'old', intent })
    await calm(on)
    const name = `main.2.vlp.${address}`
    const found = { name, position: (await on.log.get(name))?.position, why }
    expect(await replayed(on)).toMatchObject({ voidCount: 1, voids: [found], open: 0 })
    expect(voidFinding(counting.read())).toMatchObject({ status: 'warning', about: name })
    expect(await metrics.text()).toContain('warrant_void_facts_total{kind="vlp"} 1')
    expect(
      (await on.bot.read('trace', { intent: address })).steps.map((step) => step.name),
    ).toContain(name)
  })

  test('is reported at once to a client that waits for its verdict, where there is none', async () => {
    const on = await scene({ ...twoOfDesk, stages: [] })
    await sayIn(on.log, { era: 1, ulid: 'said', type: 'claim' })
    await settled(on)
    await rotate(on.runtime, root, null)
    const address = await sayIn(on.log, { era: 2, ulid: 'said', intent })
    await settled(on)
    const early = on.bot.verdict(address)
    const refused = expect(early).rejects.toMatchObject({ code: 'address_used', retry: 'never' })
    await working(on, ({ watch, log }) => watch.settled(log))
    await refused
    await expect(on.bot.verdict(address)).rejects.toThrow(`main.1.vlp.${address}`)
    await rotate(on.runtime, root, null)
    await expect(on.bot.verdict(address)).rejects.toMatchObject({ code: 'address_used' })
  })
})
