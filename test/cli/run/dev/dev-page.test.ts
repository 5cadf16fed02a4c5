// The page of `warrant dev`: let in and signing by what stands in its link alone, on this machine
// alone, and saying on every view what it is.
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { publicKeyOf } from '#record/crypto/private-key'
import { devPage } from '#cli/run/dev/run'
import { codingCall, codingTool } from '../../../support/coding-tool.ts'
import { desk, hasBrowser, openPage } from '../../../support/browser/chromium.ts'
import { changeCatalog, keys } from '../../../support/runtime.ts'
import { expectReplay } from '../../../support/scene.ts'
import { endWithTest } from '../../../support/vitest/endings.ts'
import { passkeyScene } from '../../../people/passkey-scene.ts'

const signer = { id: 'root', privateKey: keys.root, publicKey: publicKeyOf(keys.root) }

async function pageThere() {
  const on = await passkeyScene({ groups: [{ id: 'people', members: ['root'] }] })
  await changeCatalog(on.runtime, { op: 'set', key: 'dev', value: true })
  const listen = { host: '127.0.0.1', port: 0 }
  const page = await devPage(on.runtime, { signer, listen, look: () => Promise.resolve([]) })
  let isOpen = true
  const close = async (): Promise<void> => {
    if (isOpen) await page.close(0)
    isOpen = false
  }
  // The log has ended by then, and no one can sign in it.
  endWithTest(() => close().catch(() => undefined))
  const keysNow = (): readonly string[] =>
    on.runtime.follower.state.catalog.principals.get('root')?.keys ?? []
  return { on, page, close, keysNow }
}

