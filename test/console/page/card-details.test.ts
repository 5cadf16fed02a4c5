// From a card to the rest: what had to be known is on it for anyone who is asked, and who may read
// the log has links to its story.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Ground, GroundingData } from '#schemas/facts'
import type { CardAnswer } from '#schemas/console/reviews'
import { violationsOf } from '../../support/browser/axe.ts'
import { hasBrowser, openPage } from '../../support/browser/chromium.ts'
import { cardOf } from '../../support/browser/made-up-reviews.ts'
import { standIn } from '../../support/browser/stand-in.ts'

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
