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

/** The view is as it should be, once it is still. */
export async function looked(page: Page, name: string): Promise<void> {
  if (folder !== '') await page.screenshot({ path: join(folder, `${name}.png`) })
  expect([name, await violationsOf(page)]).toEqual([name, []])
}
