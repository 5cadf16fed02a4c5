// A confirmer at the console: the inbox, the card, and an answer that is signed in the browser and
// that the server can neither make, change nor use again.
import { describe, expect, test } from 'vitest'
import { outputOf } from '#schemas/operations/table'
import { GrantShownAnswer, InboxAnswer, PreparedAnswers } from '#schemas/console/reviews'
import { assert } from '#record/fault'
import { decide } from '#client/people/decide'
import { keys } from '../support/runtime.ts'
import { expectReplay, look, reviewed, verdict } from '../support/scene.ts'
import { four } from '../people/passkey-scene.ts'
import { consoleScene, signedBy, signedInByPasskey } from './console-scene.ts'
import { cardAt, openReview, prepared, quorumOne, submitted } from './answering-scene.ts'

describe('the inbox', () => {
  test('has what the person may answer, the first to expire first, a page at a time', async () => {
    const scene = await consoleScene(quorumOne)
    const first = await openReview(scene, { path: '/1' })
    scene.on.time.pass(1_000)
    const second = await openReview(scene, { path: '/2' })
    const quin = await signedInByPasskey(scene, 'quin')
    const page = InboxAnswer.parse(await quin.get('inbox', { query: '?limit=1' }))
    expect([page.count, page.open.map(({ intent }) => intent)]).toEqual([2, [first]])
    const query = `?limit=1&after=${page.next}`
    const next = InboxAnswer.parse(await quin.get('inbox', { query }))
    expect([next.next, next.open.map(({ intent }) => intent)]).toEqual([null, [second]])
    expect(next.open[0]).toMatchObject({ capability: 'purge', agent: 'bot', args: { path: '/2' } })
    const olga = await signedInByPasskey(scene, 'olga')
    expect(InboxAnswer.parse(await olga.get('inbox')).count).toBe(0)
  })

  test('loses what the person answered and what is late, and keeps both as past', async () => {
    const scene = await consoleScene(quorumOne)
    const quin = await signedInByPasskey(scene, 'quin')
    const intent = await openReview(scene)
    const { body, toSign } = await prepared(quin, await cardAt(quin, intent), false)
    await submitted(quin, intent, { ...body, signed: signedBy('quin', toSign) })
    const late = await openReview(scene, { path: '/late' })
    const { length } = InboxAnswer.parse(await quin.get('inbox')).open
    scene.on.time.pass(15 * 60_000 + 1)
    await verdict(scene.on.log, late)
    const { open } = InboxAnswer.parse(await quin.get('inbox'))
    expect([length, open.length]).toEqual([1, 0])
    const { rows } = outputOf('pastReviews').parse(await quin.get('pastReviews'))
    expect(rows.map(({ intent: of, ended, answers }) => [of, ended, answers])).toEqual([
      [late, 'expired', []],
      [intent, 'denied', [{ person: 'quin', agreed: false }]],
    ])
  })

  test('lists as past what was answered last first, whenever it was asked, on every page', async () => {
    const scene = await consoleScene(quorumOne)
    const quin = await signedInByPasskey(scene, 'quin')
    const asked: string[] = []
    for (const path of ['/a', '/b', '/c', '/d']) asked.push(await openReview(scene, { path }))
    const order = [2, 0, 3, 1].flatMap((index) => asked[index] ?? [])
    for (const intent of order) {
      scene.on.time.pass(1_000)
      const { body, toSign } = await prepared(quin, await cardAt(quin, intent))
      await submitted(quin, intent, { ...body, signed: signedBy('quin', toSign) })
      await verdict(scene.on.log, intent)
    }
    const listed: string[] = []
    for (let cursor = ''; ;) {
      const query = `?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`
      const { rows, next } = outputOf('pastReviews').parse(await quin.get('pastReviews', { query }))
      listed.push(...rows.map(({ intent }) => intent))
      if (next === null) break
      cursor = String(next)
    }
    expect(listed).toEqual(order.toReversed())
  })
})

