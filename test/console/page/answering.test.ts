// A person answers on a phone: what their passkey signs is what they saw, whatever the server says.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { jsonOf } from '#record/canonical'
import { digestOfJson } from '#record/digest'
import { cardTexts } from '#present/console/card-text'
import type { CardAnswer } from '#schemas/console/reviews'
import { virtualPasskeys, type VirtualPasskeys } from '../../support/browser/authenticator.ts'
import { hasBrowser, openPage, desk, phone } from '../../support/browser/chromium.ts'
import { cardOf } from '../../support/browser/made-up-reviews.ts'
import { expectRefused, press } from '../../support/browser/pressing.ts'
import { challengeFor, standIn, type StandIn } from '../../support/browser/stand-in.ts'
import { assert } from '#record/fault'
import { violationsOf } from '../../support/browser/axe.ts'
import { erase, expectReplay, names, read, reviewed, verdict } from '../../support/scene.ts'
import { four } from '../../people/passkey-scene.ts'
import { lookedAtBy, overseen, type Overseen } from '../overseeing/overseeing-scene.ts'

const Signed = z.object({
  of: z.object({ log: z.string().nullable(), name: z.string() }),
  data: z.record(z.string(), z.json()),
  signature: z.object({ format: z.literal('webauthn'), clientData: z.string() }),
})
const Submitted = z.object({ signed: Signed })
const ClientData = z.object({ challenge: z.string(), type: z.string() })

interface Opened {
  readonly page: Page
  readonly on: StandIn
  readonly passkeys: VirtualPasskeys
}

async function openCard(card: CardAnswer): Promise<Opened> {
  const on = await standIn({ cards: [card] })
  const page = await openPage()
  const passkeys = await virtualPasskeys(page)
  await page.goto(on.url)
  on.passkeys = [await passkeys.make()]
  await page.goto(`${on.url}#/reviews/${encodeURIComponent(card.intent)}`)
  await page.reload()
  return { page, on, passkeys }
}

describe.runIf(hasBrowser)('an answer', () => {
  test('is signed over what the person saw, and nothing else', async () => {
    const card = cardOf()
    const { page, on } = await openCard(card)
    await press(page, 'Approve once')
    await page.getByText('You have answered this.').or(page.getByText('Decided')).first().waitFor()
    expect(on.submitted).toHaveLength(1)
    const { signed } = Submitted.parse(on.submitted[0])
    expect(signed.data).toEqual({
      answers: [true],
      confirmer: 'ann',
      digest: card.review.digest,
      intent: card.review.intent,
      review: card.name,
      shown: { digest: digestOfJson(jsonOf(cardTexts(card))), language: 'en' },
    })
    const bytes = Buffer.from(signed.signature.clientData, 'base64url').toString()
    const { challenge, type } = ClientData.parse(JSON.parse(bytes))
    expect(type).toBe('webauthn.get')
    expect(challenge).toBe(challengeFor(signed.of, signed.data))
  })

  test('is not signed where the server prepares another one', async () => {
    const { page, on } = await openCard(cardOf())
    await expectRefused(page, on, [
      ({ of, data }) => ({ of, data: jsonOf({ ...Object(data), answers: [true, true] }) }),
      ({ of, data }) => ({ of, data: jsonOf({ ...Object(data), note: 'fine' }) }),
      ({ of, data }) => ({ of: { ...of, log: null }, data }),
      ({ of, data }) => ({ of: { ...of, name: of.name.replace('decision', 'grant') }, data }),
    ])
  })

  test('is not possible where the digest is not that of what is shown', async () => {
    const card = cardOf()
    const args = { ...Object(card.review.terms.args), amount: 24 }
    const review = { ...card.review, terms: { ...card.review.terms, args } }
    const { page } = await openCard({ ...card, review })
    await page.getByText('What you see is not what the record asks').waitFor()
    expect(await page.getByRole('button', { name: 'Approve once' }).count()).toBe(0)
  })

  test('is not sent where the device does not confirm', async () => {
    const { page, on, passkeys } = await openCard(cardOf())
    await passkeys.confirms(false)
    await press(page, 'Decline')
    await page.getByText('your device did not confirm it').waitFor()
    expect(on.submitted).toEqual([])
  })

  test('has its reason where the rule demands one', async () => {
    const { page, on } = await openCard(
      cardOf({ demands: { signedWith: 'passkey', reason: { approving: 0, declining: 1 } } }),
    )
    await press(page, 'Decline')
    await page.getByText('A reason is needed').waitFor()
    await page.getByLabel('Your reason').fill('The order was delivered')
    await press(page, 'Decline')
    await page.getByText('Decided').first().waitFor()
    const { signed } = Submitted.parse(on.submitted[0])
    expect(signed.data).toMatchObject({ answers: [false], note: 'The order was delivered' })
  })

  test('has a reason as long as the question takes, and none where it is declined', async () => {
    const reason = { approving: 15, declining: 0 }
    const { page, on } = await openCard(cardOf({ demands: { signedWith: 'passkey', reason } }))
    await page.getByLabel('Your reason').fill('too short')
    await press(page, 'Approve once')
    await page.getByText('A reason of at least 15 characters is needed').waitFor()
    await page.getByLabel('Your reason').fill('')
    await press(page, 'Decline')
    await page.getByText('Decided').first().waitFor()
    expect(Submitted.parse(on.submitted[0]).signed.data).not.toHaveProperty('note')
  })
})

