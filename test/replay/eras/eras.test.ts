// An era is rotated under work that goes on: everything is answered once, in whichever era it was
// asked, and all of it derives again.
import { expect, test } from 'vitest'
import { change } from '#authoring/change'
import { rotate } from '#replay/eras/rotate'
import { stages } from '#workers/stages'
import {
  eraOfScene,
  judgedNow,
  root,
  sayIn,
  settled,
  Streams,
  turned,
  calm,
  guardGiven,
  twoOfDesk,
} from './parts/live.ts'
import { keys } from '../../support/runtime.ts'
import {
  another,
  answer,
  codes,
  deletion,
  erase,
  expectReplay,
  judged,
  look,
  names,
  replayed,
  reviewed,
  say,
  scene,
  bind,
} from '../../support/scene.ts'
import { writeSnapshot } from '#state/eras/genesis'
import { provingOn } from '#replay/verdicts/proving'

const setup = {
  catalog: {
    capabilities: [look, erase],
    limits: [{ safetyClass: 'READ' as const, uses: 3, windowMs: 60_000 }],
    learning: true,
  },
  graph: deletion({ name: 'ask' }),
}
const intent = { tool: 'look' }

test('what was answered stays answered, and what comes next is answered in the next era', async () => {
  const on = await scene(setup)
  const before = await judged(on, { intent })
  const { sealed, snapshot, open } = await turned(on)
  expect(sealed).toMatchObject({ era: 1, by: 'root', facts: sealed.position - 1 })
  expect(snapshot.parts).toBe(1)
  expect(open).toBe(0)
  const after = await on.bot.ask(intent)
  expect(after.name).toBe(`main.2.verdict.${after.intent}`)
  expect(after.outcome).toBe('allow')
  expect(await on.bot.verdict(before.intent)).toEqual(before)
  const report = await replayed(on)
  expect(report).toMatchObject({ differences: 0, first: null, eras: 2, start: null, unchecked: 0 })
})

test('eras are rotated one after the other, and revisions and uses count on through all of them', async () => {
  const on = await scene(setup)
  expect((await judged(on, { intent })).outcome).toBe('allow')
  await turned(on)
  const operations = [{ op: 'add' as const, name: 'moon' }]
  expect(await change(on.runtime, { kind: 'graph', operations }, root)).toEqual({
    name: 'main.2.graph.2',
    revision: 2,
  })
  expect((await judgedNow(on, { intent, ulid: 'b' })).outcome).toBe('allow')
  const second = await turned(on)
  expect(second.sealed.era).toBe(2)
  expect((await judgedNow(on, { intent, ulid: 'c' })).outcome).toBe('allow')
  expect(codes(await judgedNow(on, { intent, ulid: 'd' }))).toEqual(['rate_limited'])
  expect(await names(on.log, 'main.*.rate.>')).toEqual([
    'main.1.rate.bot.look.1',
    'main.2.rate.bot.look.2',
    'main.3.rate.bot.look.3',
  ])
  expect(on.runtime.follower.state.graphRevision).toBe(2)
  await expectReplay(on)
})

test('an intent that people are asked about is answered in the next era', async () => {
  const on = await scene(setup)
  const address = await reviewed(on, { intent: { tool: 'erase' } })
  expect((await turned(on)).open).toBe(1)
  await answer(on, address)
  const verdict = await on.bot.verdict(address)
  expect(verdict).toMatchObject({ outcome: 'allow', confirmedBy: ['olga'] })
  expect(verdict.name).toBe(`main.2.verdict.${address}`)
  expect(
    (await on.bot.read('trace', { intent: address })).steps.map(({ name }) => name.slice(0, 15)),
  ).toEqual([
    'main.1.vlp.bot.',
    'main.1.groundin',
    'main.1.asked.bo',
    'main.1.review.b',
    'main.2.decision',
    'main.2.rate.bot',
    'main.2.verdict.',
  ])
  await expectReplay(on)
})

test('no one answers a review in the next era that was to be answered before', async () => {
  const on = await scene(setup)
  const address = await reviewed(on, { intent: { tool: 'erase' } })
  await turned(on)
  on.time.pass(15 * 60_000 + 1)
  const verdict = await on.bot.verdict(address)
  expect(codes(verdict)).toEqual(['review_expired'])
  expect(verdict.name).toBe(`main.2.verdict.${address}`)
  await expectReplay(on)
})

test('an intent that no stage had seen when the era was sealed is seen to in the next', async () => {
  const idle = await scene({ ...setup, stages: [] })
  const address = await say(idle.log, { intent })
  const held = await say(idle.log, { intent: { ...intent, concepts: ['moon'] } })
  await settled(idle)
  await rotate(idle.runtime, root, null)
  const on = await another(idle, { stages })
  expect((await on.bot.verdict(address)).name).toBe(`main.2.verdict.${address}`)
  expect(codes(await on.bot.verdict(held))).toEqual(['ungrounded'])
  expect(await names(on.log, 'main.1.grounding.>')).toEqual([])
  await on.watch.settled(on.log)
  await expectReplay(on)
})

