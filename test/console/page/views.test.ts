// Each view of who answers, light and dark, on a phone and on a desk.
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { hasBrowser, openPage } from '../../support/browser/chromium.ts'
import { looked, screens } from '../../support/browser/looking.ts'
import { scenes } from '../../support/browser/made-up-inbox.ts'
import { cardOf } from '../../support/browser/made-up-reviews.ts'
import { standIn } from '../../support/browser/stand-in.ts'

const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click()

describe.runIf(hasBrowser)('every view', () => {
  test.each(screens)('is accessible on $name', async (screen) => {
    const past = cardOf({ id: 'past', state: 'decided', cannot: 'decided' })
    const server = await standIn({ cards: [...scenes(), past] })
    const page = await openPage(screen.options)
    const named = (view: string): string => `${view}-${screen.name}`
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
    await page.getByText('Being away').waitFor()
    await looked(page, named('you'))
    server.isSignedIn = false
    await page.reload()
    await page.getByText('Answer what agents ask for').waitFor()
    await looked(page, named('sign-in'))
  })
})
