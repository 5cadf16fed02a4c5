// An open review: it outlives every process, ends in exactly one verdict, and is no one's work.
import { expect, test } from 'vitest'
import { stages } from '#workers/stages'
import {
  answer,
  another,
  codes,
  deletion,
  erase,
  expectReplay,
  names,
} from '../../support/scene.ts'
import { count } from '../../support/vitest/counts.ts'
import { recoveries, reviewed, say, scene, verdict } from '../../support/scene.ts'

const session = 'S-2026-01-01-bot-abcdef'
const setup = {
  catalog: {
    capabilities: [erase],
    groups: [{ id: 'desk', members: ['piet', 'quin'] }],
    confirmations: [{ id: 'four', tier: 'four_eyes' as const, sessionless: true, group: 'desk' }],
    limits: [{ capability: 'erase', uses: 2, windowMs: 60_000 }],
  },
  graph: deletion({ name: 'ask', confirmation: 'four' }),
}
const intent = { tool: 'erase' }

test('reviews outlive every restart, and need nothing but the log', async () => {
  const on = await scene(setup)
  const address = await reviewed(on, { session, intent })
  await on.runtime.stop()
  const second = await another(on)
  expect((await second.bot.reviews()).map(({ intent: about }) => about)).toEqual([address])
  await answer(second, address, { by: 'quin' })
  await verdict(second.log, address)
  await second.runtime.stop()
  const third = await another(on)
  expect(await third.bot.reviews()).toEqual([])
  expect(await verdict(third.log, address)).toMatchObject({
    outcome: 'allow',
    confirmedBy: ['quin'],
  })
  await expectReplay(third)
})

test('an answer that came while no one ran is found by the next who runs', async () => {
  const on = await scene(setup)
  const address = await reviewed(on, { session, intent })
  const person = await another(on, { stages: [] })
  await on.runtime.stop()
  await answer(person, address, { by: 'piet' })
  const later = await another(on)
  expect((await verdict(later.log, address)).outcome).toBe('allow')
})

test('an intent that is withdrawn is asked of no one any more', async () => {
  const on = await scene(setup)
  const address = await reviewed(on, { session, intent })
  await on.bot.withdraw(address, 'no longer needed')
  expect(recoveries(await verdict(on.log, address))).toEqual(['withdrawn never'])
  expect(await on.bot.reviews()).toEqual([])
  await expect(answer(on, address, { by: 'piet' })).rejects.toMatchObject({ code: 'no_review' })
  await expectReplay(on)
})

test('an intent that was withdrawn before anyone was asked is asked of no one', async () => {
  const on = await scene({ ...setup, stages: [] })
  const address = await say(on.log, { intent })
  await on.bot.withdraw(address)
  await another(on, { stages })
  expect(recoveries(await verdict(on.log, address))).toEqual(['withdrawn never'])
  expect(await names(on.log, 'main.1.review.>')).toEqual([])
})

test('a withdrawal and an answer at once come to exactly one verdict', async () => {
  const outcomes = new Set<string>()
  const on = await scene({ ...setup, catalog: { ...setup.catalog, limits: [] } })
  await another(on, { parts: { id: 'second' } })
  for (let n = 0; n < 8; n += 1) {
    const address = await reviewed(on, { session, intent })
    const acts = [on.bot.withdraw(address), answer(on, address, { by: 'piet' })]
    await Promise.all(n % 2 === 0 ? acts : acts.toReversed())
    const given = await verdict(on.log, address)
    outcomes.add(given.outcome === 'allow' ? 'allow' : codes(given).join())
  }
  expect(await names(on.log, 'main.1.verdict.>')).toHaveLength(8)
  for (const outcome of outcomes) expect(['allow', 'withdrawn']).toContain(outcome)
  await expectReplay(on)
})

test('workers that race an answer against its expiry come to exactly one verdict', async () => {
  const on = await scene(setup)
  const others = [
    await another(on, { parts: { id: 'b' } }),
    await another(on, { parts: { id: 'c' } }),
  ]
  const outcomes: string[] = []
  for (let n = 0; n < 10; n += 1) {
    const address = await reviewed(on, { session, intent })
    on.time.pass(900_000)
    // At the last moment: half of the workers wake up to expire what the others release.
    const answering = answer(others[n % 2] ?? on, address, { by: 'piet' })
    on.time.pass(1)
    await answering
    const given = await verdict(on.log, address)
    outcomes.push(given.outcome)
    on.time.pass(60_000)
  }
  expect(await names(on.log, 'main.1.verdict.>')).toHaveLength(10)
  expect(outcomes).toHaveLength(10)
  await expectReplay(on)
})

const reviewsMax = count(10_000, 800)

test(`${reviewsMax} open reviews are no one’s work, and a fresh intent is judged as ever`, async () => {
  const limits = [{ safetyClass: 'READ' as const, uses: 'unlimited' as const, windowMs: 1 }]
  const graph = deletion({ name: 'ask', confirmation: 'four' })
  const ids = Array.from({ length: 40 }, (_, n) => `agent${n}`)
  const principals = ids.map((id) => ({ id, owner: 'olga' }))
  const on = await scene({ catalog: { ...setup.catalog, limits, principals }, graph })
  const open: string[] = []
  for (const as of ids) {
    const said = Array.from({ length: reviewsMax / ids.length }, () => say(on.log, { as, intent }))
    open.push(...(await Promise.all(said)))
    await on.watch.settled(on.log)
  }
  await on.runtime.follower.reached((await on.log.head()).position)
  expect(await on.bot.reviews()).toHaveLength(reviewsMax)
  expect(await on.watch.outstanding(on.log)).toBe(false)
  const fresh = await say(on.log, { intent: { tool: 'fly' } })
  expect(codes(await verdict(on.log, fresh))).toEqual(['unknown_capability'])
  const middle = open[reviewsMax / 2] ?? ''
  await answer(on, middle, { by: 'piet' })
  expect((await verdict(on.log, middle)).outcome).toBe('allow')
  expect(await on.bot.reviews()).toHaveLength(reviewsMax - 1)
})
