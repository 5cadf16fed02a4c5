// What people say at the console beside their answers: which browser signs for them, whom they ask
// to look, and who answers while they are away.
import { describe, expect, test } from 'vitest'
import { publicKeyOf, signData } from '#record/crypto/private-key'
import { jsonOf } from '#record/canonical'
import { outputOf } from '#schemas/operations/table'
import { InboxAnswer } from '#schemas/console/reviews'
import { AbsenceAnswer, BrowsersAnswer } from '#schemas/console/people-said'
import { Prepared } from '#schemas/console/authoring'
import type { ConsoleRouteName } from '#schemas/console/routes'
import { ConsoleSession } from '#schemas/console/people'
import type { SigningAsked } from '#schemas/console/signing'
import { changeCatalog, newKey } from '../support/runtime.ts'
import { expectReplay, read, reviewed, verdict } from '../support/scene.ts'
import { four } from '../people/passkey-scene.ts'
import { cardAt, openReview, prepared, submitted } from './answering-scene.ts'
import {
  consoleScene,
  signedBy,
  signedInByLink,
  signedInByPasskey,
  type Answered,
  type AtBrowser,
  type ConsoleScene,
  type Who,
} from './console-scene.ts'

const day = 24 * 3_600_000

interface Acting {
  readonly who: Who
  readonly body: object
  readonly params?: Readonly<Record<string, string>>
}

/** Prepares it, lets the passkey sign, and submits. */
async function said(
  browser: AtBrowser,
  act: 'browser' | 'handover' | 'absence',
  { who, body, params = {} }: Acting,
): Promise<Answered> {
  const names: readonly [ConsoleRouteName, ConsoleRouteName] = [`${act}Prepare`, `${act}Submit`]
  const answered = await browser.ask(names[0], { params, body })
  if (answered.status !== 200) return answered
  const { toSign } = Prepared.parse(JSON.parse(answered.text))
  return browser.ask(names[1], { params, body: { ...body, signed: signedBy(who, toSign) } })
}

function codeOf({ status, text }: Answered): unknown {
  return status === 200 ? 200 : Object(JSON.parse(text)).code
}

const browserKey = newKey()
const key = publicKeyOf(browserKey)

/** What a browser's own key makes of what is to be signed. */
function byBrowser({ of, data }: SigningAsked) {
  return { of, data, signature: signData(of, jsonOf(data), browserKey) }
}

function within({ on }: ConsoleScene, ms: number): string {
  return new Date(on.time.now + ms).toISOString()
}

const admitting = { signedWith: 'browser' as const }

describe('the key of a browser', () => {
  async function enrolled(more: Partial<typeof admitting & { quorum: number }> = {}) {
    const scene = await consoleScene({ confirmations: [{ ...four, ...more }] })
    const quin = await signedInByPasskey(scene, 'quin')
    const body = { key, until: within(scene, 7 * day), label: 'at home' }
    expect(codeOf(await said(quin, 'browser', { who: 'quin', body }))).toBe(200)
    return { scene, quin, intent: await openReview(scene) }
  }

  test('signs where the review admits it, over the same bytes as a passkey', async () => {
    const { scene, quin, intent } = await enrolled(admitting)
    const card = await cardAt(quin, intent)
    expect(card.demands.signedWith).toBe('browser')
    const { body, toSign } = await prepared(quin, card)
    const turned = { ...Object(toSign.data), answers: [false] }
    const forged = { ...byBrowser(toSign), data: turned }
    expect((await submitted(quin, intent, { ...body, signed: forged })).status).toBe(422)
    const sent = { ...body, signed: byBrowser(toSign) }
    expect((await submitted(quin, intent, sent)).status).toBe(200)
    expect(await verdict(scene.on.log, intent)).toMatchObject({ outcome: 'allow' })
    await expectReplay(scene.on)
  })

  test('is refused before anything is bound where the review does not admit it', async () => {
    const { scene, quin, intent } = await enrolled()
    const { body, toSign } = await prepared(quin, await cardAt(quin, intent))
    const { length } = await scene.on.facts()
    const tried = await submitted(quin, intent, { ...body, signed: byBrowser(toSign) })
    expect(tried).toMatchObject({ status: 409, code: 'decision_void', state: 'open' })
    expect(await scene.on.facts()).toHaveLength(length)
    const signed = signedBy('quin', toSign)
    expect((await submitted(quin, intent, { ...body, signed })).status).toBe(200)
  })

  test('is its owner’s alone, and signs nothing else', async () => {
    const { scene, quin, intent } = await enrolled(admitting)
    const piet = await signedInByPasskey(scene, 'piet')
    const { body, toSign } = await prepared(piet, await cardAt(piet, intent))
    const tried = await submitted(piet, intent, { ...body, signed: byBrowser(toSign) })
    expect(tried).toMatchObject({ status: 422, code: 'signature_needed' })
    const away = { deputy: 'piet', until: within(scene, day) }
    const asked = Prepared.parse(await quin.get('absencePrepare', { body: away }))
    const sent = { body: { ...away, signed: byBrowser(asked.toSign) } }
    expect(await quin.refused('absenceSubmit', sent)).toBe('422 signature_needed')
  })

  test('is listed for its owner until it ends, or its passkey does', async () => {
    const { scene, quin } = await enrolled(admitting)
    const listed = async (browser: AtBrowser) =>
      BrowsersAnswer.parse(await browser.get('browsers')).browsers
    expect(await listed(quin)).toMatchObject([{ key, label: 'at home' }])
    expect(await listed(await signedInByLink(scene, 'piet'))).toEqual([])
    scene.on.time.pass(6 * day)
    const later = await signedInByLink(scene, 'quin')
    expect(await listed(later)).toHaveLength(1)
    const entry = { id: 'quin', roles: [], attributes: {}, keys: [], suspended: false }
    await changeCatalog(scene.on.runtime, { op: 'put', collection: 'principals', entry })
    expect(await listed(later)).toEqual([])
  })

  test('is ended by a passkey, and what it signed counts no more', async () => {
    const { scene, quin, intent } = await enrolled({ ...admitting, quorum: 2 })
    const { body, toSign } = await prepared(quin, await cardAt(quin, intent))
    await submitted(quin, intent, { ...body, signed: byBrowser(toSign) })
    const counts = async () => (await cardAt(quin, intent)).answers.map((one) => one.counts)
    expect(await counts()).toEqual([true])
    const end = { who: 'quin', body: { key, until: null } } as const
    expect(codeOf(await said(quin, 'browser', end))).toBe(200)
    expect(BrowsersAnswer.parse(await quin.get('browsers')).browsers).toEqual([])
    expect(await counts()).toEqual([false])
    expect(codeOf(await said(quin, 'browser', end))).toBe('word_void')
    await expectReplay(scene.on)
  })

  test('ends after seven days at most, and takes a passkey', async () => {
    const scene = await consoleScene()
    const quin = await signedInByPasskey(scene, 'quin')
    const long = { key, until: within(scene, 7 * day + 1) }
    expect(codeOf(await said(quin, 'browser', { who: 'quin', body: long }))).toBe('word_void')
    const body = { key, until: within(scene, day) }
    const { toSign } = Prepared.parse(await quin.get('browserPrepare', { body }))
    const own = { body: { ...body, signed: byBrowser(toSign) } }
    expect(await quin.refused('browserSubmit', own)).toBe('422 signature_needed')
  })
})

