// What someone can try who may bind any name of the log: say again what an era has, rotate an era
// that is not theirs to rotate, or bring one to a stop.
import { expect, test } from 'vitest'
import { writeSnapshot } from '#state/eras/genesis'
import { change } from '#authoring/change'
import { rotate } from '#replay/eras/rotate'
import { provingOn } from '#replay/verdicts/proving'
import { stages } from '#workers/stages'
import {
  calm,
  guardGiven,
  judgedNow,
  root,
  sayIn,
  settled,
  turned,
  twoOfDesk,
} from './parts/live.ts'
import { keys } from '../../support/runtime.ts'
import {
  answer,
  bind,
  expectReplay,
  judged,
  names,
  replayed,
  reviewed,
} from '../../support/scene.ts'
import { scene } from '../../support/scene.ts'

const intent = { tool: 'look' }
const moon = { ...intent, concepts: ['moon'] }

test('no one answers a review once in each era, to count as two', async () => {
  const on = await scene(twoOfDesk)
  const address = await reviewed(on, { intent: { tool: 'erase' } })
  await answer(on, address, { by: 'piet' })
  const [open] = await on.bot.reviews()
  const review = open?.review
  await turned(on)
  await expect(answer(on, address, { by: 'piet' })).rejects.toMatchObject({ code: 'decided' })
  const { digest, questions, intent: about } = review ?? { questions: [] }
  const content = {
    answers: questions.map(() => true),
    confirmer: 'piet',
    digest,
    intent: about,
    review: open?.name,
  }
  await bind(on.log, 'decision', `main.2.decision.${address}.1.piet`, content, keys.piet)
  await calm(on)
  expect(await names(on.log, 'main.*.verdict.>')).toEqual([])
  await answer(on, address, { by: 'quin' })
  expect((await on.bot.verdict(address)).confirmedBy).toEqual(['piet', 'quin'])
  await expectReplay(on)
})

test('no one replaces a review, a grounding or a hold that an intent brought with it', async () => {
  const on = await scene(twoOfDesk)
  const address = await reviewed(on, { intent: { tool: 'erase' } })
  await turned(on)
  const before = on.runtime.follower.state.intents.get(address)
  for (const [kind, rest] of [
    ['review', '.1'],
    ['grounding', '.1'],
  ] as const) {
    const old = await on.log.get(`main.1.${kind}.${address}${rest}`)
    const name = `main.2.${kind}.${address}${rest}`
    const bytes = Buffer.from(old?.bytes ?? [])
      .toString()
      .replaceAll('main.1.', 'main.2.')
    await on.log.append({ name, bytes: Buffer.from(bytes) })
  }
  await calm(on)
  expect(on.runtime.follower.state.intents.get(address)).toBe(before)
  expect((await replayed(on)).differences).toBe(2)
})

test('a warrant is used once, whichever era it is used in', async () => {
  const on = await scene(twoOfDesk)
  const runs: unknown[] = []
  const proving = provingOn(on.runtime, stages, 'bot')
  const verdict = await judged(on, { intent, ulid: 'once' })
  await bind(on.log, 'ownstart', `main.1.ownstart.${verdict.intent}`, {
    intent: { address: verdict.intent, agent: 'bot', session: null },
    verdict: verdict.name,
  })
  await turned(on)
  const guarded = guardGiven(on, verdict, { proving, run: (args) => runs.push(args) })
  await expect(guarded({})).rejects.toMatchObject({ code: 'warrant_used' })
  expect(runs).toEqual([])
  expect(await names(on.log, 'main.2.ownstart.>')).toEqual([])
})

test('a warrant of the era before is used in the next, once', async () => {
  const on = await scene(twoOfDesk)
  const proving = provingOn(on.runtime, stages, 'bot')
  const verdict = await judged(on, { intent, ulid: 'later' })
  await turned(on)
  const runs: unknown[] = []
  const guarded = guardGiven(on, verdict, { proving, run: (args) => runs.push(args) })
  await guarded({})
  await expect(guarded({})).rejects.toMatchObject({ code: 'warrant_used' })
  expect(runs).toHaveLength(1)
  expect(await names(on.log, 'main.*.ownstart.>')).toEqual([`main.2.ownstart.${verdict.intent}`])
})

