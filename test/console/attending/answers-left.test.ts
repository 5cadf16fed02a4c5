// A person's answers a day at the console: how many are left is shown, and beyond them a yes counts
// in a batch alone, as on the command line.
import { expect, test } from 'vitest'
import { jsonOf } from '#record/canonical'
import { readEvent } from '#record/event'
import { assert } from '#record/fault'
import type { AnswersLeft } from '#schemas/console/attending'
import { CardAnswer, InboxAnswer, PreparedAnswer } from '#schemas/console/reviews'
import { expectReplay, reviewed, verdict } from '../../support/scene.ts'
import {
  consoleScene,
  signedBy,
  signedInByPasskey,
  type AtBrowser,
  type ConsoleScene,
  signedInByLink,
} from '../console-scene.ts'
import { attentionAsked, type AttentionAnswer } from '#schemas/operations/counts'
import { decide } from '#client/people/decide'
import { newAttention } from '#operations/attention/counted'
import { attentionReport } from '#operations/attention/report'
import { attentionOf } from '#operations/attention/kept'
import { inTwoSteps, soft } from '../../people/passkey-scene.ts'

const day = 86_400_000
const catalog = (perDay: number) => ({
  groups: [{ id: 'people', members: ['piet', 'quin'] }],
  attention: { answers: [{ person: 'quin', perDay }] },
})

async function asked(scene: ConsoleScene, count: number): Promise<readonly string[]> {
  const intents: string[] = []
  for (let index = 0; index < count; index += 1) {
    const args = jsonOf({ path: `/${scene.on.time.now}/${index}` })
    intents.push(await reviewed(scene.on, { intent: { tool: 'purge', args } }))
  }
  return intents
}

async function left(browser: AtBrowser): Promise<AnswersLeft> {
  const [left] = InboxAnswer.parse(await browser.get('inbox')).answersLeft ?? []
  assert(left !== undefined, 'this person has a budget')
  return left
}

interface Answered {
  readonly status: number
  readonly batch: unknown
}

/** What the page does: prepare, sign, submit. */
async function answer(
  browser: AtBrowser,
  intent: string,
  { yes = true, batch }: { readonly yes?: boolean; readonly batch?: readonly string[] } = {},
): Promise<Answered> {
  const params = { intent }
  const { review } = CardAnswer.parse(await browser.get('card', { params }))
  const answers = review.questions.map(() => yes)
  const body = { answers, digest: review.digest, ...(batch !== undefined && { batch }) }
  const prepared = await browser.ask('answerPrepare', { params, body })
  if (prepared.status !== 200) return { status: prepared.status, batch: null }
  const { toSign } = PreparedAnswer.parse(JSON.parse(prepared.text))
  const sent = { ...body, signed: signedBy('quin', toSign) }
  const { status } = await browser.ask('answerSubmit', { params, body: sent })
  const { batch: together = null } = { batch: null, ...Object(toSign.data) }
  return { status, batch: together }
}

async function nameOfReview(browser: AtBrowser, intent: string): Promise<string> {
  return CardAnswer.parse(await browser.get('card', { params: { intent } })).name
}

test('the inbox says how many are left, and from when one more is', async () => {
  const scene = await consoleScene(catalog(2))
  const [first = '', second = ''] = await asked(scene, 2)
  const quin = await signedInByPasskey(scene, 'quin')
  expect(await left(quin)).toMatchObject({ perDay: 2, left: 2, nextAt: null, unfinished: [] })
  const { status } = await answer(quin, first, { yes: false })
  expect([status, (await left(quin)).left]).toEqual([200, 1])
  const begun = scene.on.time.now
  await answer(quin, second)
  const none = await left(quin)
  expect(none.left).toBe(0)
  expect(Math.abs(Date.parse(none.nextAt ?? '') - begun - day)).toBeLessThan(5_000)
  const piet = await signedInByPasskey(scene, 'piet')
  expect(InboxAnswer.parse(await piet.get('inbox')).answersLeft).toBeUndefined()
})

test('beyond them one yes is refused before it is signed, and a no counts', async () => {
  const scene = await consoleScene(catalog(1))
  const [first = '', second = ''] = await asked(scene, 2)
  const quin = await signedInByPasskey(scene, 'quin')
  expect((await answer(quin, first)).status).toBe(200)
  const facts = (await scene.on.facts()).length
  expect((await answer(quin, second)).status).toBe(409)
  expect((await scene.on.facts()).length).toBe(facts)
  expect((await answer(quin, second, { yes: false })).status).toBe(200)
})

test('several together count, and what is begun is finished first', async () => {
  const scene = await consoleScene(catalog(1))
  const [first = '', ...others] = await asked(scene, 5)
  const quin = await signedInByPasskey(scene, 'quin')
  await answer(quin, first)
  const [one = '', two = '', three = '', four = ''] = others
  const names = await Promise.all(others.map((intent) => nameOfReview(quin, intent)))
  const batch = names.slice(0, 2)
  expect(await answer(quin, one, { batch })).toEqual({ status: 200, batch })
  expect(await left(quin)).toMatchObject({ left: 0, batch, unfinished: [two] })
  // Another begins only when nothing of it waits; what is left of it needs no list.
  expect((await answer(quin, three, { batch: names.slice(2) })).status).toBe(409)
  expect(await answer(quin, two)).toEqual({ status: 200, batch })
  expect(await answer(quin, three, { batch: names.slice(2) })).toMatchObject({ status: 200 })
  expect(await answer(quin, four, { batch: names.slice(3) })).toMatchObject({ status: 200 })
  const decided = (await scene.on.facts()).filter(({ kind }) => kind === 'decision')
  expect(decided).toHaveLength(5)
  await expectReplay(scene.on)
})

