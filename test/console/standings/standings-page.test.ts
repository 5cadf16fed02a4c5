// Standings and contracts in a real browser: the table, the line with its links, a contract with
// what was found of it, and an agent that works again by a passkey.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { letRead } from '../../people/passkey-scene.ts'
import { token } from '#record/names'
import { violationsOf } from '../../support/browser/axe.ts'
import { desk, hasBrowser, phone } from '../../support/browser/chromium.ts'
import { judged, reviewed } from '../../support/scene.ts'
import { lookedAtBy, overseen, type Overseen } from '../overseeing/overseeing-scene.ts'
import { claimed, fails, given, passes, settled, workCatalog } from './standings-scene.ts'

async function goTo({ url }: Overseen, page: Page, place: string): Promise<void> {
  await page.goto(`${url}/#/operating/${place}`)
  await page.locator('.room-body .table, .room-body article, .room-body .row').first().waitFor()
  expect(await violationsOf(page)).toEqual([])
}

describe.runIf(hasBrowser)('standings', () => {
  test.each([phone, desk])(
    'are a table, and of one agent a line that keys follow, on $viewport',
    async (screen) => {
      const scene = await overseen(workCatalog)
      const good = await settled(scene.on, passes)
      const bad = await settled(scene.on, fails, 'T-2')
      await letRead(scene.on, 'olga')
      const page = await lookedAtBy(scene, 'olga', screen)
      await goTo(scene, page, 'standings')
      const [first = ''] = await page.locator('tbody tr').allInnerTexts()
      expect(first).toContain('Suspended')
      await page.getByRole('link', { name: 'bot', exact: true }).click()
      const chart = page.getByRole('figure', { name: 'Its standing, step by step' })
      await chart.waitFor()
      expect(await violationsOf(page)).toEqual([])
      expect(await chart.locator('desc').textContent()).toBe(
        '2 steps from 0.70 to −0.25, suspended; between −0.25 and 0.88.',
      )
      const points = chart.getByRole('link')
      expect(await points.count()).toBe(2)
      // Who may not sign it is offered nothing to sign.
      expect(await page.getByRole('button', { name: /^Reinstate/ }).count()).toBe(0)
      await points.last().focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'T-2' }).waitFor()
      expect(page.url()).toContain(encodeURIComponent(bad))
      await page.goBack()
      await chart.waitFor()
      expect(await page.locator('tbody tr').count()).toBe(2)
      await page
        .locator('tbody tr')
        .last()
        .getByRole('link', { name: /^Contract/ })
        .click()
      await page.getByRole('heading', { name: 'T-1' }).waitFor()
      expect(page.url()).toContain(encodeURIComponent(good))
    },
  )

  test('mark the step that the address names, and let an agent work again by a passkey', async () => {
    const scene = await overseen(workCatalog)
    await settled(scene.on, fails)
    const { standings } = scene.on.runtime.follower.state
    const at = standings.get(token('bot'))?.suspendedBy?.position ?? 0
    const page = await lookedAtBy(scene, 'root', phone)
    await goTo(scene, page, `standings/bot?at=${at}`)
    await page.locator('.row-here').waitFor()
    await page.getByRole('button', { name: 'Reinstate bot' }).click()
    const send = page.locator('dialog button[type=submit]')
    await send.click()
    // Without a reason nothing is sent: the sheet stays.
    await page.locator('dialog textarea:invalid').fill('its tests were <b>wrong</b>')
    expect(await violationsOf(page)).toEqual([])
    await send.click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.getByText('Reinstated by root').waitFor()
    expect(await page.locator('tbody').innerText()).toContain('<b>wrong</b>')
    expect(await page.locator('.standing-back').count()).toBe(1)
    const now = scene.on.runtime.follower.state.standings.get(token('bot'))
    expect([now?.value, now?.suspendedBy]).toEqual([0.3, null])
    expect(await violationsOf(page)).toEqual([])
  })
})

