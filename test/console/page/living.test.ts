// What happens elsewhere is drawn where someone looks: another's answer, an end, a lost connection.
import { describe, expect, test } from 'vitest'
import { desk, hasBrowser, openPage } from '../../support/browser/chromium.ts'
import { cardOf } from '../../support/browser/made-up-reviews.ts'
import { standIn } from '../../support/browser/stand-in.ts'

describe.runIf(hasBrowser)('an open card', () => {
  test('shows that someone else was faster, before anyone clicks', async () => {
    const card = cardOf()
    const on = await standIn({ cards: [card] })
    const page = await openPage()
    await page.goto(`${on.url}#/reviews/${card.intent}`)
    await page.getByRole('button', { name: 'Approve once' }).waitFor()
    on.cards.set(card.intent, { ...card, state: 'decided', cannot: 'decided' })
    on.happens('verdict', card.intent)
    await page.getByText('Decided').waitFor()
    expect(await page.getByRole('button', { name: 'Approve once' }).count()).toBe(0)
  })

  test.each([
    ['expired', 'no one answered in time'],
    ['withdrawn', 'Withdrawn by the agent'],
    ['replaced', 'what is asked has changed'],
  ] as const)('that is %s has no buttons', async (state, text) => {
    const card = cardOf({ state, cannot: state })
    const on = await standIn({ cards: [card] })
    const page = await openPage()
    await page.goto(`${on.url}#/reviews/${card.intent}`)
    await page.getByText(text).waitFor()
    expect(await page.getByRole('button', { name: 'Approve once' }).count()).toBe(0)
  })
})

describe.runIf(hasBrowser)('the inbox', () => {
  test('takes up what was missed while the connection was lost', async () => {
    const [first, second] = [cardOf({ id: 'one' }), cardOf({ id: 'two', minutes: 90 })]
    const on = await standIn({ cards: [first] })
    const page = await openPage(desk)
    await page.goto(on.url)
    await page.getByText('Live', { exact: true }).waitFor()
    on.cut()
    await page.getByText('The connection is lost').waitFor()
    on.cards.set(second.intent, second)
    on.isDown = false
    await page.getByText('The connection is lost').waitFor({ state: 'hidden' })
    await expect.poll(() => page.locator('.line-link').count()).toBe(2)
  })

  test('leads back from a request that is not there, and offers no second try', async () => {
    const on = await standIn({ cards: [cardOf({ id: 'one' })] })
    const page = await openPage()
    await page.goto(`${on.url}#/reviews/desk-bot.shop-7.gone`)
    await page.getByText('Nothing is found here').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await page.locator('main').getByRole('link', { name: 'Inbox' }).click()
    await page.locator('.line-link').first().waitFor()
  })

  test('goes on to the next by a key, and back to the list', async () => {
    const on = await standIn({ cards: [cardOf({ id: 'one' }), cardOf({ id: 'two', minutes: 90 })] })
    const page = await openPage(desk)
    await page.goto(on.url)
    await page.locator('.line-link').first().waitFor()
    await page.keyboard.press('j')
    await page.waitForURL(/one/)
    await page.keyboard.press('j')
    await page.waitForURL(/two/)
    await page.keyboard.press('k')
    await page.waitForURL(/one/)
    await page.keyboard.press('Escape')
    await page.waitForURL(/inbox/)
  })

  test('keeps what is put aside, at its end', async () => {
    const on = await standIn({ cards: [cardOf({ id: 'one' }), cardOf({ id: 'two', minutes: 90 })] })
    const page = await openPage()
    await page.goto(`${on.url}#/reviews/desk-bot.shop-7.one`)
    await page.getByRole('button', { name: 'Not now' }).click()
    const hrefs = page.locator('.line-link')
    await expect.poll(() => hrefs.last().getAttribute('href')).toContain('one')
    expect(await page.locator('.line-link .tag').count()).toBe(1)
  })
})
