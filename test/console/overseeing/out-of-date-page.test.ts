// What operators and authors look at while the server is out of reach, or while others change the
// same: it stays on the screen, says that it is old, and nothing is signed that does not hold.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { desk, hasBrowser, phone } from '../../support/browser/chromium.ts'
import { folded, proposals, ruled } from '../../support/learning-scene.ts'
import { changeGraph } from '../../support/runtime.ts'
import { reviewed } from '../../support/scene.ts'
import { asking, busy, lookedAtBy, overseen } from './overseeing-scene.ts'

const signs = 'dialog button[type=submit]'
const another = { intent: { tool: 'erase', args: { path: '/srv/late' } } }

/** Is offline while that happens. */
async function meanwhile(page: Page, happens: () => Promise<unknown>): Promise<void> {
  await page.context().setOffline(true)
  await page.getByText('This device is offline').waitFor()
  await happens()
  await page.context().setOffline(false)
  await page.getByText('This device is offline').waitFor({ state: 'hidden' })
}

describe.runIf(hasBrowser)('what is open', () => {
  test('stays on the screen as old while it cannot be read again', async () => {
    const scene = await overseen()
    await busy(scene)
    const page = await lookedAtBy(scene, 'root', desk)
    await page.goto(`${scene.url}/#/operating/open`)
    const rows = page.locator('.row')
    await expect.poll(() => rows.count()).toBe(3)
    await page.route('**/console/api/open-intents?*', (route) => route.abort())
    await reviewed(scene.on, another)
    await page.getByText('This was read before').waitFor()
    expect(await rows.count()).toBe(3)
    await page.unroute('**/console/api/open-intents?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('This was read before').waitFor({ state: 'hidden' })
    expect(await rows.count()).toBe(4)
  })

  test('has what came while the connection was lost', async () => {
    const scene = await overseen()
    await busy(scene)
    const page = await lookedAtBy(scene, 'root', phone)
    await page.goto(`${scene.url}/#/operating/open`)
    const rows = page.locator('.row')
    await expect.poll(() => rows.count()).toBe(3)
    await meanwhile(page, () => reviewed(scene.on, another))
    await expect.poll(() => rows.count()).toBe(4)
  })
})

describe.runIf(hasBrowser)('what an author has before them', () => {
  test('is gone once someone else has answered it, also while no connection was there', async () => {
    const scene = await overseen()
    const { on, url } = scene
    await asking(scene)
    const [first, second] = await proposals(on, 2)
    const page = await lookedAtBy(scene, 'cora', phone)
    await page.goto(`${url}/#/authoring/proposals/${first?.id}`)
    await page.getByRole('heading', { name: 'Your answer' }).waitFor()
    await ruled(on, first?.id ?? '', { ruling: 'rejected' })
    await page.getByRole('heading', { name: 'Your answer' }).waitFor({ state: 'detached' })
    await page.goto(`${url}/#/authoring/proposals`)
    await expect.poll(() => page.locator('.row').count()).toBe(1)
    await meanwhile(page, async () => {
      await ruled(on, second?.id ?? '', { ruling: 'rejected' })
      await folded(on, () => on.runtime.follower.state.learning.open.size === 0)
    })
    await page.getByText('No proposal is open').waitFor()
  })

  test('is not signed over a revision that came in between, and is kept to be signed on it', async () => {
    const scene = await overseen()
    const { on, url } = scene
    const page = await lookedAtBy(scene, 'root', desk)
    await page.goto(`${url}/#/authoring/graph/file`)
    const text = page.locator('#concept')
    await text.fill((await text.inputValue()).replace('"known"', '"bytes with a name"'))
    await page.getByRole('button', { name: 'Add to the change set' }).click()
    await page.getByRole('button', { name: 'Preview and sign' }).click()
    await page.locator('.turn-lead').waitFor()
    const { state } = on.runtime.follower
    const before = state.graphRevision
    // Between what is prepared and what was signed of it.
    await page.route('**/console/api/changes/submit', async (route) => {
      await changeGraph(on.runtime, { op: 'add', name: 'mars' })
      await route.continue()
    })
    await page.locator(signs).click()
    await page.locator('dialog .notice').getByText('It has changed since you looked').waitFor()
    expect(state.graphRevision).toBe(before + 1)
    await page.unroute('**/console/api/changes/submit')
    await page.locator(signs).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(state.graphRevision).toBe(before + 2)
  })
})