test('what the batch lists is under the signature', async () => {
  const scene = await consoleScene(catalog(1))
  const [first = '', second = '', third = ''] = await asked(scene, 3)
  const quin = await signedInByPasskey(scene, 'quin')
  await answer(quin, first)
  const batch = [await nameOfReview(quin, second), await nameOfReview(quin, third)]
  await answer(quin, second, { batch })
  const decided: unknown[] = []
  for await (const fact of scene.on.log.read({})) {
    const reading = readEvent('decision', fact)
    if (reading.ok && reading.event.data.intent.address === second) {
      decided.push(reading.event.data.batch)
    }
  }
  expect(decided).toEqual([batch])
})

test('who has no budget signs no batch', async () => {
  const scene = await consoleScene({ groups: [{ id: 'people', members: ['piet', 'quin'] }] })
  const intents = await asked(scene, 2)
  const quin = await signedInByPasskey(scene, 'quin')
  const batch = await Promise.all(intents.map((intent) => nameOfReview(quin, intent)))
  expect(await answer(quin, intents[0] ?? '', { batch })).toEqual({ status: 200, batch: null })
})

// The report of people’s attention at the console: counted of the whole log and kept up with it, by
// rule for who may read the log, and by person for that person and policy admins alone.

const reportCatalog = {
  groups: [{ id: 'people', members: ['piet', 'quin'] }],
  attention: { answers: [{ person: 'quin', perDay: 5 }] },
}

type Answerer = 'piet' | 'quin'

async function answered(scene: ConsoleScene, by: Answerer, yes: boolean, ms: number) {
  const { runtime, time } = scene.on
  const args = jsonOf({ path: '/a', count: (time.now % 1_000) + 1 })
  const intent = await reviewed(scene.on, { intent: { tool: 'purge', args } })
  time.pass(ms)
  await inTwoSteps(soft[by], (sign) => {
    return decide(runtime, { intent, confirmer: by, answers: yes, sign })
  })
  await verdict(scene.on.log, intent)
  return intent
}

async function reportFor(browser: AtBrowser, query = ''): Promise<AttentionAnswer> {
  return attentionAsked.output.parse(await browser.get('attention', { query }))
}

test('it counts what was before someone asked, and what comes after', async () => {
  const scene = await consoleScene(reportCatalog)
  await answered(scene, 'quin', true, 2_000)
  await answered(scene, 'piet', false, 8_000)
  const root = await signedInByPasskey(scene, 'root')
  const before = await reportFor(root)
  expect(before.all).toMatchObject({ reviews: 2, answers: 2, agreed: 1, quick: 1, expired: 0 })
  await answered(scene, 'quin', true, 20_000)
  const after = await reportFor(root)
  expect(after.all).toMatchObject({ reviews: 3, answers: 3, agreed: 2, quick: 1 })
  // The same as one who begins now finds.
  const counts = newAttention()
  await attentionOf(scene.on.runtime).countInto(counts, {})
  expect(attentionReport(counts).all).toEqual(after.all)
  expect(after.rules).toMatchObject([{ questions: 3, refused: 1, changesNothing: false }])
})

test('by person it is for that person and for policy admins alone', async () => {
  const scene = await consoleScene(reportCatalog)
  await answered(scene, 'quin', true, 2_000)
  await answered(scene, 'piet', false, 8_000)
  const people = async (browser: AtBrowser) => {
    return (await reportFor(browser)).people.map(({ person }) => person).toSorted()
  }
  expect(await people(await signedInByPasskey(scene, 'quin'))).toEqual(['quin'])
  expect(await people(await signedInByLink(scene, 'audra'))).toEqual([])
  expect(await people(await signedInByPasskey(scene, 'root'))).toEqual(['piet', 'quin'])
  const [quin] = (await reportFor(await signedInByPasskey(scene, 'quin'))).people
  expect(quin).toMatchObject({ asked: 2, answers: 1, answersLeft: { perDay: 5, left: 4 } })
})

test('it goes back as far as it is asked for', async () => {
  const scene = await consoleScene(reportCatalog)
  await answered(scene, 'quin', true, 2_000)
  scene.on.time.pass(7 * day)
  await answered(scene, 'quin', true, 2_000)
  const quin = await signedInByPasskey(scene, 'quin')
  expect((await reportFor(quin, '?since=7d')).all.reviews).toBe(1)
  expect((await reportFor(quin, '?since=8d')).all.reviews).toBe(2)
  expect(await quin.refused('attention', { query: '?since=yesterday' })).toBe('400 request_invalid')
})
