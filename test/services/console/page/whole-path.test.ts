// The whole path on a phone, on the real server: a passkey is made by a link and enrolled, an agent
// calls, a person approves with the passkey, and the call runs, once.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { madeLink } from '#runtime/serving/people/one-time-link'
import { EnrolmentAnswer } from '#schemas/console/people'
import { Refused } from '#services/client/guard/refused'
import { pagesOf } from '#services/console/pages'
import { serveConsole } from '#services/console/serving'
import { virtualPasskeys } from '../../../support/browser/authenticator.ts'
import { desk, hasBrowser, openPage, phone } from '../../../support/browser/chromium.ts'
import { changeCatalog, keys } from '../../../support/runtime.ts'
import { expectReplay, type Scene } from '../../../support/scene.ts'
import { endWithTest } from '../../../support/vitest/endings.ts'
import { passkeyScene } from '../../people/passkey-scene.ts'

interface There {
  readonly on: Scene
  readonly url: string
}

async function consoleThere(): Promise<There> {
  const on = await passkeyScene()
  const listen = { host: '127.0.0.1', port: 0 }
  const serving = await serveConsole({ runtimes: [on.runtime], listen, files: await pagesOf() })
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
async function at(
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

const approve = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Approve once' }).click()

describe.runIf(hasBrowser)('from a call to its run', { timeout: 60_000 }, () => {
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
