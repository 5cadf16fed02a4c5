// What stands where a person’s answer would, and is not one, uses no name up: the review is opened
// again under its next number, three times at most; and what was answered before counts on.
import { expect, test } from 'vitest'
import { newestRules } from '#rules/catalog/rules-version'
import { nameOf } from '#record/names'
import { readEvent } from '#record/event'
import type { ReviewData } from '#schemas/review'
import { voidsIn, type VoidFact } from '#state/folded'
import { evolve } from '#state/fold/evolve'
import { newState } from '#state/state'
import { factsOf, foldAll, restored, textOf } from '../../replay/eras/parts/fold.ts'
import { keys, newKey } from '../../support/runtime.ts'
import { answer, another, bind, codes, deletion, erase } from '../../support/scene.ts'
import { expectReplay, look, place, replayed, reviewed, say } from '../../support/scene.ts'
import { bound, read, scene, verdict, type Scene, type SceneSetup } from '../../support/scene.ts'

const module = 'export function fine() { return { passed: true } }'
const minute = 60_000
const confirmations = [
  { id: 'one', tier: 'confirm' as const, decideWithinMs: minute },
  { id: 'pair', tier: 'four_eyes' as const, sessionless: true, group: 'desk', quorum: 2 },
]

function asking(confirmation = 'one', rules = newestRules): SceneSetup {
  return {
    catalog: {
      capabilities: [look, erase],
      groups: [{ id: 'desk', members: ['piet', 'quin', 'root'] }],
      confirmations,
      rules,
    },
    module,
    graph: deletion({ name: 'ask', confirmation, callback: 'fine', requiresConfirmation: true }),
  }
}

const intent = { tool: 'erase', args: { path: 'a' } }

async function reviewNumber(on: Scene, address: string, number: number): Promise<ReviewData> {
  const reading = readEvent('review', await bound(on.log, nameOf(place, 'review', address, number)))
  if (!reading.ok) throw new Error(reading.why)
  await on.runtime.follower.reached((await on.log.head()).position)
  return reading.event.data
}

/** Binds what no key of that person signed, where their answer to that number would stand. */
async function spoil(
  on: Scene,
  address: string,
  { number = 1, under = 'olga', privateKey = newKey(), content = {} } = {},
): Promise<string> {
  const { digest, questions, intent: ref } = await reviewNumber(on, address, 1)
  const name = nameOf(place, 'decision', address, number, under)
  const answers = questions.map(() => true)
  const review = nameOf(place, 'review', address, number)
  const whole = { answers, confirmer: under, digest, intent: ref, review, ...content }
  await bind(on.log, 'decision', name, whole, privateKey)
  return name
}

/** What the fold finds void in the log of that scene. */
async function voids({ log }: Scene): Promise<readonly VoidFact[]> {
  const state = newState(place)
  return (await factsOf(log)).flatMap((fact) => voidsIn(fact, evolve(state, fact)))
}

test('a review that junk has answered is opened again, and can still be answered', async () => {
  const on = await scene(asking())
  const address = await reviewed(on, { intent })
  const first = await reviewNumber(on, address, 1)
  on.time.pass(1_000)
  const junk = await spoil(on, address)
  const second = await reviewNumber(on, address, 2)
  expect(second).toEqual({
    ...first,
    number: 2,
    previous: nameOf(place, 'review', address, 1),
    spoiltBy: junk,
  })
  await answer(on, address)
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  expect(await voids(on)).toMatchObject([
    { name: junk, why: 'no key of this person in the catalog signed it' },
  ])
  expect((await replayed(on)).voids).toMatchObject([{ name: junk }])
  await expectReplay(on)
})

test.each([
  ['bytes that no one can read', { raw: 'junk' }],
  [
    'an answer to another intent',
    { content: { intent: { address: 'a.-.b', agent: 'a', session: null } } },
  ],
  [
    'an answer to something else',
    { content: { digest: `sha256:${'0'.repeat(64)}` }, privateKey: keys.olga },
  ],
  ['the answer of another person', { content: { confirmer: 'piet' }, privateKey: keys.piet }],
  ['too few answers', { content: { answers: [] }, privateKey: keys.olga }],
])('so is one under whose name stand %s', async (_, { raw, ...given }: SpoilBy) => {
  const on = await scene(asking())
  const address = await reviewed(on, { intent })
  if (raw === undefined) await spoil(on, address, given)
  else {
    const name = nameOf(place, 'decision', address, 1, 'olga')
    await on.log.append({ name, bytes: Buffer.from(raw) })
  }
  await reviewNumber(on, address, 2)
  await answer(on, address)
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  await expectReplay(on)
})

interface SpoilBy {
  readonly raw?: string
  readonly content?: Readonly<Record<string, unknown>>
  readonly privateKey?: string
}

