// Notifications in a real browser: it subscribes when it is asked to, its worker shows what is
// pushed, and what failed is said. No push service is reached: what it would give is put in its place.
import { createECDH } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { reachBook } from '#runtime/outreach/reach-store'
import { violationsOf } from '../../../support/browser/axe.ts'
import { hasBrowser } from '../../../support/browser/chromium.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { at, consoleThere, type There } from '../page/console-there.ts'

const publicKey = createECDH('prime256v1').generateKeys('base64url')
const endpoint = 'https://fcm.googleapis.com/fcm/send/abc'

interface Notified extends There {
  readonly file: string
}

async function notified(): Promise<Notified> {
  const file = join(await temporaryFolder(), 'reach.ndjson')
  return { ...(await consoleThere({}, { reach: { book: reachBook(file), publicKey } })), file }
}

// Runs in the page before its scripts: what a push service would give to a browser.
const subscription = `{
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')),
    (each) => each.charCodeAt(0)).buffer
  let there = null
  const made = {
    endpoint: '${endpoint}',
    options: { applicationServerKey: bytes('${publicKey}') },
    toJSON: () => ({ endpoint: '${endpoint}', keys: { p256dh: '${publicKey}', auth: '${'A'.repeat(22)}' } }),
    unsubscribe: async () => { there = null; return true },
  }
  PushManager.prototype.subscribe = async (asked) => {
    if (asked.userVisibleOnly !== true) throw new Error('it must be shown')
    there = made
    return made
  }
  PushManager.prototype.getSubscription = async () => there
}`

async function settingsOf(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'quin' }).click()
  await page.getByRole('heading', { name: 'Notifications' }).waitFor()
}

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

describe.runIf(hasBrowser)('notifications', { timeout: 60_000 }, () => {
  test('are subscribed to by a click, and ended by another', async () => {
    const there = await notified()
    const page = await at(there, 'quin')
    await page.context().grantPermissions(['notifications'], { origin: there.url })
    await page.addInitScript(subscription)
    await page.reload()
    await settingsOf(page)
    const book = reachBook(there.file)
    expect(book.find('quin')).toBeNull()
    await press(page, 'Notify me in this browser')
    await page.getByText('this browser', { exact: true }).waitFor()
    expect(book.find('quin')?.targets).toMatchObject([{ channel: 'push', url: endpoint }])
    expect(await violationsOf(page)).toEqual([])
    await press(page, 'Stop')
    await page.getByRole('button', { name: 'Notify me in this browser' }).waitFor()
    expect(book.find('quin')?.targets).toEqual([])
  })

  test('show what is pushed, once for each message, and lead to this console alone', async () => {
    const there = await notified()
    const page = await at(there, 'quin')
    await page.context().grantPermissions(['notifications'], { origin: there.url })
    await page.addInitScript(subscription)
    await page.reload()
    await settingsOf(page)
    const devtools = await page.context().newCDPSession(page)
    const registered = new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [first] = registrations
        if (first !== undefined) resolve(first.registrationId)
      })
    })
    await devtools.send('ServiceWorker.enable')
    await press(page, 'Notify me in this browser')
    await page.getByText('this browser', { exact: true }).waitFor()
    const registrationId = await registered
    const link = `${there.url}/reviews/bot.-.X`
    const message = { id: 'M1', title: 'Review: “bot” asks', body: 'It waits.', link }
    for (const data of [JSON.stringify(message), JSON.stringify(message), 'nothing to read']) {
      await devtools.send('ServiceWorker.deliverPushMessage', {
        origin: there.url,
        registrationId,
        data,
      })
    }
    await page.waitForFunction(
      `navigator.serviceWorker.ready.then(async (of) => (await of.getNotifications()).length > 1)`,
    )
    const shown = z
      .array(z.object({ title: z.string(), body: z.string(), tag: z.string(), data: z.string() }))
      .parse(await page.evaluate(shownNow))
    expect(shown.toSorted((one, other) => one.tag.length - other.tag.length)).toEqual([
      { title: 'A request waits for you', body: '', tag: '', data: '' },
      { title: message.title, body: message.body, tag: 'M1', data: link },
    ])
  })

  test('say that they may not be shown, or that the browser did not subscribe', async () => {
    const there = await notified()
    const page = await at(there, 'quin')
    await page.addInitScript(`PushManager.prototype.subscribe = () => Promise.reject(new Error())`)
    await page.context().grantPermissions(['notifications'], { origin: there.url })
    await page.reload()
    await settingsOf(page)
    await press(page, 'Notify me in this browser')
    await page.getByText('The browser did not subscribe').waitFor()
    await page.addInitScript(
      `Object.defineProperty(Notification, 'permission', { get: () => 'denied' })`,
    )
    await page.reload()
    await settingsOf(page)
    await page.getByText('This browser may not show messages of this page').waitFor()
    expect(reachBook(there.file).find('quin')).toBeNull()
  })
})

const shownNow = `navigator.serviceWorker.ready.then(async (of) =>
  (await of.getNotifications()).map(({ title, body, tag, data }) => ({ title, body, tag, data })))`
