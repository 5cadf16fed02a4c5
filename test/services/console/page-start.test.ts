// The page in a real browser, before anyone has signed in.
import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { pagesOf } from '#services/console/pages'
import { desk, hasBrowser, openPage, phone } from '../../support/browser/chromium.ts'
import { violationsOf } from '../../support/browser/axe.ts'
import { endWithTest } from '../../support/vitest/endings.ts'

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"

/** Serves the files alone, under the strictest policy that they work with. */
async function served(): Promise<string> {
  const files = await pagesOf()
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '')
    response.writeHead(file === undefined ? 404 : 200, {
      'content-type': file?.type ?? 'text/plain',
      'content-security-policy': policy,
    })
    response.end(file?.bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endWithTest(() => void server.close())
  const address = server.address()
  return `http://localhost:${typeof address === 'object' ? address?.port : ''}/`
}

describe.runIf(hasBrowser)('the page in a browser', () => {
  test.each([phone, desk])('is drawn under a strict policy on $viewport', async (screen) => {
    const page = await openPage(screen)
    const refused: string[] = []
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) refused.push(message.text())
    })
    await page.goto(await served())
    await page.getByText('Warrant').first().waitFor()
    expect(refused).toEqual([])
    expect(await violationsOf(page)).toEqual([])
  })
})
