// The auditor searches the log in a real browser, at a real server.
import { beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { violationsOf } from '../../support/browser/axe.ts'
import { desk, hasBrowser, phone } from '../../support/browser/chromium.ts'
import { asksAgain, auditorAt, auditorScene } from './auditor-scene.ts'
import { pageFiles } from '../../support/browser/page-files.ts'

beforeAll(async () => {
  if (hasBrowser) await pageFiles()
})

const found = (page: Page) => page.locator('.found-row')

describe.runIf(hasBrowser)('the log', () => {
  test('is narrowed by a click on a value, and the address says by what', async () => {
    const of = await auditorScene()
    const page = await auditorAt(of, 'log', desk)
    await found(page).first().waitFor()
    const all = await found(page).count()
    await page.getByRole('link', { name: 'cancel_order' }).first().click()
    await page.getByText('Tool', { exact: true }).waitFor()
    expect(new URL(page.url()).hash).toBe('#/log?tool=cancel_order')
    await expect.poll(() => found(page).count()).toBe(3)
    expect(all).toBeGreaterThan(10)
    await page.getByRole('link', { name: 'Remove this filter: Tool' }).click()
    await expect.poll(() => found(page).count()).toBe(all)
  })

  test('takes a value as an expression, and says for what it has no answer', async () => {
    const of = await auditorScene()
    const page = await auditorAt(of, 'log?kind=vlp', desk)
    await page.locator('.found-link', { hasText: 'O-4688' }).click()
    await page.locator('.leaf', { hasText: 'payload.intent.args.amount' }).getByRole('link').click()
    const where = 'data.payload.intent.args.amount == 900'
    await expect.poll(() => page.getByLabel('Expression').inputValue()).toBe(where)
    await expect.poll(() => found(page).count()).toBe(1)
    await page.getByText('has no answer for').waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  test('is gone through by keyboard within the filter, up to the story', async () => {
    const of = await auditorScene()
    const page = await auditorAt(of, 'log?kind=verdict', desk)
    await found(page).first().waitFor()
    const positions = await page.locator('.found-position').allInnerTexts()
    for (const position of positions.slice(0, 2)) {
      await page.keyboard.press('j')
      await page.waitForURL((url) => url.hash === `#/log/${position}?kind=verdict`)
    }
    await page.keyboard.press('k')
    await page.waitForURL((url) => url.hash === `#/log/${positions[0]}?kind=verdict`)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'cancel_order' }).waitFor()
    await page.getByRole('link', { name: 'Log', exact: true }).last().click()
    await page.waitForURL((url) => url.hash === '#/log?kind=verdict')
  })

  test('counts what came since, and moves nothing until it is asked to', async () => {
    const of = await auditorScene()
    const page = await auditorAt(of, 'log?kind=vlp', phone)
    await found(page).first().waitFor()
    const before = await found(page).count()
    await asksAgain(of)
    const more = page.getByRole('button', { name: '1 newer fact' })
    await more.waitFor()
    expect(await found(page).count()).toBe(before)
    await more.click()
    await expect.poll(() => found(page).count()).toBe(before + 1)
    expect(await violationsOf(page)).toEqual([])
  })

  test('a fact that no search has found is there by its address', async () => {
    const of = await auditorScene()
    const page = await auditorAt(of, 'log/2?tool=cancel_order', phone)
    await page.getByText('position 2', { exact: false }).waitFor()
    await page.goto(`${of.serving.url}/#/log/4711`)
    await page.getByRole('alert').waitFor()
  })

  test('says that an expression cannot be read', async () => {
    const of = await auditorScene()
    const page = await auditorAt(of, 'log', desk)
    await page.getByLabel('Expression').fill('data.outcome ==')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('alert').getByText('cannot be read').waitFor()
  })
})