describe('a handover', () => {
  test('shows on both cards and in the inbox of who is asked, and takes nothing', async () => {
    const scene = await consoleScene()
    const intent = await openReview(scene)
    const [quin, piet] = [
      await signedInByPasskey(scene, 'quin'),
      await signedInByPasskey(scene, 'piet'),
    ]
    const body = { to: 'piet', note: 'you know the folder' }
    const acting = { who: 'quin', body, params: { intent } } as const
    expect(codeOf(await said(quin, 'handover', acting))).toBe(200)
    const { handovers, review, name } = await cardAt(piet, intent)
    expect(handovers).toMatchObject([{ from: 'quin', to: 'piet', note: 'you know the folder' }])
    const [bound] = scene.on.runtime.follower.state.intents.get(intent)?.handovers ?? []
    expect(await read(scene.on.log, 'handover', bound?.name ?? '')).toMatchObject({
      intent: review.intent,
      review: name,
    })
    const rows = async (browser: AtBrowser) =>
      InboxAnswer.parse(await browser.get('inbox')).open.map(({ askedBy }) => askedBy)
    expect([await rows(piet), await rows(quin)]).toEqual([[['quin']], [[]]])
    expect((await cardAt(quin, intent)).cannot).toBeNull()
    expect(codeOf(await said(quin, 'handover', acting))).toBe('decided')
  })

  test('goes to no one who may not answer, and from no one who may not', async () => {
    const scene = await consoleScene()
    const intent = await openReview(scene)
    const quin = await signedInByPasskey(scene, 'quin')
    const to = { who: 'quin', body: { to: 'olga' }, params: { intent } } as const
    expect(codeOf(await said(quin, 'handover', to))).toBe('word_void')
    const olga = await signedInByPasskey(scene, 'olga')
    const from = { who: 'olga', body: { to: 'quin' }, params: { intent } } as const
    expect(codeOf(await said(olga, 'handover', from))).toBe('no_review')
  })
})

