// All of what a call would write, on its card: asked for by the person, and shown only if it is
// what the answer will be signed for.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { digestOf } from '#record/digest'
import type { ContentsAnswer } from '#schemas/console/reviews'
import { violationsOf } from '../../support/browser/axe.ts'
import { hasBrowser, openPage } from '../../support/browser/chromium.ts'
import { cardOf } from '../../support/browser/made-up-reviews.ts'
import { standIn } from '../../support/browser/stand-in.ts'

const text = `+first\n${'+between\n'.repeat(4_000)}+the last\u202e line`
const args = { paths: ['a.sh'], excerpt: '+first', whole: digestOf(text) }

async function asked(contents: ContentsAnswer, of: Parameters<typeof cardOf>[0] = { args }) {
  const card = cardOf(of)
  const on = await standIn({ cards: [card] })
  on.contents = contents
  const page: Page = await openPage()
  await page.goto(`${on.url}#/reviews/${encodeURIComponent(card.intent)}`)
  await page.getByText('Why you are asked').waitFor()
  return page
}

describe.runIf(hasBrowser)('all of what a call would write', () => {
  test('is there to its end, with what hides in it marked', async () => {
    const page = await asked({ is: 'whole', text })
    expect(await page.locator('.whole-contents').count()).toBe(0)
    await page.getByRole('button', { name: 'Show all of it' }).click()
    const whole = page.locator('.whole-contents')
    await whole.waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(await whole.textContent()).not.toContain('the last')
    await whole.getByRole('button').click()
    await page.getByText('the last').waitFor()
    expect(await whole.locator('.piece-hidden').count()).toBe(1)
  })

  test.each([
    ['another text than the one asked about', { is: 'whole', text: `${text} ` }, 'What is kept'],
    ['what was changed', { is: 'changed', text: null }, 'What is kept'],
    ['what is gone', { is: 'gone', text: null }, 'not kept any more'],
  ] as const)('is not shown of %s', async (_what, contents, says) => {
    const page = await asked(contents)
    await page.getByRole('button', { name: 'Show all of it' }).click()
    await page.getByText(says).waitFor()
    expect(await page.locator('.whole-contents').count()).toBe(0)
  })

  test('is not offered where the arguments are all of it', async () => {
    const page = await asked({ is: 'whole', text }, {})
    expect(await page.getByRole('button', { name: 'Show all of it' }).count()).toBe(0)
  })
})
