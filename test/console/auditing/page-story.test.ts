// The auditor looks at one intent, at the graph and at two moments, in a real browser.
import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { violationsOf } from '../../support/browser/axe.ts'
import { desk, hasBrowser, phone } from '../../support/browser/chromium.ts'
import { changeGraph } from '../../support/runtime.ts'
import { auditorAt, auditorScene } from './auditor-scene.ts'
import { pageFiles } from '../../support/browser/page-files.ts'

beforeAll(async () => {
  if (hasBrowser) await pageFiles()
})

const at = (address: string): string => encodeURIComponent(address)

describe.runIf(hasBrowser)('an intent', () => {
  test('has its story as a timeline, in the words of the command line', async () => {
    const of = await auditorScene()
    const page = await auditorAt(of, `intents/${at(of.asked.approved)}`, phone)
    const { steps: shown } = await of.on.bot.read('trace', { intent: of.asked.approved })
    await page.locator('.step').first().waitFor()
    const steps = await page.locator('.step-title').allInnerTexts()
    expect(steps).toEqual(shown.map(({ title }) => title.replaceAll('`', '')))
    expect(await violationsOf(page)).toEqual([])
  })

  test('is drawn as of the moment that the address names', async () => {
    const of = await auditorScene()
    const place = `intents/${at(of.asked.unknown)}/graph`
    const page = await auditorAt(of, place, desk)
    await page.locator('.box-missing', { hasText: 'warehouse' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    const { position } = of.on.runtime.follower.state
    const box = page.locator('.box', { hasText: 'warehouse' })
    await page.goto(`${of.serving.url}/#/${place}?around=warehouse&at=17`)
    await page.getByText('The graph has no such concept').waitFor()
    await page.goto(`${of.serving.url}/#/${place}?around=warehouse&at=${position}`)
    await box.waitFor()
  })

  test('says by which one rule it was denied, from what, and in which version', async () => {
    const of = await auditorScene()
    const page = await auditorAt(of, `intents/${at(of.asked.refused)}/why`, phone)
    await page.getByText('args.amount <= 500.0').first().waitFor()
    const inputs = await page.locator('.leaf', { hasText: 'args.amount' }).innerText()
    expect(inputs).toContain('900')
    expect(await page.locator('.leaf', { hasText: 'Graph revision' }).innerText()).toContain('r1')
    expect(await violationsOf(page)).toEqual([])
  })

  test('is derived again by the browser, which finds each fact equal', async () => {
    const of = await auditorScene()
    const page = await auditorAt(of, `intents/${at(of.asked.approved)}/derive`, desk)
    const problems: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy|Trusted/.test(message.text())) problems.push(message.text())
    })
    await page.getByRole('button', { name: 'Derive it again here' }).click()
    await page.getByText('All 3 facts came out the same, to the byte.').waitFor({ timeout: 60_000 })
    expect(await page.locator('.tag-equal').count()).toBe(3)
    expect(problems).toEqual([])
    expect(await violationsOf(page)).toEqual([])
  })

  test('is found different where the server has changed a fact on the way', async () => {
    const of = await auditorScene()
    const page = await auditorAt(of, `intents/${at(of.asked.refused)}/derive`, desk)
    await page.route('**/derive?*', async (route) => {
      const response = await route.fetch()
      const answer = Slice.parse(await response.json())
      for (const fact of answer.facts) {
        if (!fact.name.includes('.verdict.') || !fact.name.includes(of.asked.refused)) continue
        const text = Buffer.from(fact.bytes, 'base64').toString('utf8')
        const changed = text.replace('policy_blocked', 'value_unknown')
        fact.bytes = Buffer.from(changed).toString('base64')
      }
      await route.fulfill({ response, json: answer })
    })
    await page.getByRole('button', { name: 'Derive it again here' }).click()
    await page.locator('.tag-differs').waitFor({ timeout: 60_000 })
    expect(await page.locator('.notice .strong').innerText()).toContain(
      '1 fact came out differently',
    )
    expect(await page.locator('.found-bad').innerText()).toContain('policy_blocked')
  })

  test('is exported with the bytes that the log has', async () => {
    const of = await auditorScene()
    const page = await auditorAt(of, `intents/${at(of.asked.read)}`, desk)
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export the evidence' }).click()
    const path = await (await downloading).path()
    const [head = '', first = ''] = (await readFile(path, 'utf8')).split('\n')
    expect(JSON.parse(head)).toMatchObject({ intent: of.asked.read })
    const { name, bytes } = Line.parse(JSON.parse(first))
    const fact = await of.on.log.get(name)
    expect(bytes).toBe(Buffer.from(fact?.bytes ?? []).toString('base64'))
  })

  test('leads to its trace where who runs the server said where traces are', async () => {
    const of = await auditorScene()
    const page = await auditorAt(of, `intents/${at(of.asked.read)}`, desk)
    const link = page.getByRole('link', { name: 'Open its trace' })
    const address = `https://traces.example.org/${'4bf92f3577b34da6'.repeat(2)}`
    expect(await link.getAttribute('href')).toBe(address)
  })
})

