import { beforeAll, expect, test } from 'vitest'
import { violationsOf } from '../support/browser/axe.ts'
import { desk, hasBrowser, openPage, phone } from '../support/browser/chromium.ts'
import { givenOut } from '../support/browser/given-out.ts'
import { siteFiles } from '../../docs/site/build.ts'

let files: ReadonlyMap<string, string | Uint8Array>
beforeAll(async () => {
  if (hasBrowser) files = await siteFiles()
})

const pages = [
  'index.html',
  'docs/index.html',
  'docs/rules/conditions.html',
  'docs/people/console.html',
]

test.runIf(hasBrowser).each([
  ['a phone', 'light' as const, phone],
  ['a desk', 'dark' as const, desk],
])('on %s in %s each page is read, and asks nothing of others', async (_, colorScheme, screen) => {
  const url = await givenOut(files)
  const page = await openPage({ ...screen, colorScheme })
  const asked = new Set<string>()
  const wrong: string[] = []
  page.on('request', (request) => asked.add(new URL(request.url()).origin))
  page.on('console', (said) => wrong.push(said.text()))
  page.on('pageerror', (error) => wrong.push(error.message))
  for (const place of pages) {
    await page.goto(`${url}${place}`)
    expect({ place, found: await violationsOf(page) }).toEqual({ place, found: [] })
    const wider = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
    expect({ place, isWider: await page.evaluate(wider) }).toEqual({ place, isWider: false })
  }
  expect([...asked]).toEqual([new URL(url).origin])
  expect(wrong).toEqual([])
})

test.runIf(hasBrowser)('a search finds a heading, by keys, and leads to it', async () => {
  const url = await givenOut(files)
  const page = await openPage(desk)
  await page.goto(`${url}docs/rules/conditions.html`)
  await page.keyboard.press('/')
  await page.keyboard.type('observ')
  await page.locator('#found li').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL((to) => !to.href.includes('rules/conditions'))
  expect(await page.locator('main').textContent()).toContain('observ')
  await page.fill('#search', 'zzzzzzzz')
  await page.locator('#found li', { hasText: 'Nothing found' }).waitFor()
})

test.runIf(hasBrowser)('light and dark are turned, and kept on the next page', async () => {
  const url = await givenOut(files)
  const page = await openPage({ ...desk, colorScheme: 'light' })
  await page.goto(`${url}index.html`)
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const light = await ground()
  await page.click('#theme')
  const dark = await ground()
  expect(dark).not.toBe(light)
  await page.goto(`${url}docs/index.html`)
  expect(await ground()).toBe(dark)
})
