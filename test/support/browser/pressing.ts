// A button of a page that is pressed, and what comes of it where the server lies.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { StandIn } from './stand-in.ts'

export function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click()
}

type Lie = NonNullable<StandIn['lies']>

/** The card of a review says that it shows something else than would be signed. */
export async function expectRefused(page: Page, on: StandIn, lies: readonly Lie[]): Promise<void> {
  for (const lie of lies) {
    on.lies = lie
    await press(page, 'Approve once')
    await page.getByText('What the server wants signed is not what you see').waitFor()
    await press(page, 'Try again')
    await page.getByText('What the server wants signed').waitFor({ state: 'hidden' })
  }
  expect(on.submitted).toEqual([])
}