describe.runIf(hasBrowser)('a grant', () => {
  const openGrant = async (card: CardAnswer): Promise<Opened> => {
    const opened = await openCard(card)
    await press(opened.page, 'Allow later too')
    return opened
  }

  test('is signed as the person chose it, for the agent that asked', async () => {
    const { page, on } = await openGrant(cardOf())
    await press(page, 'Look at what it would let through')
    await press(page, 'Sign this grant')
    await page.locator('dialog').waitFor({ state: 'detached' })
    const { signed } = Submitted.parse(on.submitted[0])
    expect(signed.data).toMatchObject({ agents: ['desk-bot'], capability: 'refund_order', uses: 5 })
  })

  test('is not signed where the server makes it wider', async () => {
    const { page, on } = await openGrant(cardOf())
    const year = new Date(Date.now() + 365 * 86_400_000).toISOString()
    const wider: readonly object[] = [
      { agents: ['desk-bot', 'other-bot'] },
      { until: year },
      { when: 'true' },
      { uses: 1_000 },
      { perCell: true },
      { questions: [{ kind: 'condition', rule: 'all' }] },
    ]
    for (const more of wider) {
      on.lies = ({ of, data }) => ({ of, data: jsonOf({ ...Object(data), ...more }) })
      await press(page, 'Look at what it would let through')
      await page.getByText('What the server wants signed is not what you see').waitFor()
      await page.reload()
      await press(page, 'Allow later too')
    }
    expect(on.submitted).toEqual([])
  })
})

