// A person signs in at an issuer of another site, in a real browser whose cookies stay with their
// own site, and comes back to the page; or reads there why not.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { serveConsole } from '#console/serving'
import { hasBrowser, openPage } from '../../support/browser/chromium.ts'
import { pageFiles } from '../../support/browser/page-files.ts'
import { scene } from '../../support/scene.ts'
import { endWithTest } from '../../support/vitest/endings.ts'
import { bindIdentity, testIssuer, type TestIssuer } from '../../http/oidc/test-issuer.ts'

interface There {
  readonly issuer: TestIssuer
  readonly page: Page
  readonly url: string
}

async function there(): Promise<There> {
  const on = await scene()
  const issuer = await testIssuer(() => on.time.now)
  await bindIdentity({ on }, 'quin', { issuer: issuer.url, subject: 'u-quin' })
  const serving = await serveConsole({
    runtimes: [on.runtime],
    listen: { host: '127.0.0.1', port: 0 },
    files: await pageFiles(),
    issuer: { url: issuer.url, client: { id: 'console', secret: null } },
  })
  endWithTest(() => serving.close(0))
  const { url } = serving
  return { issuer, url, page: await openPage() }
}

const signIn = (page: Page): Promise<void> =>
  page.getByRole('link', { name: 'Sign in with your organisation' }).click()

describe.runIf(hasBrowser)('at an issuer', () => {
  test('someone signs in, goes on at the page, and signs out there too', async () => {
    const { issuer, page, url } = await there()
    issuer.answers.subject = 'u-quin'
    await page.goto(url)
    await signIn(page)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(new URL(page.url()).origin).toBe(url)
    await page.goto(`${url}/#/settings`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL((now) => now.href.startsWith(`${issuer.url}/end`))
    await page.goto(url)
    await page.getByRole('link', { name: 'Sign in with your organisation' }).waitFor()
  })

  test('whom the catalog does not know reads that on the page', async () => {
    const { issuer, page, url } = await there()
    issuer.answers.subject = 'u-eve'
    await page.goto(url)
    await signIn(page)
    await page.getByRole('alert').getByText('No one in the catalog has that account').waitFor()
    await page.waitForURL(({ href }) => !href.includes('refused'))
    issuer.answers.subject = 'u-quin'
    await signIn(page)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  })
})
