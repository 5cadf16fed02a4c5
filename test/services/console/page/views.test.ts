// Each view, light and dark, on a phone and on a desk: nothing that a screen reader or a keyboard
// could not use. With WARRANT_PICTURES it keeps pictures of them in that folder.
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { violationsOf } from '../../../support/browser/axe.ts'
import { desk, hasBrowser, openPage, phone } from '../../../support/browser/chromium.ts'
import { scenes } from '../../../support/browser/made-up-inbox.ts'
import { cardOf } from '../../../support/browser/made-up-reviews.ts'
import { standIn } from '../../../support/browser/stand-in.ts'

const folder = process.env['WARRANT_PICTURES'] ?? ''

/** The view is as it should be, once it is still. */
async function looked(page: Page, name: string): Promise<void> {
  if (folder !== '') await page.screenshot({ path: join(folder, `${name}.png`) })
  expect(await violationsOf(page)).toEqual([])
}

const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click()

describe.runIf(hasBrowser)('every view', () => {
  test.each([
    ['phone', 'light', phone],
    ['phone', 'dark', phone],
    ['desk', 'light', desk],
    ['desk', 'dark', desk],
  ] as const)('is accessible on a %s in %s', { timeout: 120_000 }, async (on, scheme, screen) => {
    const past = cardOf({ id: 'past', state: 'decided', cannot: 'decided' })
    const server = await standIn({ cards: [...scenes(), past] })
    const page = await openPage({ ...screen, colorScheme: scheme })
    const named = (view: string): string => `${view}-${on}-${scheme}`
    await page.goto(server.url)
    await page.locator('.line-link').first().waitFor()
    await looked(page, named('inbox'))
    await page.locator('.line-link').first().click()
    await page.getByRole('button', { name: 'Approve once' }).waitFor()
    await looked(page, named('card'))
    await press(page, 'Allow later too')
    await looked(page, named('grant'))
    await press(page, 'Close')
    await page.goto(`${server.url}#/inbox`)
    await press(page, 'Select several')
    for (const at of [0, 1, 2]) await page.getByRole('checkbox').nth(at).check()
    await press(page, /^Answer \(/)
    await page.locator('.bulk-item').nth(2).waitFor()
    await looked(page, named('several'))
    await press(page, 'Close')
    await page.goto(`${server.url}#/past`)
    await page.locator('.past-line').first().waitFor()
    await looked(page, named('answered'))
    await page.goto(`${server.url}#/settings`)
    await page.getByText('Appearance').waitFor()
    await looked(page, named('you'))
    server.isSignedIn = false
    await page.reload()
    await page.getByText('Answer what agents ask for').waitFor()
    await looked(page, named('sign-in'))
  })
})
