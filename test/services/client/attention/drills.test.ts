// Drills: shown like a review to those who agreed, counted apart, and nothing follows from one.
import { expect, test } from 'vitest'
import { altered, allLeaves, wrongValue } from '#core/attention/altered'
import { drillsFor } from '#core/attention/drills'
import { jsonOf } from '#core/kernel/canonical'
import { nameOf, partsOf } from '#core/kernel/names'
import { signData } from '#core/kernel/crypto/private-key'
import { readSnapshot } from '#core/state/eras/restore'
import { writeSnapshot } from '#core/state/eras/genesis'
import { evolve } from '#core/state/fold/evolve'
import { newState } from '#core/state/state'
import { drawDrill, openDrillsOf, plantDrill, answerDrill } from '#services/client/people/drills'
import { countingAttention, newAttention } from '#services/client/reading/attention/counted'
import { attentionReport } from '#services/client/reading/attention/report'
import { keys, newKey } from '../../../support/runtime.ts'
import {
  bind,
  expectReplay,
  look,
  place,
  reviewed,
  reviewOf,
  scene,
} from '../../../support/scene.ts'
import type { Scene } from '../../../support/scene.ts'

const asked = { name: 'all', when: 'true', effect: 'confirm' as const, confirmation: 'four' }
const hour = 3_600_000
const setup = {
  catalog: {
    attention: { drills: [{ person: 'piet' }, { person: 'root' }] },
    capabilities: [{ ...look, conditions: [asked] }],
    groups: [{ id: 'desk', members: ['piet', 'quin', 'root'] }],
    confirmations: [
      {
        id: 'four',
        tier: 'four_eyes' as const,
        group: 'desk',
        sessionless: true,
        decideWithinMs: hour,
      },
    ],
  },
}
const args = { to: 'ann@example.org', amount: 12 }

async function drilling(): Promise<{ on: Scene; review: string; address: string }> {
  const on = await scene(setup)
  const address = await reviewed(on, { intent: { tool: 'look', args } })
  const review = nameOf(place, 'review', address, 1)
  return { on, review, address }
}

const piet = { confirmer: 'piet', privateKey: keys.piet }

test('it shows what a review shows, with one value that is plainly wrong', async () => {
  const { on, review, address } = await drilling()
  const { runtime } = on
  const toSign = await drawDrill(runtime, { review, by: 'root' })
  expect(toSign.drill).toMatchObject({ shownTo: ['piet'], changed: ['/amount'], drawnFrom: review })
  await plantDrill(runtime, toSign, { privateKey: keys.root })
  const [shown] = await openDrillsOf(runtime, 'piet')
  const real = await reviewOf(on.log, address)
  expect(shown?.review.terms.args).toEqual({ ...args, amount: 12_000 })
  expect(Object.keys(shown?.review ?? {}).toSorted()).toEqual(Object.keys(real).toSorted())
  expect(shown?.review.digest).not.toBe(real.digest)
  expect(shown?.review.questions).toEqual(real.questions)
  // Under the name of a review that is in no log.
  expect(partsOf(shown?.name ?? '', place)).toMatchObject({
    kind: 'review',
    address: shown?.intent,
  })
  expect(await on.log.get(shown?.name ?? '')).toBeUndefined()
  expect(await openDrillsOf(runtime, 'quin')).toEqual([])
})

test('nothing follows from it, whatever is answered', async () => {
  const { on, review, address } = await drilling()
  const { runtime } = on
  const before = (await on.facts()).length
  const toSign = await drawDrill(runtime, { review, by: 'root' })
  await plantDrill(runtime, toSign, { privateKey: keys.root })
  const [shown] = await openDrillsOf(runtime, 'piet')
  await answerDrill(runtime, { ...piet, drill: toSign.id, answers: true })
  await on.settled()
  const kinds = (await on.facts()).slice(before).map(({ kind }) => kind)
  expect(kinds).toEqual(['drill', 'drillanswer'])
  expect([...runtime.follower.state.intents.keys()]).toEqual([address])
  expect(await openDrillsOf(runtime, 'piet')).toEqual([])
  // Nor does its address lead anywhere.
  const decided = on.client.decide({ ...piet, intent: shown?.intent ?? '', answers: true })
  await expect(decided).rejects.toMatchObject({ code: 'no_review' })
  await expectReplay(on)
})