describe('an answer', () => {
  test('is signed by the passkey and is the same fact that the command line binds', async () => {
    const scene = await consoleScene(quorumOne)
    const intent = await openReview(scene)
    const quin = await signedInByPasskey(scene, 'quin')
    const card = await cardAt(quin, intent)
    expect(card).toMatchObject({ state: 'open', cannot: null, lastApproved: null, answers: [] })
    const { body, toSign } = await prepared(quin, card)
    const { status } = await submitted(quin, intent, { ...body, signed: signedBy('quin', toSign) })
    expect(status).toBe(200)
    expect(await verdict(scene.on.log, intent)).toMatchObject({
      outcome: 'allow',
      confirmedBy: ['quin'],
    })
    const after = await cardAt(quin, intent)
    expect(after).toMatchObject({ state: 'decided', cannot: 'decided' })
    expect(after.answers.map(({ counts, data }) => [counts, data.confirmer])).toEqual([
      [true, 'quin'],
    ])
    await expectReplay(scene.on)
  })

  test('shows what differs from the last call that people agreed to', async () => {
    const scene = await consoleScene(quorumOne)
    const quin = await signedInByPasskey(scene, 'quin')
    const before = await openReview(scene, { path: '/a', deep: { of: [1, 2] } })
    const { body, toSign } = await prepared(quin, await cardAt(quin, before))
    await submitted(quin, before, { ...body, signed: signedBy('quin', toSign) })
    await verdict(scene.on.log, before)
    const intent = await openReview(scene, { path: '/b', deep: { of: [1] } })
    const { lastApproved, differs } = await cardAt(quin, intent)
    expect(lastApproved).toMatchObject({ intent: before, confirmedBy: ['quin'] })
    expect(differs).toEqual([
      { pointer: '/deep/of/1', before: 2 },
      { pointer: '/path', before: '/a', now: '/b' },
    ])
    const again = await prepared(quin, await cardAt(quin, intent))
    await submitted(quin, intent, { ...again.body, signed: signedBy('quin', again.toSign) })
    await verdict(scene.on.log, intent)
    // What it is compared with stays the same when it is itself the last.
    expect(await cardAt(quin, intent)).toMatchObject({ state: 'decided', lastApproved, differs })
    expect(await cardAt(quin, before)).toMatchObject({ lastApproved: null, differs: null })
  })

  test('cannot be made, turned, moved or used again by who holds the server', async () => {
    const scene = await consoleScene(quorumOne)
    const quin = await signedInByPasskey(scene, 'quin')
    const [intent, other] = [await openReview(scene), await openReview(scene, { path: '/b' })]
    const { body, toSign } = await prepared(quin, await cardAt(quin, intent), false)
    const signed = signedBy('quin', toSign)
    const card = await cardAt(quin, intent)
    const turned = { ...body, answers: card.review.questions.map(() => true) }
    const facts = (await scene.on.facts()).length
    const tries = [
      [intent, { ...turned, signed }],
      [intent, { ...body, note: 'and this', signed }],
      [other, { ...body, digest: (await cardAt(quin, other)).review.digest, signed }],
      [
        intent,
        { ...turned, signed: { ...signed, data: { ...Object(signed.data), answers: [true] } } },
      ],
    ] as const
    for (const [at, sent] of tries) {
      expect([409, 422]).toContain((await submitted(quin, at, sent)).status)
    }
    // What agrees with itself and was signed by someone else, or not by a person who was there.
    const piets = signedBy('piet', toSign)
    const absent = signedBy('quin', toSign, { flags: 0 })
    for (const by of [piets, absent]) {
      expect(await submitted(quin, intent, { ...body, signed: by })).toMatchObject({
        status: 422,
        code: 'signature_needed',
      })
    }
    expect((await scene.on.facts()).length).toBe(facts)
    expect((await submitted(quin, intent, { ...body, signed })).status).toBe(200)
    expect((await submitted(quin, intent, { ...body, signed })).status).toBe(409)
  })

  test('that came second is answered with the card as it is now', async () => {
    const scene = await consoleScene(quorumOne)
    const intent = await openReview(scene)
    const [quin, piet] = [
      await signedInByPasskey(scene, 'quin'),
      await signedInByPasskey(scene, 'piet'),
    ]
    const [one, two] = [
      await prepared(quin, await cardAt(quin, intent)),
      await prepared(piet, await cardAt(piet, intent), false),
    ]
    const first = { ...one.body, signed: signedBy('quin', one.toSign) }
    expect((await submitted(quin, intent, first)).status).toBe(200)
    await verdict(scene.on.log, intent)
    const second = { ...two.body, signed: signedBy('piet', two.toSign) }
    expect(await submitted(piet, intent, second)).toEqual({
      status: 409,
      code: 'decision_void',
      state: 'decided',
    })
  })

  test('that is prepared in time counts up to the last moment and not after', async () => {
    const scene = await consoleScene(quorumOne)
    const intent = await openReview(scene)
    const quin = await signedInByPasskey(scene, 'quin')
    const card = await cardAt(quin, intent)
    const { body, toSign } = await prepared(quin, card)
    scene.on.time.pass(Date.parse(card.review.decideBy) - scene.on.time.now + 1)
    const late = await submitted(quin, intent, { ...body, signed: signedBy('quin', toSign) })
    expect(late).toMatchObject({ status: 409, state: 'expired' })
  })

  test('to several is prepared at once, and each is signed by itself', async () => {
    const scene = await consoleScene(quorumOne)
    const quin = await signedInByPasskey(scene, 'quin')
    const intents = [await openReview(scene), await openReview(scene, { path: '/b' })]
    const cards = await Promise.all(intents.map((intent) => cardAt(quin, intent)))
    const items = cards.map(({ intent, review }) => ({
      intent,
      answers: review.questions.map(() => false),
      digest: review.digest,
    }))
    const [first] = items
    assert(first !== undefined, 'two are open')
    const stray = { ...first, digest: 'sha256:0' }
    const body = { items: [...items, stray] }
    const found = PreparedAnswers.parse(await quin.get('answersPrepare', { body }))
    expect(found.items.map(({ code }) => code)).toEqual([null, null, 'signing_changed'])
    for (const [at, { intent, toSign }] of found.items.entries()) {
      if (toSign === null) continue
      const { answers, digest } = items[at] ?? first
      const sent = { answers, digest, signed: signedBy('quin', toSign) }
      expect((await submitted(quin, intent, sent)).status).toBe(200)
    }
  })

  test('of the command line is seen at the console at once', async () => {
    const scene = await consoleScene()
    const intent = await reviewed(scene.on, { intent: { tool: 'erase', args: {} } })
    const root = await signedInByPasskey(scene, 'root')
    expect(await root.refused('answerPrepare', { params: { intent } })).toMatch(/^400/)
    const card = await cardAt(root, intent)
    expect(card).toMatchObject({ cannot: 'not_asked', state: 'open' })
    await expect(
      decide(scene.on.runtime, {
        intent,
        confirmer: 'olga',
        privateKey: keys.olga,
        answers: true,
      }),
    ).rejects.toMatchObject({ code: 'decision_void' })
  })
})