describe.runIf(hasBrowser)('the rules of verified work', () => {
  test('are set among the settings, once what is written is one of them', async () => {
    const scene = await overseen(workCatalog)
    const page = await lookedAtBy(scene, 'root', phone)
    await page.goto(`${scene.url}/#/authoring/catalog/settings`)
    await page.getByText('/srv/site').waitFor()
    await page.getByRole('button', { name: 'Edit Verified work' }).click()
    const sign = page.locator('dialog button[type=submit]')
    const work = { ...workCatalog.work, probation: 2 }
    await page.locator('#entry').fill(JSON.stringify({ ...work, alpha: 7 }))
    await page.locator('.mistakes').waitFor()
    expect(await sign.isDisabled()).toBe(true)
    await page.locator('#entry').fill(JSON.stringify(work))
    expect(await violationsOf(page)).toEqual([])
    await sign.click()
    await page.getByRole('button', { name: 'Preview and sign' }).click()
    await page.locator('.turn-lead').waitFor()
    await sign.click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(scene.on.runtime.follower.state.catalog.work).toEqual(work)
  })
})

describe.runIf(hasBrowser)('a question of standing', () => {
  test('says on its card at which level it is asked, and how many must agree', async () => {
    const levels = {
      standard: { confirm: [{ capability: 'look' }], confirmation: 'four', quorum: 2 },
    }
    const scene = await overseen({ ...workCatalog, work: { ...workCatalog.work, levels } })
    const intent = await reviewed(scene.on, { intent: { tool: 'look' } })
    const page = await lookedAtBy(scene, 'piet', phone)
    await page.goto(`${scene.url}/#/reviews/${encodeURIComponent(intent)}`)
    const asks = "The agent's standing is standard: may it go on? At least 2 must agree."
    await page.getByText(asks).waitFor()
    await page.getByText('It needs 2 people').waitFor()
    expect(await violationsOf(page)).toEqual([])
  })
})

describe.runIf(hasBrowser)('contracts', () => {
  test('and standings are reached from the story of an agent and from its facts', async () => {
    const scene = await overseen(workCatalog)
    const contract = await settled(scene.on, passes)
    const { intent } = await judged(scene.on, { intent: { tool: 'look' } })
    const page = await lookedAtBy(scene, 'root', phone)
    await page.goto(`${scene.url}/#/intents/${encodeURIComponent(intent)}`)
    await page.getByRole('link', { name: 'Standing of the agent' }).click()
    await page.locator('.standing-line').waitFor()
    await page.getByRole('link', { name: /^Fact/ }).click()
    await page.getByRole('link', { name: 'Contract', exact: true }).click()
    await page.getByRole('heading', { name: 'T-1' }).waitFor()
    expect(page.url()).toContain(encodeURIComponent(contract))
    await page.goto(`${scene.url}/#/operating/agents`)
    await page.getByRole('link', { name: 'Standing of the agent bot' }).click()
    await page.locator('.standing-line').waitFor()
  })

  test('show gates, findings and what programs wrote as text, and lead to what they moved', async () => {
    const scene = await overseen(workCatalog)
    const open = await given(scene.on, { taskId: 'T-9', acceptanceCriteria: ['<i>it</i> runs'] })
    const ended = await settled(scene.on, fails)
    const page = await lookedAtBy(scene, 'root', desk)
    await goTo(scene, page, 'contracts')
    await page.getByRole('link', { name: 'T-9' }).click()
    await page.getByText('Nothing has been looked at yet.').waitFor()
    expect(page.url()).toContain(encodeURIComponent(open))
    expect(await page.locator('article').innerText()).toContain('<i>it</i> runs')
    // What comes of it meanwhile is drawn at once.
    await claimed(scene.on, open)
    await page.getByText('a claim waits').first().waitFor()
    await goTo(scene, page, `contracts/${encodeURIComponent(ended)}`)
    const text = await page.locator('article').innerText()
    expect(text).toContain('the program ended with another exit code than 0')
    expect(text).toContain('<i>ok</i>: was not printed by the tests')
    expect(text).toContain('boom <b>x</b>')
    expect(text).not.toContain('\u202E')
    expect(text).toContain('programs ran in namespaces of their own: user, network held')
    await page.getByRole('link', { name: 'What it moved' }).click()
    await page.locator('.row-here').waitFor()
  })
})
