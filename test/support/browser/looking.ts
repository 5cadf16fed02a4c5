// A view as people see it on each kind of screen: nothing in it that a screen reader or a keyboard
// could not use. With WARRANT_PICTURES it keeps pictures of them in that folder.
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { isFull } from '../vitest/counts.ts'
import { violationsOf } from './axe.ts'
import { desk, phone } from './chromium.ts'

const folder = process.env['WARRANT_PICTURES'] ?? ''

export interface Screen {
  /** As pictures are called. */
  readonly name: string
  readonly options: BrowserContextOptions
}

const all: readonly Screen[] = [
  { name: 'phone-light', options: { ...phone, colorScheme: 'light' } },
  { name: 'desk-dark', options: { ...desk, colorScheme: 'dark' } },
  { name: 'phone-dark', options: { ...phone, colorScheme: 'dark' } },
  { name: 'desk-light', options: { ...desk, colorScheme: 'light' } },
]
/** A quick run looks at each size and each scheme once. */
export const screens = isFull || folder !== '' ? all : all.slice(0, 2)

/** What a finger cannot hit: less than 44 pixels high or wide, and not a word within a text. */
export async function smallTargets(page: Page): Promise<readonly string[]> {
  const all = await page.locator('a[href], button, summary, input, select, textarea').all()
  const small = await Promise.all(
    all.map(async (one) => {
      const box = await one.boundingBox()
      const isWithin = await one.evaluate(
        (element) =>
          element.closest('.hostile, p:not(.bunch)') !== null ||
          element.closest('label') !== null ||
          element.matches('.skip'),
      )
      if (box === null || isWithin || (box.height >= 44 && box.width >= 44)) return []
      return [`${await one.innerText()} ${Math.round(box.width)}×${Math.round(box.height)}`]
    }),
  )
  return small.flat()
}

/** The view is as it should be, once it is still. */
export async function looked(page: Page, name: string): Promise<void> {
  if (folder !== '') await page.screenshot({ path: join(folder, `${name}.png`) })
  expect([name, await violationsOf(page)]).toEqual([name, []])
}
