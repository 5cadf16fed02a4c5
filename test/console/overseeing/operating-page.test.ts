// What an operator sees and does in a browser, at a real console: what waits for whom, faults
// tried again, and an agent suspended by a passkey.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { assert } from '#record/fault'
import { violationsOf } from '../../support/browser/axe.ts'
import { desk, hasBrowser, phone } from '../../support/browser/chromium.ts'
import { say } from '../../support/scene.ts'
import { busy, lookedAtBy, overseen } from './overseeing-scene.ts'

async function isDrawn(page: Page): Promise<void> {
  await page.locator('.room-body .row, .room-body .figures, .room-body .empty').first().waitFor()
  expect(await violationsOf(page)).toEqual([])
}

describe.runIf(hasBrowser)('the operator’s views', () => {
  test.each([phone, desk])('are drawn for everyone on $viewport', async (screen) => {
    const scene = await overseen()
    await busy(scene)
    const page = await lookedAtBy(scene, 'root', screen)
    const to = async (view: string): Promise<void> => {
      await page.goto(`${scene.url}/#/operating/${view}`)
      await isDrawn(page)
    }
    await to('work')
    await to('open?only=unanswerable')
    expect(await page.locator('.row').count()).toBe(1)
    expect(await page.locator('.row').textContent()).toContain('vera — suspended')
    await to('faults')
    await page.getByRole('button', { name: 'Try it again' }).click()
    await page.locator('.row-came').waitFor()
    await to('agents')
    await page.goto(`${scene.url}/#/operating/doctor`)
    await page.locator('.marked-bad', { hasText: 'no one can sign' }).waitFor()
    expect(await page.locator('.room-body > .stack .row').allInnerTexts()).toMatchObject([
      expect.stringContaining('Failed'),
      expect.stringContaining('To fix: put `keys` there'.replaceAll('`', '')),
    ])
    await page.getByText('What is as it should be (1)').click()
    expect(await violationsOf(page)).toEqual([])
  })

  test('suspend an agent by a passkey, and resume it', async () => {
    const scene = await overseen()
    const page = await lookedAtBy(scene, 'root', phone)
    const { state } = scene.on.runtime.follower
    const isSuspended = (): boolean => {
      const agent = state.catalog.principals.get('ledger-bot')
      assert(agent !== undefined, 'the scene has it')
      return agent.suspended
    }
    await page.goto(`${scene.url}/#/operating/agents`)
    for (const [act, after] of [
      ['Suspend', true],
      ['Resume', false],
    ] as const) {
      await page.getByRole('button', { name: `${act} ledger-bot` }).click()
      await page.getByLabel('Why').fill('it was odd')
      expect(await violationsOf(page)).toEqual([])
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog').waitFor({ state: 'detached' })
      expect(isSuspended()).toBe(after)
    }
  })

  test('unblock an agent by the passkey of its owner, up to what was shown', async () => {
    const scene = await overseen()
    const { runtime, log } = scene.on
    const block = { type: 'notice', content: 'stop', safety: { level: 'block', issues: [] } }
    const blocked = async () => {
      await say(log, { message: block })
      await runtime.follower.reached((await log.head()).position)
    }
    await blocked()
    const page = await lookedAtBy(scene, 'olga', phone)
    await page.goto(`${scene.url}/#/operating/agents`)
    await page.getByRole('button', { name: 'Unblock bot' }).click()
    await page.getByText('blocked by').waitFor()
    expect(await violationsOf(page)).toEqual([])
    const { position } = await log.head()
    await page.locator('dialog button[type=submit]').click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    const { agents } = runtime.follower.state
    expect(agents.get('bot')).toMatchObject({ block: null, liftedThrough: position })
    await blocked()
    await page.getByRole('button', { name: 'Unblock bot' }).waitFor()
  })

  test('offer nothing to who may only answer', async () => {
    const scene = await overseen()
    const page = await lookedAtBy(scene, 'olga', desk)
    const ways = await page.locator('.way').allTextContents()
    expect(ways).toEqual(['Inbox', 'Answered', 'Operate', 'olga'])
    // What is of the log as a whole is not there, and leads to what is theirs.
    await page.goto(`${scene.url}/#/operating/faults`)
    await page.locator('.row').first().waitFor()
    expect(await page.getByRole('button', { name: /^Suspend/ }).count()).toBe(0)
  })
})
