// What a person says beside their answers, in a browser at a real console: a key of this browser
// signs, another is asked to look, and a deputy answers for who is away.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { assert } from '#record/fault'
import { violationsOf } from '../../support/browser/axe.ts'
import { desk, hasBrowser, openPage, phone } from '../../support/browser/chromium.ts'
import { cardOf } from '../../support/browser/made-up-reviews.ts'
import { standIn } from '../../support/browser/stand-in.ts'
import { erase, expectReplay, names, read, reviewed, verdict } from '../../support/scene.ts'
import { four } from '../../people/passkey-scene.ts'
import { lookedAtBy, overseen, type Overseen } from '../overseeing/overseeing-scene.ts'

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

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
