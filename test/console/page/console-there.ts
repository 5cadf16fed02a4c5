// The real server on a scene, and people at browsers with passkeys that were enrolled as an
// administrator does it.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { madeLink } from '#serving/people/one-time-link'
import { EnrolmentAnswer } from '#schemas/console/people'
import { serveConsole, type ConsoleServingOptions } from '#console/serving'
import { virtualPasskeys } from '../../support/browser/authenticator.ts'
import { openPage, phone } from '../../support/browser/chromium.ts'
import { pageFiles } from '../../support/browser/page-files.ts'
import { changeCatalog, keys } from '../../support/runtime.ts'
import type { Scene, SceneSetup } from '../../support/scene.ts'
import { endWithTest } from '../../support/vitest/endings.ts'
import { passkeyScene } from '../../people/passkey-scene.ts'

export interface There {
  readonly on: Scene
  readonly url: string
}

export async function consoleThere(
  catalog: SceneSetup['catalog'] = {},
  more: Pick<ConsoleServingOptions, 'reach'> = {},
): Promise<There> {
  const on = await passkeyScene(catalog)
  const listen = { host: '127.0.0.1', port: 0 }
  const of = { runtimes: [on.runtime], listen, files: await pageFiles() }
  const serving = await serveConsole({ ...of, ...more })
  endWithTest(() => serving.close(0))
  const { url } = serving
  const value = [{ id: 'here', rpId: 'localhost', origins: [url] }]
  await changeCatalog(on.runtime, { op: 'set', key: 'consoles', value })
  return { on, url }
}

async function askedOf({ url }: There, path: string, body: object): Promise<unknown> {
  const response = await fetch(`${url}/console/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(body),
  })
  return response.json()
}

/** A person with a browser and a passkey of their own, enrolled as an administrator does it. */
export async function at(
  there: There,
  person: string,
  screen: BrowserContextOptions = phone,
): Promise<Page> {
  const { on, url } = there
  const page = await openPage(screen)
  await virtualPasskeys(page)
  const madeAt = on.time.now
  const { log } = on.runtime.follower.state
  const of = { for: 'enrol' as const, by: 'root', person, origin: url, log, madeAt }
  const secret = madeLink({ ...of, until: madeAt + 60_000, privateKey: keys.root })
  await page.goto(`${url}/#enrol=${secret}`)
  await page.getByRole('button', { name: 'Make a passkey' }).click()
  const shown = await page.locator('.fingerprint').textContent()
  const answer = EnrolmentAnswer.parse(await askedOf(there, '/enrol/state', { secret }))
  expect([answer.state, answer.fingerprint]).toEqual(['waiting', shown])
  expect(page.url()).not.toContain(secret)
  const bare = { roles: [], attributes: {}, keys: [], suspended: false }
  const entry = { ...bare, id: person, passkeys: answer.passkey === null ? [] : [answer.passkey] }
  await changeCatalog(on.runtime, { op: 'put', collection: 'principals', entry })
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  return page
}