describe.runIf(hasBrowser)('a routine', () => {
  const when = 'grounding.concepts.all(one, one in ["read.inside"]) && args.root == "/srv/shop"'
  const offered = 'Approve, and later ones like it'
  const sign = 'Approve, and sign this grant'
  const opened = async (card = cardOf({ routine: when })): Promise<Opened> => {
    const there = await openCard(card)
    await press(there.page, offered)
    return there
  }
  const signedIn = (on: StandIn) => on.submitted.map((body) => Submitted.parse(body).signed)

  test('is approved, and granted as it was shown, by two signatures and the keyboard', async () => {
    const { page, on } = await openCard(cardOf({ routine: when }))
    await page.getByRole('button', { name: offered }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Look at what it would let through' }).focus()
    await page.keyboard.press('Enter')
    const text = page.locator('dialog pre').first()
    for (const part of [when, '1000 calls', 'desk-bot', 'large-refunds']) {
      expect(await text.textContent()).toContain(part)
    }
    expect(on.submitted).toEqual([])
    await page.getByRole('button', { name: sign }).focus()
    await page.keyboard.press('Enter')
    await page.locator('dialog').waitFor({ state: 'detached' })
    const [answer, grant] = signedIn(on)
    expect(answer?.data).toMatchObject({ answers: [true], confirmer: 'ann' })
    expect(grant?.data).toMatchObject({ when, uses: 1_000, agents: ['desk-bot'] })
    await page.getByRole('button', { name: 'Next review' }).waitFor()
  })

  test('is not offered where the server does not say which calls are like it', async () => {
    const { page } = await openCard(cardOf())
    await page.getByRole('button', { name: 'Approve once' }).waitFor()
    expect(await page.getByRole('button', { name: offered }).count()).toBe(0)
  })

  test('is signed once by a double click', async () => {
    const { page, on } = await opened()
    await press(page, 'Look at what it would let through')
    const sent: string[] = []
    page.on('request', (one) => sent.push(one.url().split('/').at(-1) ?? ''))
    await page.getByRole('button', { name: sign, exact: true }).dblclick()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(sent.filter((last) => last === 'prepare')).toHaveLength(1)
    expect(signedIn(on).map(({ of }) => of.name.split('.')[2])).toEqual(['decision', 'grant'])
  })

  test('is not granted where someone else answered meanwhile', async () => {
    const card = cardOf({ routine: when })
    const { page, on } = await opened(card)
    await press(page, 'Look at what it would let through')
    await page.getByRole('button', { name: sign, exact: true }).waitFor()
    on.cards.set(card.intent, { ...card, state: 'decided', cannot: 'decided' })
    await press(page, sign)
    await page.getByText('This review is not open any more.').waitFor()
    expect(on.submitted).toEqual([])
  })

  test('is granted later where the device did not confirm that at first', async () => {
    const { page, on, passkeys } = await opened()
    await press(page, 'Look at what it would let through')
    await page.getByRole('button', { name: sign, exact: true }).waitFor()
    await page.route(
      '**/submit',
      async (answer) => {
        await passkeys.confirms(false)
        await answer.continue()
      },
      { times: 1 },
    )
    await press(page, sign)
    await page.getByText('your device did not confirm it').waitFor()
    await passkeys.confirms(true)
    await press(page, sign)
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(signedIn(on).map(({ of }) => of.name.split('.')[2])).toEqual(['decision', 'grant'])
  })

  test('has the reason first that the answer takes', async () => {
    const reason = { approving: 15, declining: 0 }
    const demands = { signedWith: 'passkey' as const, reason }
    const { page, on } = await opened(cardOf({ routine: when, demands }))
    await page.getByText('A reason of at least 15 characters is needed').waitFor()
    expect(await page.locator('dialog').count()).toBe(0)
    await page.getByLabel('Your reason').fill('Ann called, it is fine')
    await press(page, offered)
    await press(page, 'Look at what it would let through')
    await press(page, sign)
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(signedIn(on)[0]?.data).toMatchObject({ note: 'Ann called, it is fine' })
  })

  test('shows all that a command holds, with what hides in it marked', async () => {
    const command = `npm test \u202E${'x'.repeat(1_800)}" || true || "\u200Bend`
    const routine = `${when} && args.command == ${JSON.stringify(command)}`
    const { page } = await opened(cardOf({ routine }))
    await press(page, 'Look at what it would let through')
    const text = page.locator('dialog pre').first()
    await text.waitFor()
    expect(await text.textContent()).toContain('end"')
    expect(await text.getByRole('button').count()).toBe(0)
    expect(await text.locator('mark').count()).toBeGreaterThan(1)
  })
})

// What a person says beside their answers, in a browser at a real console: a key of this browser
// signs, another is asked to look, and a deputy answers for who is away.

async function askedAt(scene: Overseen, tool: string, page: Page): Promise<string> {
  const intent = await reviewed(scene.on, { intent: { tool, args: { path: '/srv' } } })
  await page.goto(`${scene.url}/#/reviews/${intent}`)
  await page.getByRole('button', { name: 'Approve once' }).waitFor()
  return intent
}

/** By what the only answer to that intent is signed. */
async function signedHow({ on }: Overseen, intent: string): Promise<string | undefined> {
  const [name] = await names(on.log, `main.1.decision.${intent}.>`)
  assert(name !== undefined, 'it was answered')
  return (await read(on.log, 'decision', name)).signature?.format
}

const ownKey = 'Sign with this browser’s key'

// Runs in the page, whose types are not those of tests.
const keptHere = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('warrant', 1)
  opening.onerror = () => reject(opening.error)
  opening.onsuccess = () => {
    const all = opening.result.transaction('browser-keys').objectStore('browser-keys').getAll()
    all.onsuccess = () => resolve(all.result.map(({ person, privateKey }) => {
      return { person, isExtractable: privateKey.extractable, usages: privateKey.usages }
    }))
  }
})`

const admitting = {
  capabilities: [
    { ...erase, id: 'purge', confirmation: 'four' },
    { ...erase, id: 'burn', confirmation: 'strict' },
  ],
  confirmations: [
    { ...four, signedWith: 'browser' as const },
    { ...four, id: 'strict' },
  ],
}

describe.runIf(hasBrowser)('the key of a browser', () => {
  test('is made there by a passkey, signs where it is admitted, and is ended', async () => {
    const scene = await overseen(admitting)
    const page = await lookedAtBy(scene, 'quin', phone)
    await page.goto(`${scene.url}/#/settings`)
    await page.getByLabel('What you call this browser').fill('my phone')
    expect(await violationsOf(page)).toEqual([])
    await press(page, 'Let this browser sign')
    await page.locator('strong', { hasText: 'my phone' }).waitFor()
    await page.getByText('this browser', { exact: true }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    const kept = [{ person: 'quin', isExtractable: false, usages: ['sign'] }]
    expect(await page.evaluate(keptHere)).toEqual(kept)
    const first = await askedAt(scene, 'purge', page)
    await page.getByLabel(ownKey).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await press(page, 'Approve once')
    await page.getByText('Allowed: the agent may do this once.').waitFor()
    expect(await signedHow(scene, first)).toBe('ed25519')
    const second = await askedAt(scene, 'purge', page)
    await page.getByLabel(ownKey).uncheck()
    await press(page, 'Approve once')
    await page.getByText('Allowed: the agent may do this once.').waitFor()
    expect(await signedHow(scene, second)).toBe('webauthn')
    const strict = await askedAt(scene, 'burn', page)
    await press(page, 'Approve once')
    await page.getByText('Allowed: the agent may do this once.').waitFor()
    expect(await signedHow(scene, strict)).toBe('webauthn')
    await page.goto(`${scene.url}/#/settings`)
    await press(page, 'End it my phone')
    await page.getByRole('button', { name: 'Let this browser sign' }).waitFor()
    expect(await page.evaluate(keptHere)).toEqual([])
    await expectReplay(scene.on)
  })

  test('is not offered by a browser that cannot make one', async () => {
    const on = await standIn({ cards: [cardOf()] })
    const page = await openPage()
    await page.addInitScript(`crypto.subtle.generateKey = () => Promise.reject(new Error('no'))`)
    await page.goto(`${on.url}#/settings`)
    await page.getByText('This browser cannot make such a key').waitFor()
    expect(await page.getByRole('button', { name: 'Let this browser sign' }).count()).toBe(0)
  })
})