describe('a grant', () => {
  test('is shown with what it would have let through, and signed as it was shown', async () => {
    const scene = await consoleScene(quorumOne)
    const intent = await openReview(scene)
    const quin = await signedInByPasskey(scene, 'quin')
    const params = { intent }
    const until = new Date(scene.on.time.now + 86_400_000).toISOString()
    const body = { when: 'args.path == "/a"', uses: 3, until }
    const shown = GrantShownAnswer.parse(await quin.get('grantPrepare', { params, body }))
    expect(shown.grant).toMatchObject({ confirmer: 'quin', uses: 3, capability: 'purge' })
    const signed = signedBy('quin', shown.toSign)
    const wider = { ...signed, data: { ...Object(signed.data), uses: 300 } }
    const tried = await quin.ask('grantSubmit', { params, body: { id: shown.id, signed: wider } })
    expect(tried.status).not.toBe(200)
    const bound = await quin.ask('grantSubmit', { params, body: { id: shown.id, signed } })
    expect([bound.status, bound.status === 200 ? '' : bound.text]).toEqual([200, ''])
    expect(await quin.get('grants')).toMatchObject({
      rows: [{ grant: shown.id, state: 'open' }],
    })
  })
})

describe('a reason', () => {
  test.each([
    [{}, { approving: 0, declining: 0 }],
    [{ reason: 'decline' }, { approving: 0, declining: 1 }],
    [{ reason: 'always' }, { approving: 1, declining: 1 }],
  ] as const)('is demanded by %o as %o', async (demands, reason) => {
    const scene = await consoleScene({ confirmations: [{ ...four, ...demands }] })
    const intent = await openReview(scene)
    const quin = await signedInByPasskey(scene, 'quin')
    expect((await cardAt(quin, intent)).demands.reason).toEqual(reason)
    const [row] = InboxAnswer.parse(await quin.get('inbox')).open
    expect(row?.demands.reason).toEqual(reason)
  })

  test('that answers a question is as long as it takes, and who declines owes none', async () => {
    const scene = await consoleScene({ capabilities: [{ ...look, safetyClass: 'WRITE' }] })
    const intent = await reviewed(scene.on, { intent: { tool: 'look', args: {} } })
    const card = await cardAt(await signedInByPasskey(scene, 'olga'), intent)
    expect(card.review.questions[0]?.kind).toBe('justification')
    expect(card.demands.reason).toEqual({ approving: 15, declining: 0 })
  })
})
