// The answers of a day in a real browser, on the real server: what a person sees before and after,
// and that the page signs nothing else for it.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { jsonOf } from '#record/canonical'
import { violationsOf } from '../../support/browser/axe.ts'
import { virtualPasskeys } from '../../support/browser/authenticator.ts'
import { hasBrowser, openPage } from '../../support/browser/chromium.ts'
import { cardOf } from '../../support/browser/made-up-reviews.ts'
import { standIn, type StandIn } from '../../support/browser/stand-in.ts'
import { expectReplay, reason, reviewed } from '../../support/scene.ts'
import { at, consoleThere, type There } from '../page/console-there.ts'

const groups = [{ id: 'people', members: ['piet', 'quin'] }]

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

function asked({ on }: There, path: string): Promise<string> {
  const intent = { tool: 'purge', args: jsonOf({ path }), justification: reason }
  return reviewed(on, { intent })
}

describe.runIf(hasBrowser)('the answers of a day', () => {
  const catalog = { groups, attention: { answers: [{ person: 'quin', perDay: 1 }] } }

  test('are counted down; beyond them one declines, or answers several together', async () => {
    const there = await consoleThere(catalog)
    const intents: string[] = []
    for (const path of ['/1', '/2', '/3', '/4']) intents.push(await asked(there, path))
    const page = await at(there, 'quin')
    await page.getByText('1 of 1 answer in 24 hours left').waitFor()
    await page.getByText('path: /1').click()
    await press(page, 'Approve once')
    await page.getByText('Allowed: the agent may do this once.').waitFor()
    await press(page, 'Next review')
    const approve = page.getByRole('button', { name: 'Approve once' })
    const beyond = page.locator('.answering').getByText('0 of 1 answer in 24 hours left.')
    await beyond.waitFor()
    expect(await approve.isDisabled()).toBe(true)
    await press(page, 'Decline')
    await page.getByText('Denied: nothing was done.').waitFor()
    await page.goto(`${there.url}/#/inbox`)
    await press(page, 'Answer several together')
    await page.getByRole('heading', { name: 'Answer these' }).waitFor()
    await page.getByText('/3', { exact: true }).waitFor()
    await page.getByText('/4', { exact: true }).waitFor()
    const items = page.locator('.bulk-item')
    // Why the agent asks, in its own words, and what is asked of the person.
    const open = items.filter({ hasText: /\/[34]/ })
    for (const text of [`The agent’s reason: ${reason}`, '`delete` needs confirmation. Proceed?']) {
      expect(await open.filter({ hasText: text }).count()).toBe(2)
    }
    expect(await violationsOf(page)).toEqual([])
    await press(page, 'Approve those ticked')
    await page.locator('.bulk').getByText('Answered', { exact: true }).nth(1).waitFor()
    // That is no error; there is nothing left to do in the sheet but to close it.
    expect(await open.locator('.field-problem').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Approve those ticked' }).count()).toBe(0)
    await page.locator('.button-main').getByText('Close', { exact: true }).click()
    expect(await page.locator('.bulk').count()).toBe(0)
    const { state } = there.on.runtime.follower
    await there.on.settled()
    expect(intents.filter((intent) => state.intents.has(intent))).toEqual([])
    await expectReplay(there.on)
  })
})

describe.runIf(hasBrowser)('a server that lies', () => {
  test('gets no batch signed that was not shown, and nothing of another kind', async () => {
    const card = cardOf()
    const on = await standIn({ cards: [card] })
    const page = await openPage()
    const passkeys = await virtualPasskeys(page)
    await page.goto(on.url)
    on.passkeys = [await passkeys.make()]
    await page.goto(`${on.url}#/reviews/${encodeURIComponent(card.intent)}`)
    await page.reload()
    const batch = [card.name, `${card.name}0`]
    const otherName = (name: string): string => name.replace('.decision.', '.drillanswer.')
    const lies: readonly NonNullable<StandIn['lies']>[] = [
      ({ of, data }) => ({ of, data: jsonOf({ ...Object(data), batch }) }),
      ({ of, data }) => ({ of: { ...of, name: otherName(of.name) }, data }),
    ]
    for (const lie of lies) {
      on.lies = lie
      await press(page, 'Approve once')
      await page.getByText('What the server wants signed is not what you see').waitFor()
      await press(page, 'Try again')
      await page.getByText('What the server wants signed').waitFor({ state: 'hidden' })
    }
    expect(on.submitted).toEqual([])
  })
})