function to(target: string) {
  return { type: 'APPLIES_TO' as const, target, targetDepth: 0, metadata: {}, policies: [] }
}

const Line = z.looseObject({ name: z.string(), bytes: z.string() })
const Slice = z.looseObject({
  facts: z.array(z.looseObject({ name: z.string(), bytes: z.string() })),
})

describe.runIf(hasBrowser)('what was known', () => {
  test('is drawn in parts where it is too large to be drawn as one', async () => {
    const of = await auditorScene()
    const streets = Array.from({ length: 320 }, (_, at) => `street ${at}`)
    await changeGraph(
      of.on.runtime,
      ...streets.flatMap((name, at) => [
        { op: 'add' as const, name },
        { op: 'describe' as const, name, level: 0, properties: {} },
        { op: 'relate' as const, name, level: 0, relatum: to(at % 2 === 0 ? 'order' : 'refund') },
      ]),
    )
    const page = await auditorAt(of, 'graph', phone)
    const parts = page.locator('.overview')
    await parts.locator('.picture-svg').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await parts.locator('.tiles a').first().click()
    await page.locator('h2.row-title').waitFor()
    await page.locator('.picture-svg .box-middle').waitFor()
    expect(await page.locator('.picture-svg .box').count()).toBeLessThanOrEqual(300)
  })

  test('is compared between two moments', async () => {
    const of = await auditorScene()
    const page = await auditorAt(of, 'compare', phone)
    await page.getByLabel('Before').fill('r1')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.waitForURL((url) => url.hash === '#/compare?of=graph&from=r1')
    await page.locator('.entry-added', { hasText: 'warehouse' }).waitFor()
    await page.locator('.entry-changed', { hasText: 'how much may go back a day' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.goto(`${of.serving.url}/#/compare?of=graph&from=r2`)
    await page.getByText('No difference').waitFor()
  })

  test('is browsed from concept to concept', async () => {
    const of = await auditorScene()
    const page = await auditorAt(of, 'graph?at=r1', phone)
    await page.getByRole('link', { name: 'refund' }).click()
    await page.locator('.box-middle', { hasText: 'refund' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByText('The same as a list').click()
    await page.locator('.picture-list').getByRole('link', { name: 'limit' }).click()
    await page.waitForURL((url) => url.hash === '#/graph?at=r1&concept=limit')
  })

  test('is not for who may not read it', async () => {
    const of = await auditorScene()
    const page = await auditorAt(of, 'log', desk, 'nora')
    await page.getByRole('alert').getByText('You may not see this').waitFor()
    expect(await page.getByRole('link', { name: 'Log' }).count()).toBe(0)
  })
})