interface Asked {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/** As anything on this machine can ask, a host that it makes up included. */
function asked(url: string, { path, headers = {}, body }: Asked): Promise<number | undefined> {
  const method = body === undefined ? 'GET' : 'POST'
  const all = { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers }
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/console/api${path}`, { method, headers: all }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.once('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

describe('the page of dev', () => {
  test('lets no one in without the secret of its link, which counts once', async () => {
    const { page } = await pageThere()
    const { origin: url, hash } = new URL(page.link())
    const [secret = '', seed = ''] = hash.slice('#dev='.length).split('/')
    const origin = { origin: url }
    const path = '/sign-in/link'
    expect(await asked(url, { path: '/reviews' })).toBe(401)
    for (const wrong of [`${secret}x`, secret.replace('.', '.x'), `${seed}.${seed}`]) {
      expect(await asked(url, { path, headers: origin, body: { secret: wrong } })).toBe(401)
    }
    expect(await asked(url, { path, headers: origin, body: {} })).toBe(400)
    expect(await asked(url, { path, headers: origin, body: { secret } })).toBe(200)
    expect(await asked(url, { path, headers: origin, body: { secret } })).toBe(401)
    const again = new URL(page.link()).hash.slice('#dev='.length).split('/')[0] ?? ''
    expect(await asked(url, { path, headers: origin, body: { secret: again } })).toBe(200)
  })

  test('answers no other host and no page of elsewhere, whatever they have', async () => {
    const { page } = await pageThere()
    const { origin: url, hash } = new URL(page.link())
    const [secret = ''] = hash.slice('#dev='.length).split('/')
    const body = { secret }
    const path = '/sign-in/link'
    for (const host of ['evil.example', 'evil.example:7719', '192.0.2.7']) {
      expect(await asked(url, { path: '/session', headers: { host } })).toBe(421)
      expect(await asked(url, { path, headers: { host, origin: url }, body })).toBe(421)
    }
    for (const origin of ['https://evil.example', 'null', 'http://localhost:1']) {
      expect(await asked(url, { path, headers: { origin }, body })).toBe(403)
    }
    expect(await asked(url, { path, body })).toBe(403)
    expect(await asked(url, { path, headers: { origin: url }, body })).toBe(200)
  })

  test('has a key of its own, which counts until the end and stands in no log', async () => {
    const { on, page, close, keysNow } = await pageThere()
    const [, seed = '', point = ''] = new URL(page.link()).hash.split('/')
    expect(keysNow()).toEqual([signer.publicKey, `ed25519:${point}`])
    await close()
    expect(keysNow()).toEqual([signer.publicKey])
    for await (const { bytes } of on.runtime.log.read({})) {
      expect(Buffer.from(bytes).toString()).not.toContain(seed)
    }
    await expectReplay(on)
  })
})

describe.runIf(hasBrowser)('in a browser the page of dev', () => {
  test('signs an answer with that key, and says on every view what it is', async () => {
    const { on, page: there } = await pageThere()
    const page = await openPage(desk)
    const link = there.link()
    await page.goto(link)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(page.url()).not.toContain('dev=')
    const note = page.getByText('there is no second person')
    await note.waitFor()
    const purge = on.bot.guard('purge', () => Promise.resolve('gone'))
    const running = purge({ path: '/tmp-file' })
    await page.getByText('path: /tmp-file').click()
    await page.getByRole('button', { name: 'Approve once' }).click()
    await page.getByText('Allowed: the agent may do this once.').waitFor()
    expect(await running).toBe('gone')
    for (const view of ['past', 'log', 'operating', 'authoring', 'settings', 'inbox']) {
      await page.goto(`${new URL(link).origin}/#/${view}`)
      await page.locator('.way[aria-current]').waitFor()
      expect([view, await note.isVisible()]).toEqual([view, true])
    }
    await expectReplay(on)
  })

  test('lets later calls like it too, once the whole grant was shown', async () => {
    const { on, page: there } = await pageThere()
    await codingTool(on.runtime)
    const asks = (path: string, concept?: string) => on.bot.ask(codingCall(path, concept))
    const asked = asks('a.ts')
    const page = await openPage(desk)
    await page.goto(there.link())
    await page.getByText('a.ts').first().click()
    await page.getByRole('button', { name: 'Approve, and later ones like it' }).click()
    await page.getByRole('button', { name: 'Look at what it would let through' }).click()
    await page.getByText('args.root == "/srv/shop"').waitFor()
    await page.getByRole('button', { name: 'Approve, and sign this grant' }).click()
    await page.getByText('Allowed: the agent may do this once.').waitFor()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(await asked).toMatchObject({ outcome: 'allow' })
    expect(await asks('b.ts')).toMatchObject({ outcome: 'allow' })
    await page.goto(`${new URL(page.url()).origin}/#/inbox`)
    void asks('c.ts', 'destroy.inside').catch(() => null)
    await page.getByText('c.ts').first().click()
    await page.getByRole('button', { name: 'Approve once' }).waitFor()
    const offered = page.getByRole('button', { name: 'Approve, and later ones like it' })
    expect(await offered.count()).toBe(0)
    await page.goto(`${new URL(page.url()).origin}/#/authoring/grants`)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    await expectReplay(on)
  })

  test('has no key to sign with once it was loaded again, and says where another is', async () => {
    const { on, page: there } = await pageThere()
    const page = await openPage(desk)
    await page.goto(there.link())
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    const purge = on.bot.guard('purge', () => Promise.resolve('gone'))
    const running = purge({ path: '/tmp-file' }).catch((error: unknown) => error)
    await page.getByText('path: /tmp-file').click()
    await page.reload()
    await page.getByRole('button', { name: 'Approve once' }).click()
    await page.getByText('This page has no key to sign with').waitFor()
    await page.goto(there.link())
    await page.reload()
    await page.getByText('there is no second person').waitFor()
    expect(on.runtime.follower.state.intents.size).toBe(1)
    await page.context().clearCookies()
    await page.goto('about:blank')
    await page.goto(there.link())
    await page.getByText('path: /tmp-file').click()
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByText('Denied: nothing was done.').waitFor()
    await running
  })
})