test('what was answered counts for the next number, and is not answered twice', async () => {
  const on = await scene(asking('pair'))
  const address = await reviewed(on, { intent })
  await answer(on, address, { by: 'piet' })
  await spoil(on, address, { under: 'quin' })
  await reviewNumber(on, address, 2)
  await expect(answer(on, address, { by: 'piet' })).rejects.toMatchObject({ code: 'decision_void' })
  await answer(on, address, { by: 'quin' })
  const { outcome, release } = await read(on.log, 'verdict', nameOf(place, 'verdict', address))
  expect(outcome).toBe('allow')
  expect(release?.confirmedBy).toEqual(['piet', 'quin'])
  await expectReplay(on)
})

test('an answer to the number before counts where it stands, though it comes late', async () => {
  const on = await scene(asking('pair'))
  const address = await reviewed(on, { intent })
  await spoil(on, address, { under: 'quin' })
  await reviewNumber(on, address, 2)
  await spoil(on, address, { under: 'piet', privateKey: keys.piet })
  await answer(on, address, { by: 'quin' })
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  expect(await voids(on)).toHaveLength(1)
  await expectReplay(on)
})

test('the name of someone who may not answer opens nothing again', async () => {
  const on = await scene(asking())
  const address = await reviewed(on, { intent })
  await spoil(on, address, { under: 'piet', privateKey: keys.piet })
  await on.watch.settled(on.log)
  expect(on.runtime.follower.state.intents.get(address)?.review?.number).toBe(1)
  await expectReplay(on)
})

test('a name that was taken before its review came is not used up either', async () => {
  const on = await scene(asking('one'))
  const address = await reviewed(on, { intent })
  await spoil(on, address, { number: 2 })
  await spoil(on, address)
  await reviewNumber(on, address, 3)
  await answer(on, address)
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  await expectReplay(on)
})

test('after three it is refused as stale, and names what stood there', async () => {
  const on = await scene(asking())
  const address = await reviewed(on, { intent })
  for (const number of [1, 2, 3]) {
    await spoil(on, address, { number })
    await reviewNumber(on, address, number + 1)
  }
  const last = await spoil(on, address, { number: 4 })
  const { outcome, reasons } = await verdict(on.log, address)
  expect(outcome).toBe('deny')
  expect(reasons).toEqual([
    { code: 'review_stale', recover: 'fix', params: { cause: 'spoilt', fact: last } },
  ])
  await expectReplay(on)
})

test('the moment until which people may answer stays that of the first', async () => {
  const on = await scene(asking())
  const address = await reviewed(on, { intent })
  on.time.pass(minute - 1)
  await spoil(on, address)
  await reviewNumber(on, address, 2)
  on.time.pass(2)
  expect(codes(await verdict(on.log, address))).toContain('review_expired')
  await expectReplay(on)
})

test('two workers open it again once', async () => {
  const on = await scene(asking())
  const two = await another(on)
  const address = await reviewed(on, { intent })
  await spoil(on, address)
  await on.watch.settled(on.log)
  await two.runtime.follower.reached((await on.log.head()).position)
  expect(two.runtime.follower.state.intents.get(address)?.review?.number).toBe(2)
  await answer(two, address)
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  await expectReplay(on)
})

test('under older rules it derives as ever, and is named as void all the same', async () => {
  const on = await scene(asking('one', 6))
  const address = await reviewed(on, { intent })
  const junk = await spoil(on, address)
  await on.watch.settled(on.log)
  await on.runtime.follower.reached((await on.log.head()).position)
  expect(on.runtime.follower.state.intents.get(address)).toMatchObject({
    review: { number: 1 },
    decisions: [{ name: junk }],
  })
  expect(await voids(on)).toMatchObject([{ name: junk }])
  on.time.pass(minute + 1)
  expect(codes(await verdict(on.log, address))).toContain('review_expired')
  expect((await replayed(on)).voids).toMatchObject([{ name: junk }])
  await expectReplay(on)
})

test('under older rules a review that is bound to open one again counts for nothing', async () => {
  const on = await scene(asking('one', 6))
  const address = await reviewed(on, { intent })
  const first = await reviewNumber(on, address, 1)
  const junk = await spoil(on, address)
  const name = nameOf(place, 'review', address, 2)
  const previous = nameOf(place, 'review', address, 1)
  await bind(on.log, 'review', name, { ...first, number: 2, previous, spoiltBy: junk })
  await on.runtime.follower.reached((await on.log.head()).position)
  expect(on.runtime.follower.state.intents.get(address)?.review?.number).toBe(1)
  const why = 'the rules of this log open no review again'
  expect(await voids(on)).toMatchObject([{ name: junk }, { name, why }])
})

test('a state that was restored in the middle comes to the same', async () => {
  const on = await scene(asking('pair'))
  const address = await reviewed(on, { intent })
  await spoil(on, address, { number: 2, under: 'piet' })
  await answer(on, address, { by: 'piet' })
  await spoil(on, address, { under: 'quin' })
  await reviewNumber(on, address, 2)
  await say(on.log, { intent: { tool: 'look' } })
  await on.watch.settled(on.log)
  const facts = await factsOf(on.log)
  const whole = textOf(foldAll(facts))
  for (let at = 0; at <= facts.length; at += 1) {
    const copy = restored(foldAll(facts.slice(0, at)))
    expect(textOf(foldAll(facts.slice(at), copy))).toBe(whole)
  }
})