describe('a deputy', () => {
  const alone = { groups: [{ id: 'people', members: ['piet'] }] }

  async function away(demands: object = { deputies: true }) {
    const scene = await consoleScene({ ...alone, confirmations: [{ ...four, ...demands }] })
    const piet = await signedInByPasskey(scene, 'piet')
    const body = { deputy: 'quin', until: within(scene, day), note: 'at sea' }
    expect(codeOf(await said(piet, 'absence', { who: 'piet', body }))).toBe(200)
    return { scene, piet, intent: await openReview(scene) }
  }

  const inboxOf = async (browser: AtBrowser) =>
    InboxAnswer.parse(await browser.get('inbox')).open.map((row) => [row.intent, row.for])

  test('finds in the inbox what they may answer, and answers in that person’s place', async () => {
    const { scene, intent } = await away()
    const quin = await signedInByPasskey(scene, 'quin')
    expect(await inboxOf(quin)).toEqual([[intent, 'piet']])
    const card = await cardAt(quin, intent)
    expect(card).toMatchObject({ cannot: null, deputies: [{ person: 'quin', instead: 'piet' }] })
    const params = { intent }
    const plain = { answers: [true], digest: card.review.digest }
    expect(await quin.refused('answerPrepare', { params, body: plain })).toBe('409 decision_void')
    const { body, toSign } = await prepared(quin, card, true, { for: 'piet' })
    expect(toSign.data).toMatchObject({ confirmer: 'quin', for: 'piet' })
    const sent = { ...body, signed: signedBy('quin', toSign) }
    expect((await submitted(quin, intent, sent)).status).toBe(200)
    expect(await verdict(scene.on.log, intent)).toMatchObject({ outcome: 'allow' })
    expect(await cardAt(quin, intent)).toMatchObject({ cannot: 'decided' })
    const { rows } = outputOf('pastReviews').parse(await quin.get('pastReviews'))
    expect(rows).toMatchObject([{ intent, answers: [{ person: 'quin', agreed: true }] }])
    await expectReplay(scene.on)
  })

  test('has the right of a confirmer as long as they stand in for someone', async () => {
    const { scene, piet } = await away()
    const quin = await signedInByLink(scene, 'quin')
    const rights = async () => ConsoleSession.parse(await quin.get('session')).person?.rights
    expect(await rights()).toEqual(['confirmer'])
    const standsIn = async () => AbsenceAnswer.parse(await quin.get('absence')).standsIn
    expect(await standsIn()).toMatchObject([{ for: 'piet', note: 'at sea' }])
    const back = { who: 'piet', body: { deputy: null, until: null } } as const
    expect(codeOf(await said(piet, 'absence', back))).toBe(200)
    expect([await rights(), await standsIn(), await inboxOf(quin)]).toEqual([[], [], []])
  })

  test.each([
    ['where no rule admits one', {}],
    ['of the side that asks', { deputies: true, side: 'quin' }],
  ])('%s is not asked', async (_, { side, ...demands }: { side?: string; deputies?: boolean }) => {
    const scene = await consoleScene({
      ...alone,
      confirmations: [{ ...four, ...(demands.deputies === true && { deputies: true }) }],
    })
    const deputy = side === undefined ? 'quin' : 'olga'
    const piet = await signedInByPasskey(scene, 'piet')
    const body = { deputy, until: within(scene, day) }
    expect(codeOf(await said(piet, 'absence', { who: 'piet', body }))).toBe(200)
    const intent = await openReview(scene)
    const browser = await signedInByPasskey(scene, deputy)
    expect(await inboxOf(browser)).toEqual([])
    // The owner of the agent is asked nothing about it either.
    expect(await browser.refused('card', { params: { intent } })).toBe('404 no_review')
  })

  test('answers nothing once the absence has ended', async () => {
    const scene = await consoleScene({
      ...alone,
      confirmations: [{ ...four, deputies: true, decideWithinMs: 9 * day }],
    })
    const piet = await signedInByPasskey(scene, 'piet')
    const until = within(scene, day)
    await said(piet, 'absence', { who: 'piet', body: { deputy: 'quin', until } })
    const own = AbsenceAnswer.parse(await piet.get('absence'))
    expect(own).toMatchObject({ own: { deputy: 'quin', until }, standsIn: [] })
    await reviewed(scene.on, { intent: { tool: 'purge', args: {} } })
    scene.on.time.pass(day)
    expect(await inboxOf(await signedInByPasskey(scene, 'quin'))).toHaveLength(1)
    scene.on.time.pass(1)
    expect(await inboxOf(await signedInByPasskey(scene, 'quin'))).toEqual([])
    const again = await signedInByPasskey(scene, 'piet')
    expect(AbsenceAnswer.parse(await again.get('absence')).own).toBeNull()
  })

  test('who is asked anyway answers for themselves, and once', async () => {
    const scene = await consoleScene({ confirmations: [{ ...four, deputies: true, quorum: 2 }] })
    const piet = await signedInByPasskey(scene, 'piet')
    const body = { deputy: 'quin', until: within(scene, day) }
    await said(piet, 'absence', { who: 'piet', body })
    const intent = await openReview(scene)
    const quin = await signedInByPasskey(scene, 'quin')
    expect(await inboxOf(quin)).toEqual([[intent, null]])
    const found = await prepared(quin, await cardAt(quin, intent))
    await submitted(quin, intent, { ...found.body, signed: signedBy('quin', found.toSign) })
    expect(await inboxOf(quin)).toEqual([])
    expect(await cardAt(quin, intent)).toMatchObject({ cannot: 'answered', state: 'open' })
  })
})