test('an answer to a drill is no decision, and a decision is no answer to a drill', async () => {
  const { on, review, address } = await drilling()
  const { runtime } = on
  const { intent, digest } = await reviewOf(on.log, address)
  const { log } = runtime.follower.state
  const toSign = await drawDrill(runtime, { review, by: 'root' })
  const drill = await plantDrill(runtime, toSign, { privateKey: keys.root })
  const answer = nameOf(place, 'drillanswer', toSign.id, 'piet')
  const decision = nameOf(place, 'decision', address, 1, 'piet')
  const yes = { answers: [true], confirmer: 'piet' }
  const said = { ...yes, digest, intent, review }
  // The same words, signed under the other name.
  const signature = signData({ log, name: answer }, jsonOf(said), keys.piet)
  await bind(on.log, 'decision', decision, { ...said, signature })
  await on.settled()
  expect(await on.facts('main.1.verdict.>')).toEqual([])
  const own = { ...yes, digest: toSign.drill.asks.digest, drill: drill.name }
  const other = signData({ log, name: decision }, jsonOf(own), keys.piet)
  const { position } = await bind(on.log, 'drillanswer', answer, { ...own, signature: other })
  await runtime.follower.reached(position)
  expect(runtime.follower.state.drills.get(toSign.id)?.answered).toEqual([])
})

test('it is refused where it would count for nothing, before anything is bound', async () => {
  const { on, review } = await drilling()
  const { runtime } = on
  const void_ = { code: 'drill_void' }
  const draw = (more: object) => drawDrill(runtime, { review, by: 'root', ...more })
  const plant = async (more: object, key = keys.root) =>
    plantDrill(runtime, await draw(more), { privateKey: key })
  await expect(draw({ review: 'main.1.review.x.-.y.1' })).rejects.toMatchObject(void_)
  await expect(draw({ changes: new Map() })).rejects.toMatchObject(void_)
  await expect(draw({ changes: new Map([['/nothing', 1]]) })).rejects.toMatchObject(void_)
  await expect(plant({ shownTo: ['quin'] })).rejects.toThrow('has not agreed')
  await expect(plant({ shownTo: ['root'] })).rejects.toThrow('a question of their own')
  await expect(plant({ by: 'piet', shownTo: ['root'] }, keys.piet)).rejects.toThrow('policy admin')
  await expect(plant({}, newKey())).rejects.toThrow('no key of this person')
  expect(await on.facts('main.1.drill.>')).toEqual([])
})

test('it is open as long as its review was, and each answers it once', async () => {
  const { on, review } = await drilling()
  const { runtime, time } = on
  const toSign = await drawDrill(runtime, { review, by: 'root' })
  await plantDrill(runtime, toSign, { privateKey: keys.root })
  const { drills } = runtime.follower.state
  const decideBy = Date.parse(toSign.drill.asks.decideBy)
  expect(drillsFor(drills, 'piet', decideBy)).toHaveLength(1)
  expect(drillsFor(drills, 'piet', decideBy + 1)).toEqual([])
  time.pass(decideBy - time.now + 1)
  const late = answerDrill(runtime, { ...piet, drill: toSign.id, answers: false })
  await expect(late).rejects.toMatchObject({ code: 'decision_void' })
})

test('it is counted apart from reviews, by person and by rule', async () => {
  const { on, review } = await drilling()
  const { runtime } = on
  const toSign = await drawDrill(runtime, { review, by: 'root' })
  await plantDrill(runtime, toSign, { privateKey: keys.root })
  await answerDrill(runtime, { ...piet, drill: toSign.id, answers: false })
  const again = answerDrill(runtime, { ...piet, drill: toSign.id, answers: true })
  await expect(again).rejects.toMatchObject({ code: 'decision_void' })
  const next = await drawDrill(runtime, { review, by: 'root' })
  await plantDrill(runtime, next, { privateKey: keys.root })
  await answerDrill(runtime, { ...piet, drill: next.id, answers: true })
  const state = newState(place)
  const counts = newAttention()
  const count = countingAttention(counts, {})
  for await (const fact of on.log.read({})) count.take(fact, evolve(state, fact), state)
  const { all, people, rules } = attentionReport(counts)
  expect(all).toMatchObject({ reviews: 1, answers: 0 })
  expect(people.find(({ person }) => person === 'piet')).toMatchObject({
    asked: 1,
    answers: 0,
    drills: 2,
    caught: 1,
    missed: 1,
    catchRate: 0.5,
  })
  expect(rules).toMatchObject([{ rule: 'all', questions: 1, drills: 2, catchRate: 0.5 }])
  expect(readSnapshot(writeSnapshot(state), { realm: 'main' }).drills).toEqual(state.drills)
})

test('values are changed where they stand, and only there', () => {
  const value = { a: [1, { 'b/c': 'x' }], d: null }
  expect(allLeaves(value).map(([pointer]) => pointer)).toEqual(['/a/0', '/a/1/b~1c', '/d'])
  expect(altered(value, new Map([['/a/1/b~1c', 'y']]))).toEqual({ a: [1, { 'b/c': 'y' }], d: null })
  expect(altered(value, new Map([['/a', 2]]))).toBeNull()
  expect(altered(value, new Map([['/d', null]]))).toEqual(value)
  expect(['a@b.org', 'text', '123456', 7, 0, true, null].map(wrongValue)).toEqual([
    'a@mail.example.net',
    null,
    '654321',
    7_000,
    null,
    null,
    null,
  ])
})
