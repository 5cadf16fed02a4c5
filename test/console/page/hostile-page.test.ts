// What agents write is drawn as text: it runs nothing, hides nothing, and stops nothing.
import { describe, expect, test } from 'vitest'
import { hasBrowser, openPage } from '../../support/browser/chromium.ts'
import { cardOf } from '../../support/browser/made-up-reviews.ts'
import { standIn } from '../../support/browser/stand-in.ts'

const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>'

describe.runIf(hasBrowser)('hostile text', () => {
  test('is drawn as text, with what hides in it marked', async () => {
    const base = cardOf()
    const card = cardOf({
      args: {
        [markup]: 'a key',
        to: 'ann\u202Emoc.elpmaxe@\u202C',
        empty: 'pay\u200Bpal',
        alike: 'р\u0430ypal',
        mixed: 'pаypal',
        body: markup,
      },
      review: {
        values: [],
        shown: { ...base.review.shown, description: markup, justification: '</p>'.repeat(9) },
      },
    })
    const on = await standIn({ cards: [card] })
    const page = await openPage()
    await page.goto(`${on.url}#/reviews/${card.intent}`)
    await page.getByRole('button', { name: 'Approve once' }).waitFor()
    expect(await page.locator('img, #page script').count()).toBe(0)
    expect(await page.title()).toContain('Warrant')
    const hidden = await page.locator('.piece-hidden').allTextContents()
    expect(hidden).toEqual(expect.arrayContaining(['\\u{202e}', '\\u{202c}', '\\u{200b}']))
    expect(await page.locator('.piece-mixed').allTextContents()).toContain('pаypal')
    expect(await page.getByText(markup).count()).toBeGreaterThanOrEqual(2)
  })

  test('of 100 kB is cut, and all of it can be seen', async () => {
    const long = `${'word '.repeat(12_999)}the end`
    const card = cardOf({ args: { body: long }, review: { values: [] } })
    const on = await standIn({ cards: [card] })
    const page = await openPage()
    await page.goto(`${on.url}#/reviews/${card.intent}`)
    const more = page.locator('.value .text-button')
    await more.waitFor()
    expect(await page.getByText('the end').count()).toBe(0)
    for (let step = 0; step < 4; step += 1) await more.click()
    await page.getByText('the end').waitFor()
    expect(await more.count()).toBe(0)
    expect(await page.locator('.value').first().innerText()).toBe(long)
  })
})
