// The whole path on a phone, on the real server: a passkey is made by a link and enrolled, an agent
// calls, a person approves with the passkey, and the call runs, once.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { Refused } from '#client/guard/refused'
import { desk, hasBrowser } from '../../support/browser/chromium.ts'
import { expectReplay } from '../../support/scene.ts'
import { at, consoleThere } from './console-there.ts'

const approve = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Approve once' }).click()

describe.runIf(hasBrowser)('from a call to its run', () => {
  test('a person approves on a phone with a passkey', async () => {
    const there = await consoleThere()
    const page = await at(there, 'quin')
    const ran: unknown[] = []
    const purge = there.on.bot.guard('purge', (args: { readonly path: string }) => {
      ran.push(args)
      return Promise.resolve('gone')
    })
    const running = purge({ path: '/tmp-file' })
    await page.getByText('path: /tmp-file').click()
    await page.getByRole('heading', { name: 'purge' }).waitFor()
    expect(ran).toEqual([])
    await approve(page)
    await page.getByText('Allowed: the agent may do this once.').waitFor()
    expect(await running).toBe('gone')
    expect(ran).toEqual([{ path: '/tmp-file' }])
    await page.getByText('quin approved').waitFor()
    await expectReplay(there.on)
  })

  test('of two who press at once one is first, and the other sees that', async () => {
    const there = await consoleThere()
    const [quin, piet] = [await at(there, 'quin'), await at(there, 'piet', desk)]
    const ran: unknown[] = []
    const purge = there.on.bot.guard('purge', () => {
      ran.push(1)
      return Promise.resolve('gone')
    })
    const running = purge({ path: '/both' })
    const buttons = [quin, piet].map(async (page) => {
      await page.getByText('path: /both').click()
      return page.getByRole('button', { name: 'Approve once' }).elementHandle()
    })
    // Not by what waits for a button: that of the second may be gone by then.
    const pressed = await Promise.all(buttons)
    await Promise.all(pressed.map((button) => button?.dispatchEvent('click')))
    for (const page of [quin, piet]) {
      await page.getByText('Allowed: the agent may do this once.').waitFor()
      expect(await page.getByRole('button', { name: 'Approve once' }).count()).toBe(0)
    }
    await running
    expect(ran).toEqual([1])
    await expectReplay(there.on)
  })

  test('a decline with its reason reaches the agent', async () => {
    const there = await consoleThere()
    const page = await at(there, 'quin')
    const purge = there.on.bot.guard('purge', () => Promise.resolve('gone'))
    const running = purge({ path: '/keep' }).catch((error: unknown) => {
      return error instanceof Refused ? error.forModel() : error
    })
    await page.getByText('path: /keep').click()
    await page.getByRole('button', { name: 'Add a reason' }).click()
    await page.getByLabel('A reason').fill('Still needed')
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByText('Denied: nothing was done.').waitFor()
    expect(await running).toContain('Still needed')
  })
})
