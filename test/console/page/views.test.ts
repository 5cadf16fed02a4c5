// Each view of those who answer, light and dark, on a phone and on a desk; on a phone a finger can
// hit all of it.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser, openPage } from '../../support/browser/chromium.ts'
import { looked, screens, smallTargets } from '../../support/browser/looking.ts'
import { scenes } from '../../support/browser/made-up-inbox.ts'
import { cardOf } from '../../support/browser/made-up-reviews.ts'
import { standIn } from '../../support/browser/stand-in.ts'

const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click()

describe.runIf(hasBrowser)('every view', () => {
  test.each(screens)('is accessible on $name', async (screen) => {
    const past = cardOf({ id: 'past', state: 'decided', cannot: 'decided' })
    const routine = 'grounding.concepts.all(one, one in ["read.inside", "write.inside"])'
    const like = cardOf({ id: 'like', minutes: 600, routine })
    const server = await standIn({ cards: [...scenes(), past, like] })
    const page = await openPage(screen.options)
    const isPhone = screen.name.startsWith('phone')
    const seen = async (view: string): Promise<void> => {
      await looked(page, `${view}-${screen.name}`)
      if (isPhone) expect([view, await smallTargets(page)]).toEqual([view, []])
    }
    await page.goto(server.url)
    await page.locator('.line-link').first().waitFor()
    await seen('inbox')
    await page.locator('.line-link').first().click()
    await page.getByRole('button', { name: 'Approve once' }).waitFor()
    await seen('card')
    await press(page, 'Allow later too')
    await seen('grant')
    await press(page, 'Close')
    await page.goto(`${server.url}#/reviews/${encodeURIComponent(like.intent)}`)
    await page.getByRole('button', { name: 'Approve, and later ones like it' }).waitFor()
    await seen('card-routine')
    await press(page, 'Approve, and later ones like it')
    await press(page, 'Look at what it would let through')
    await page.getByRole('button', { name: 'Approve, and sign this grant' }).waitFor()
    await seen('routine')
    await press(page, 'Close')
    await page.goto(`${server.url}#/inbox`)
    await press(page, 'Select several')
    for (const at of [0, 1, 2]) await page.getByRole('checkbox').nth(at).check()
    await press(page, /^Answer \(/)
    await page.locator('.bulk-item').nth(2).waitFor()
    // A warning stands out, as it does where one is answered alone.
    expect(await page.locator('.bulk-item').first().locator('.warnings li').count()).toBe(1)
    await seen('several')
    await press(page, 'Close')
    await page.goto(`${server.url}#/past`)
    await page.locator('.past-line').first().waitFor()
    await seen('answered')
    await page.goto(`${server.url}#/settings`)
    await page.getByText('Being away').waitFor()
    await seen('you')
    server.isSignedIn = false
    await page.reload()
    await page.getByText('Answer what agents ask for').waitFor()
    await seen('sign-in')
  })
})
