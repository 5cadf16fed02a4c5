// Test questions at the console: like any other until they are answered, then said to be one; and
// nothing that anyone signs for one counts for the other.
import { expect, test } from 'vitest'
import { jsonOf } from '#core/kernel/canonical'
import { nameOf } from '#core/kernel/names'
import { BoundAnswer, type SigningAsked } from '#schemas/console/signing'
import { CardAnswer, InboxAnswer, PreparedAnswer } from '#schemas/console/reviews'
import { drawDrill, plantDrill } from '#services/client/people/drills'
import { keys } from '../../../support/runtime.ts'
import { expectReplay, place, reviewed } from '../../../support/scene.ts'
import {
  consoleScene,
  signedBy,
  signedInByPasskey,
  type AtBrowser,
  type ConsoleScene,
} from '../console-scene.ts'

const catalog = {
  groups: [{ id: 'people', members: ['piet', 'quin'] }],
  attention: { drills: [{ person: 'quin' }] },
}

interface Drilled {
  readonly scene: ConsoleScene
  /** The address that the drill is shown under, and that of the review it is drawn from. */
  readonly drill: string
  readonly real: string
  readonly name: string
}

async function drilled(): Promise<Drilled> {
  const scene = await consoleScene(catalog)
  const args = jsonOf({ path: '/a', count: 3 })
  const real = await reviewed(scene.on, { intent: { tool: 'purge', args } })
  scene.on.time.pass(1_000)
  const review = nameOf(place, 'review', real, 1)
  const toSign = await drawDrill(scene.on.runtime, { review, by: 'root' })
  const { name } = await plantDrill(scene.on.runtime, toSign, { privateKey: keys.root })
  return { scene, real, name, drill: toSign.drill.asks.intent.address }
}

async function cardAt(browser: AtBrowser, intent: string): Promise<CardAnswer> {
  return CardAnswer.parse(await browser.get('card', { params: { intent } }))
}

interface Prepared {
  readonly body: object
  readonly toSign: SigningAsked
}

async function prepared(browser: AtBrowser, intent: string, yes: boolean): Promise<Prepared> {
  const { review } = await cardAt(browser, intent)
  const body = { answers: review.questions.map(() => yes), digest: review.digest }
  const at = { params: { intent }, body }
  return { body, ...PreparedAnswer.parse(await browser.get('answerPrepare', at)) }
}

async function submitted(browser: AtBrowser, intent: string, { body, toSign }: Prepared) {
  const sent = { ...body, signed: signedBy('quin', toSign) }
  return browser.ask('answerSubmit', { params: { intent }, body: sent })
}

test('it stands in the inbox like any other, and for those alone who agreed', async () => {
  const { scene, drill, real } = await drilled()
  const quin = await signedInByPasskey(scene, 'quin')
  const { count, open } = InboxAnswer.parse(await quin.get('inbox'))
  expect([count, open.map(({ intent }) => intent)]).toEqual([2, [real, drill]])
  const [before, planted] = open
  expect(Object.keys(planted ?? {})).toEqual(Object.keys(before ?? {}))
  expect(planted).toMatchObject({ capability: 'purge', args: { path: '/a', count: 3_000 } })
  const [shown, asked] = [await cardAt(quin, drill), await cardAt(quin, real)]
  expect(Object.keys(shown).toSorted()).toEqual(Object.keys(asked).toSorted())
  expect(shown).toMatchObject({ state: 'open', cannot: null, waits: { people: ['piet', 'quin'] } })
  const piet = await signedInByPasskey(scene, 'piet')
  expect(InboxAnswer.parse(await piet.get('inbox')).count).toBe(1)
  expect(await piet.refused('card', { params: { intent: drill } })).toBe('404 no_review')
})

test('a page after the first goes on behind it', async () => {
  const { scene, drill, real } = await drilled()
  const quin = await signedInByPasskey(scene, 'quin')
  const first = InboxAnswer.parse(await quin.get('inbox', { query: '?limit=1' }))
  const query = `?limit=1&after=${first.next}`
  const second = InboxAnswer.parse(await quin.get('inbox', { query }))
  const intents = [first, second].map(({ open }) => open.map(({ intent }) => intent))
  expect([intents, second.next]).toEqual([[[real], [drill]], null])
})

test.each([
  ['declined', false],
  ['agreed to', true],
] as const)('once it is %s its card says what it was', async (_how, yes) => {
  const { scene, drill, real, name } = await drilled()
  const quin = await signedInByPasskey(scene, 'quin')
  const made = await prepared(quin, drill, yes)
  expect(made.toSign.of.name).toBe(`${name.replace('.drill.', '.drillanswer.')}.quin`)
  const { status, text } = await submitted(quin, drill, made)
  expect([status, BoundAnswer.parse(JSON.parse(text)).name]).toEqual([200, made.toSign.of.name])
  expect(await cardAt(quin, drill)).toMatchObject({ cannot: 'answered', drill: { caught: !yes } })
  const { open } = InboxAnswer.parse(await quin.get('inbox'))
  expect(open.map(({ intent }) => intent)).toEqual([real])
  const { past } = InboxAnswer.parse(await quin.get('inbox', { query: '?state=past' }))
  expect(past).toMatchObject([{ intent: drill, ended: 'test', answered: yes }])
  expect((await submitted(quin, drill, made)).status).toBe(409)
  expect([...scene.on.runtime.follower.state.intents.keys()]).toEqual([real])
  await expectReplay(scene.on)
})

test('what was signed for it decides nothing, and no decision answers it', async () => {
  const { scene, drill, real } = await drilled()
  const quin = await signedInByPasskey(scene, 'quin')
  const [ofDrill, ofReal] = [await prepared(quin, drill, true), await prepared(quin, real, true)]
  const facts = (await scene.on.facts()).length
  const crossed = [
    [real, { ...ofReal, toSign: ofDrill.toSign }],
    [drill, { ...ofDrill, toSign: ofReal.toSign }],
  ] as const
  for (const [intent, of] of crossed) {
    expect((await submitted(quin, intent, of)).status).toBe(409)
  }
  expect((await scene.on.facts()).length).toBe(facts)
})

test('the last moment counts, and then it has ended without saying more', async () => {
  const { scene, drill } = await drilled()
  const quin = await signedInByPasskey(scene, 'quin')
  const { review } = await cardAt(quin, drill)
  const leftMs = Date.parse(review.decideBy) - scene.on.time.now
  scene.on.time.pass(leftMs)
  expect(await cardAt(quin, drill)).toMatchObject({ state: 'open', cannot: null })
  scene.on.time.pass(1)
  const late = await cardAt(quin, drill)
  expect(late).toMatchObject({ state: 'expired', cannot: 'expired' })
  expect(late.drill).toBeUndefined()
  const { past } = InboxAnswer.parse(await quin.get('inbox', { query: '?state=past' }))
  expect(past.map(({ intent, ended }) => [intent === drill, ended])).toContainEqual([
    true,
    'expired',
  ])
})
