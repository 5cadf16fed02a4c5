// From a card to the rest: what had to be known is on it for anyone who is asked, and who may read
// the log has links to its story.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Ground, GroundingData } from '#schemas/facts'
import type { CardAnswer, ContentsAnswer } from '#schemas/console/reviews'
import { violationsOf } from '../../support/browser/axe.ts'
import { hasBrowser, openPage } from '../../support/browser/chromium.ts'
import { cardOf } from '../../support/browser/made-up-reviews.ts'
import { standIn } from '../../support/browser/stand-in.ts'
import { digestOf } from '#record/digest'

const ground: Ground = {
  concepts: ['refund', 'moon'],
  grounded: false,
  resolved: ['refund', 'moon'],
  gaps: [{ kind: 'EXISTENCE', primitive: 'moon', candidates: [] }],
  visible: [{ name: 'refund', level: 2 }],
  gated: [],
  pathway: [],
  policies: [],
}

function grounded({ review, name }: CardAnswer): GroundingData {
  return {
    intent: review.intent,
    attempt: 1,
    message: {
      position: 90,
      digest: review.digest,
      malformed: false,
      senderMatches: true,
      outcome: 'pass',
      issues: [],
      integrity: 100,
      depth: 100,
      gate: 'pass',
      safetyLevel: 'safe',
      requiresHuman: false,
      unearnedConfidence: false,
    },
    capability: name,
    cardinality: null,
    ground,
    graphRevision: 1,
    catalogRevision: 1,
  }
}

async function details(rights: readonly ('confirmer' | 'auditor')[]): Promise<Page> {
  const made = cardOf()
  const card = { ...made, grounding: grounded(made) }
  const on = await standIn({ cards: [card], rights: [...rights] })
  const page = await openPage()
  await page.goto(`${on.url}#/reviews/${encodeURIComponent(card.intent)}`)
  await page.getByText('Details', { exact: true }).click()
  await page.getByText('● ● ●  refund').waitFor()
  return page
}

describe.runIf(hasBrowser)('the details of a card', () => {
  test('have what was known and what was not, for who is asked alone', async () => {
    const page = await details(['confirmer'])
    expect(await page.getByText('✗ is not in the graph: add it').count()).toBe(1)
    expect(await page.getByRole('link', { name: 'Its whole story' }).count()).toBe(0)
    expect(await violationsOf(page)).toEqual([])
  })

  test('lead who may read the log to the story and to the graph as it was', async () => {
    const page = await details(['confirmer', 'auditor'])
    const story = page.getByRole('link', { name: 'Its whole story' })
    expect(await story.getAttribute('href')).toBe('#/intents/desk-bot.shop-7.r1')
    await page.getByRole('link', { name: 'The graph as it was then' }).click()
    expect(page.url()).toMatch(/#\/intents\/desk-bot\.shop-7\.r1\/graph$/)
  })
})

// All of what a call would write, on its card: asked for by the person, and shown only if it is
// what the answer will be signed for.

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