test('a verdict that is forged in the next era does not stand for the one that there is', async () => {
  const on = await scene(twoOfDesk)
  const denied = await judged(on, { intent: moon, ulid: 'old' })
  await turned(on)
  const old = await on.log.get(denied.name)
  const forged = Buffer.from(old?.bytes ?? [])
    .toString()
    .replaceAll('"deny"', '"allow"')
  const name = `main.2.verdict.${denied.intent}`
  await on.log.append({ name, bytes: Buffer.from(forged.replaceAll(denied.name, name)) })
  await calm(on)
  expect(await on.bot.verdict(denied.intent)).toEqual(denied)
  expect((await replayed(on)).first).toMatchObject({ kind: 'not_derived', name })
})

test('what is bound too late for an era or too early is void, and changes nothing', async () => {
  const on = await scene(twoOfDesk)
  await judged(on, { intent, ulid: 'a' })
  await sayIn(on.log, { era: 2, ulid: 'early', intent })
  await sayIn(on.log, { era: 3, ulid: 'early', intent })
  await turned(on)
  await sayIn(on.log, { era: 1, ulid: 'late', intent })
  await settled(on)
  expect(on.runtime.follower.state.intents.size).toBe(0)
  expect(await names(on.log, 'main.*.grounding.>')).toHaveLength(1)
  // Its name was used for nothing, so it may be bound for the first time in this era.
  const late = await judgedNow(on, { intent, ulid: 'late' })
  expect(late.name).toBe('main.2.verdict.bot.-.late')
  await rotate(on.runtime, root, null)
  await expectReplay(on)
})

test('a fact of a stage that was forged for an era to come is found', async () => {
  const on = await scene(twoOfDesk)
  const denied = await judged(on, { intent: moon, ulid: 'old' })
  const old = await on.log.get(denied.name)
  const name = `main.2.verdict.${denied.intent}`
  const forged = Buffer.from(old?.bytes ?? [])
    .toString()
    .replaceAll(denied.name, name)
  await on.log.append({ name, bytes: Buffer.from(forged) })
  expect((await replayed(on)).first).toMatchObject({ kind: 'not_derived', name })
})

test('no one adds to a session in an era that was sealed', async () => {
  const on = await scene(twoOfDesk)
  const session = 'S-2026-01-01-bot-abcdef'
  await turned(on)
  await sayIn(on.log, { era: 1, ulid: 'late', session, seq: 1, type: 'claim' })
  await sayIn(on.log, { era: 3, ulid: 'early', session, seq: 1, type: 'claim' })
  const { intent: address } = await judgedNow(on, { intent, ulid: 'a', session, seq: 1 })
  const grounding = await on.log.get(`main.2.grounding.${address}.1`)
  expect(Buffer.from(grounding?.bytes ?? []).toString()).toContain('"issues":[]')
})

test('names that were bound before their era are stepped over in its sequence', async () => {
  const on = await scene(twoOfDesk)
  await judged(on, { intent, ulid: 'a' })
  for (const name of [
    'main.2.snapshot.1',
    'main.2.snapshot.3',
    'main.2.graph.2',
    'main.2.graph.3',
    'main.2.rate.bot.look.2',
    'main.2.rate.bot.look.3',
    'main.3.snapshot.1',
    'main.3.snapshot.2',
    'main.3.graph.5',
  ]) {
    await on.log.append({ name, bytes: Buffer.from('junk') })
  }
  await turned(on)
  const add = (name: string) =>
    change(on.runtime, { kind: 'graph', operations: [{ op: 'add', name }] }, root)
  expect((await add('moon')).name).toBe('main.2.graph.4')
  expect((await judgedNow(on, { intent, ulid: 'b' })).outcome).toBe('allow')
  expect(await names(on.log, 'main.2.rate.bot.look.4')).toHaveLength(1)
  await turned(on)
  expect((await add('sun')).name).toBe('main.3.graph.6')
  expect((await replayed(on)).differences).toBe(0)
})

test('junk between the steps of a rotation wastes names, and the era is rotated all the same', async () => {
  const on = await scene(twoOfDesk)
  await judged(on, { intent, ulid: 'a' })
  let junk = 0
  const log = {
    ...on.log,
    append: async (entry: Parameters<typeof on.log.append>[0]) => {
      if (entry.name.includes('.snapshot.') && junk < 20) {
        junk += 1
        await on.log.append({ name: entry.name, bytes: Buffer.from('junk') })
      }
      return on.log.append(entry)
    },
  }
  const { sealed } = await rotate({ ...on.runtime, log }, root, null)
  expect(junk).toBe(20)
  expect(sealed.era).toBe(1)
  await settled(on)
  expect([...writeSnapshot(on.runtime.follower.state)].join('')).toContain('"eras"')
  await expectReplay(on)
})
