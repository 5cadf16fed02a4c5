// Someone notes something about an intent, in a real browser: it is signed by their passkey, and
// stands in the story at once.
import { describe, expect, test } from 'vitest'
import { violationsOf } from '../../support/browser/axe.ts'
import { hasBrowser, phone } from '../../support/browser/chromium.ts'
import { judged } from '../../support/scene.ts'
import { lookedAtBy, overseen } from '../overseeing/overseeing-scene.ts'

const hostile = 'fine <b>so</b> far \u202Edesrever'

describe.runIf(hasBrowser)('a note', () => {
  test('is signed at the story, drawn there as text, and found by search', async () => {
    const scene = await overseen()
    const { intent } = await judged(scene.on, { intent: { tool: 'look' } })
    const page = await lookedAtBy(scene, 'root', phone)
    await page.goto(`${scene.url}/#/intents/${encodeURIComponent(intent)}`)
    await page.getByRole('button', { name: 'Add a note' }).click()
    const send = page.getByRole('button', { name: 'Sign the note' })
    await send.click()
    // What is empty is not sent: the sheet stays.
    await page.locator('dialog textarea:invalid').fill(hostile)
    expect(await violationsOf(page)).toEqual([])
    await send.click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    const step = page.locator('.step', { hasText: 'root notes on it' })
    await step.waitFor()
    expect(await step.innerText()).toContain('fine <b>so</b> far')
    expect(await step.innerText()).not.toContain('\u202E')
    await page.goto(`${scene.url}/#/log?kind=note&person=root`)
    await page.locator('.found-link').first().click()
    await page.getByRole('link', { name: 'Whole story' }).click()
    await step.waitFor()
  })
})
