// The report of people’s attention at the console: counted of the whole log and kept up with it, by
// rule for who may read the log, and by person for that person and policy admins alone.
import { expect, test } from 'vitest'
import { jsonOf } from '#record/canonical'
import { attentionAsked, type AttentionAnswer } from '#schemas/operations/counts'
import { decide } from '#client/people/decide'
import { newAttention } from '#operations/attention/counted'
import { attentionReport } from '#operations/attention/report'
import { attentionOf } from '#operations/attention/kept'
import { reviewed, verdict } from '../../support/scene.ts'
import { inTwoSteps, soft } from '../../people/passkey-scene.ts'
import {
  consoleScene,
  signedInByLink,
  signedInByPasskey,
  type AtBrowser,
  type ConsoleScene,
} from '../console-scene.ts'

const day = 86_400_000
const catalog = {
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
  const scene = await consoleScene(catalog)
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
  const scene = await consoleScene(catalog)
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
  const scene = await consoleScene(catalog)
  await answered(scene, 'quin', true, 2_000)
  scene.on.time.pass(7 * day)
  await answered(scene, 'quin', true, 2_000)
  const quin = await signedInByPasskey(scene, 'quin')
  expect((await reportFor(quin, '?since=7d')).all.reviews).toBe(1)
  expect((await reportFor(quin, '?since=8d')).all.reviews).toBe(2)
  expect(await quin.refused('attention', { query: '?since=yesterday' })).toBe('400 request_invalid')
})
