// Ten thousand open reviews: the first are there at once, and scrolling through them stays smooth.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { hasBrowser, openPage } from '../../../support/browser/chromium.ts'
import { scenes } from '../../../support/browser/made-up-inbox.ts'
import { standIn } from '../../../support/browser/stand-in.ts'
import { isFull } from '../../../support/vitest/counts.ts'

const count = 10_000
const paintMsMax = 1_000
const frameMsMax = 50

// Runs in the page: scrolls for five seconds and answers what the longest frame took.
const scrolled = `new Promise((resolve) => {
  const list = document.querySelector('.long-list')
  const begin = performance.now()
  let last = begin
  let longest = 0
  const step = (now) => {
    longest = Math.max(longest, now - last)
    last = now
    list.scrollTop += 120
    if (now - begin < 5000) requestAnimationFrame(step)
    else resolve(longest)
  }
  requestAnimationFrame((now) => { last = now; step(now) })
})`

const painted = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector('.line-link')) resolve(performance.now())
    else requestAnimationFrame(look)
  }
  look()
})`

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[1] ?? 0

async function measured(page: Page, what: string): Promise<number> {
  return z.number().parse(await page.evaluate(what))
}

describe.runIf(hasBrowser)('ten thousand open reviews', () => {
  test('are drawn only as far as they are near the screen', async () => {
    const on = await standIn({ cards: scenes(), count })
    const page = await openPage()
    await page.goto(on.url)
    await page.locator('.line-link').first().waitFor()
    expect(await page.locator('.long-list li').count()).toBeLessThan(40)
    await page.locator('.long-list').evaluate((list) => list.scrollTo(0, 108 * 150))
    await page.getByText('send_email-151').first().waitFor()
  })

  test.runIf(isFull)('are painted within a second, and scroll without a long frame', async () => {
    const on = await standIn({ cards: scenes(), count })
    const paints: number[] = []
    const frames: number[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      const page = await openPage()
      await page.goto(on.url, { waitUntil: 'commit' })
      paints.push(await measured(page, painted))
      frames.push(await measured(page, scrolled))
      await page.close()
    }
    expect(median(paints)).toBeLessThanOrEqual(paintMsMax)
    expect(median(frames)).toBeLessThanOrEqual(frameMsMax)
  })
})