describe.runIf(hasBrowser)('a handover', () => {
  test('is signed on one card, and shows where the other looks', async () => {
    const scene = await overseen({ confirmations: [four] })
    const [quin, piet] = [
      await lookedAtBy(scene, 'quin', phone),
      await lookedAtBy(scene, 'piet', desk),
    ]
    await askedAt(scene, 'purge', quin)
    await press(quin, 'Hand over')
    await quin.getByLabel('What they should know').fill('you know the folder')
    expect(await violationsOf(quin)).toEqual([])
    await press(quin, 'Ask them')
    await quin.getByText('quin asks piet to look').waitFor()
    expect(await violationsOf(quin)).toEqual([])
    await piet.getByText('quin asks you to look').click()
    await piet.getByText('you know the folder').waitFor()
    expect(await piet.getByRole('button', { name: 'Approve once' }).count()).toBe(1)
    await expectReplay(scene.on)
  })
})

describe.runIf(hasBrowser)('who is away', () => {
  test('names a deputy, who finds what to answer, and for whom', async () => {
    const scene = await overseen({
      groups: [{ id: 'people', members: ['quin'] }],
      confirmations: [{ ...four, deputies: true }],
    })
    const quin = await lookedAtBy(scene, 'quin', phone)
    await quin.goto(`${scene.url}/#/settings`)
    await quin.getByLabel('Who answers for you').fill('root')
    await press(quin, 'Say that you are away')
    await quin.getByText('You are away. root answers for you until').waitFor()
    expect(await violationsOf(quin)).toEqual([])
    const intent = await reviewed(scene.on, { intent: { tool: 'purge', args: {} } })
    const root = await lookedAtBy(scene, 'root', desk)
    await root.getByText('for quin').click()
    await root.getByText('You answer in place of quin, who is away.').waitFor()
    expect(await violationsOf(root)).toEqual([])
    await press(root, 'Approve once')
    await root.getByText('root approved for quin').waitFor()
    expect((await verdict(scene.on.log, intent)).outcome).toBe('allow')
    await root.goto(`${scene.url}/#/settings`)
    await root.getByText('You answer for quin until').waitFor()
    await press(quin, 'Say that you are back')
    await quin.getByLabel('Who answers for you').waitFor()
    await root.getByText('You answer for quin until').waitFor({ state: 'detached' })
    await expectReplay(scene.on)
  })
})