test('an intent withdrawn in the next era is denied there', async () => {
  const on = await scene(setup)
  const address = await reviewed(on, { intent: { tool: 'erase' } })
  await turned(on)
  await on.bot.withdraw(address)
  expect(codes(await on.bot.verdict(address))).toEqual(['withdrawn'])
  await expectReplay(on)
})

test('a session goes on across eras, and its messages are read in each', async () => {
  const on = await scene(setup)
  const session = on.bot.session()
  await on.bot.ask(intent, { session })
  await turned(on)
  const second = await on.bot.ask(intent, { session })
  const grounding = await on.log.get(`main.2.grounding.${second.intent}.1`)
  // A message whose predecessors are not read would be one whose session is unknown.
  expect(Buffer.from(grounding?.bytes ?? []).toString()).toContain('"issues":[]')
  await expectReplay(on)
})

test('workers and clients go on while eras are rotated under them: each is answered once', async () => {
  const many = { ...setup.catalog, limits: [{ capability: 'look', uses: 9_999, windowMs: 1 }] }
  const on = await scene({ ...setup, catalog: many })
  const others = [await another(on), await another(on, { stages: [] })]
  const asked: Promise<unknown>[] = []
  for (let turn = 1; turn <= 3; turn += 1) {
    for (let n = 0; n < 30; n += 1) {
      const client = [on, ...others][n % 3] ?? on
      asked.push(client.bot.ask(intent))
    }
    await Promise.all([rotate(on.runtime, root, null), asked.at(-15)])
  }
  await Promise.all(asked)
  await settled(on)
  expect(eraOfScene(on)).toBe(4)
  expect(on.runtime.follower.state.intents.size).toBe(0)
  const { eras } = on.runtime.follower.state
  const answered = new Map<string, number>()
  for await (const { name, position } of on.log.read({}, ['main.*.verdict.>'])) {
    const span = eras[Number(name.split('.')[1]) - 1]
    if (span === undefined || position <= span.from || position > (span.to ?? position)) continue
    const address = name.split('.').slice(3).join('.')
    answered.set(address, (answered.get(address) ?? 0) + 1)
  }
  expect(answered.size).toBe(90)
  expect(new Set(answered.values())).toEqual(new Set([1]))
  await expectReplay(on)
})

test('where the log itself seals an era, it is sealed first and the next begins right behind', async () => {
  const idle = await scene({ ...setup, stages: [] })
  const streams = new Streams(idle.store.open())
  const on = await another(idle, { stages, wrap: (log) => streams.over(log) })
  const address = await reviewed(on, { intent: { tool: 'erase' } })
  const { position } = await on.log.head()
  const rotated = await rotate(on.runtime, root, streams)
  expect(streams.calls).toEqual(['admit 1', 'seal 1', `open 2 at ${position + 1}`, 'admit 2'])
  expect(rotated.sealed.position).toBe(position + 1)
  await answer(on, address)
  expect((await on.bot.verdict(address)).name).toBe(`main.2.verdict.${address}`)
  await expectReplay(on)
})

test('a client whose era is sealed under it sends it once more in the next, and no more', async () => {
  const on = await scene(setup)
  const streams = new Streams(on.store.open())
  const slow = await another(on, { wrap: (log) => streams.over(log) })
  await streams.seal({ era: 1 })
  const asked = slow.bot.ask(intent)
  await streams.open({ era: 2 }, (await on.log.head()).position + 1)
  await rotate(on.runtime, root, null)
  const verdict = await asked
  expect(verdict.name).toBe(`main.2.verdict.${verdict.intent}`)
  expect(await names(on.log, 'main.*.vlp.>')).toHaveLength(1)
})

test('a rotation by whom the catalog does not let is refused, and nothing is sealed', async () => {
  const on = await scene(setup)
  const streams = new Streams(on.store.open())
  const { position } = await on.log.head()
  for (const author of [
    { id: 'olga', privateKey: keys.olga },
    { id: 'root', privateKey: keys.olga },
    { id: 'unknown', privateKey: keys.root },
  ]) {
    const refused = rotate(on.runtime, author, streams)
    await expect(refused).rejects.toMatchObject({ code: 'no_policy_admin', retry: 'never' })
  }
  expect(streams.calls).toEqual([])
  expect((await on.log.head()).position).toBe(position)
})

test('two who rotate at once turn one era, and both learn the same', async () => {
  const on = await scene(setup)
  const other = await another(on, { stages: [] })
  await sayIn(on.log, { era: 1, ulid: 'a', intent })
  await settled(on)
  await settled(other)
  const [one, two] = await Promise.all([
    rotate(on.runtime, root, null),
    rotate(other.runtime, root, null),
  ])
  expect(two).toEqual(one)
  expect(one.sealed.era).toBe(1)
  await settled(on)
  expect(eraOfScene(on)).toBe(2)
  await expectReplay(on)
})

// What someone can try who may bind any name of the log: say again what an era has, rotate an era
// that is not theirs to rotate, or bring one to a stop.

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
