// Ten thousand open reviews: few are drawn at once.
import { describe, expect, test } from 'vitest'
import { hasBrowser, openPage } from '../../support/browser/chromium.ts'
import { scenes } from '../../support/browser/made-up-inbox.ts'
import { standIn } from '../../support/browser/stand-in.ts'

const count = 10_000

describe.runIf(hasBrowser)('ten thousand open reviews', () => {
  test('are drawn only as far as they are near the screen', async () => {
    const on = await standIn({ cards: scenes(), count })
    const page = await openPage()
    await page.goto(on.url)
    await page.locator('.line-link').first().waitFor()
    expect(await page.locator('.long-list li').count()).toBeLessThan(40)
    await page.locator('.long-list').evaluate((list) => list.scrollTo(0, 108 * 150))
    await page.getByText('Send email 151').first().waitFor()
  })
})
