// Notifications in a real browser: it subscribes when it is asked to, its worker shows what is
// pushed, and what failed is shown. No push service is reached: what it would give is put in its
// place.
import { createECDH } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { reachBook } from '#outreach/reach-store'
import { violationsOf } from '../../support/browser/axe.ts'
import { hasBrowser, openPage } from '../../support/browser/chromium.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { at, consoleThere, type There } from '../page/console-there.ts'
import { jsonOf } from '#record/canonical'
import { virtualPasskeys } from '../../support/browser/authenticator.ts'
import { cardOf } from '../../support/browser/made-up-reviews.ts'
import { expectRefused, press } from '../../support/browser/pressing.ts'
import { standIn } from '../../support/browser/stand-in.ts'
import { expectReplay, reason, reviewed } from '../../support/scene.ts'

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
    toJSON: () => ({
      endpoint: '${endpoint}',
      keys: { p256dh: '${publicKey}', auth: '${'A'.repeat(22)}' },
    }),
    unsubscribe: async () => { there = null; return true },
  }
  PushManager.prototype.subscribe = async (asked) => {
    if (asked.userVisibleOnly !== true) throw new Error('it must be shown')
    there = made
    return made
  }
  PushManager.prototype.getSubscription = async () => there
}`

// A browser without a screen may show nothing, whatever it is granted.
const granted = `Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
  Notification.requestPermission = async () => 'granted'`

async function settingsOf(page: Page): Promise<void> {
  await page.reload()
  await page.getByRole('link', { name: 'quin' }).click()
  await page.getByRole('heading', { name: 'Notifications' }).waitFor()
}

describe.runIf(hasBrowser)('notifications', () => {
  test('are subscribed to by a click, and ended by another', async () => {
    const there = await notified()
    const page = await at(there, 'quin')
    await page.addInitScript(granted)
    await page.addInitScript(subscription)
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

  test('show what is pushed under its own tag, and lead to this console alone', async () => {
    const there = await notified()
    const page = await at(there, 'quin')
    await page.addInitScript(granted)
    await page.addInitScript(subscription)
    await settingsOf(page)
    const started = page.context().waitForEvent('serviceworker')
    await press(page, 'Notify me in this browser')
    const worker = await started
    await worker.evaluate(noting)
    const link = `${there.url}/reviews/bot.-.X`
    const message = { id: 'M1', title: 'Review: “bot” asks', body: 'It waits.', link }
    for (const data of [JSON.stringify(message), 'nothing to read']) {
      await worker.evaluate(`self.pushed(${JSON.stringify(data)})`)
    }
    expect(await worker.evaluate(`self.shown`)).toMatchObject([
      { title: message.title, body: message.body, tag: 'M1', data: link },
      { title: 'A review waits for you', body: '', tag: '', data: '' },
    ])
    const places: unknown[] = []
    for (const to of [link, 'https://elsewhere.example/reviews/x', '']) {
      places.push(await worker.evaluate(`self.clicked(${JSON.stringify(to)})`))
    }
    expect(places).toEqual([link, `${there.url}/`, `${there.url}/`])
  })

  test('say that they may not be shown, or that the browser did not subscribe', async () => {
    const there = await notified()
    const page = await at(there, 'quin')
    await settingsOf(page)
    await page.getByText('This browser may not show messages of this page').waitFor()
    await page.addInitScript(granted)
    await page.addInitScript(`PushManager.prototype.subscribe = () => Promise.reject(new Error())`)
    await settingsOf(page)
    await press(page, 'Notify me in this browser')
    await page.getByText('The browser did not subscribe').waitFor()
    expect(reachBook(there.file).find('quin')).toBeNull()
  })
})

// Runs in the worker: notes what it would show and open, and makes events as a browser does.
const noting = `{
  self.shown = []
  ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
    self.shown.push({ title, ...options })
  }
  const done = async (type, parts) => {
    let ended
    const event = Object.assign(new Event(type), parts, { waitUntil: (one) => { ended = one } })
    self.dispatchEvent(event)
    await ended
  }
  self.pushed = (text) => done('push', { data: { text: () => text } })
  self.clicked = async (data) => {
    let place = null
    Clients.prototype.openWindow = async (url) => { place = url }
    Clients.prototype.matchAll = async () => []
    await done('notificationclick', { notification: { data, close: () => undefined } })
    return place
  }
}`

// The answers of a day in a real browser, on the real server: what a person sees before and after,
// and that the page signs nothing else for it.

const groups = [{ id: 'people', members: ['piet', 'quin'] }]

function asked({ on }: There, path: string): Promise<string> {
  const intent = { tool: 'purge', args: jsonOf({ path }), justification: reason }
  return reviewed(on, { intent })
}

describe.runIf(hasBrowser)('the answers of a day', () => {
  const catalog = { groups, attention: { answers: [{ person: 'quin', perDay: 1 }] } }

  test('are counted down; beyond them one declines, or answers several together', async () => {
    const there = await consoleThere(catalog)
    const intents: string[] = []
    for (const path of ['/1', '/2', '/3', '/4']) intents.push(await asked(there, path))
    const page = await at(there, 'quin')
    await page.getByText('1 of 1 answer in 24 hours left').waitFor()
    await page.getByText('path: /1').click()
    await press(page, 'Approve once')
    await page.getByText('Allowed: the agent may do this once.').waitFor()
    await press(page, 'Next review')
    const approve = page.getByRole('button', { name: 'Approve once' })
    const beyond = page.locator('.answering').getByText('0 of 1 answer in 24 hours left.')
    await beyond.waitFor()
    expect(await approve.isDisabled()).toBe(true)
    await press(page, 'Decline')
    await page.getByText('Denied: nothing was done.').waitFor()
    await page.goto(`${there.url}/#/inbox`)
    await press(page, 'Answer several together')
    await page.getByRole('heading', { name: 'Answer these' }).waitFor()
    await page.getByText('/3', { exact: true }).waitFor()
    await page.getByText('/4', { exact: true }).waitFor()
    const items = page.locator('.bulk-item')
    // Why the agent asks, in its own words, and what is asked of the person.
    const open = items.filter({ hasText: /\/[34]/ })
    for (const text of [`The agent’s reason: ${reason}`, '`delete` needs confirmation. Proceed?']) {
      expect(await open.filter({ hasText: text }).count()).toBe(2)
    }
    expect(await violationsOf(page)).toEqual([])
    await press(page, 'Approve those ticked')
    await page.locator('.bulk').getByText('Answered', { exact: true }).nth(1).waitFor()
    // That is no error; there is nothing left to do in the sheet but to close it.
    expect(await open.locator('.field-problem').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Approve those ticked' }).count()).toBe(0)
    await page.locator('.button-main').getByText('Close', { exact: true }).click()
    expect(await page.locator('.bulk').count()).toBe(0)
    const { state } = there.on.runtime.follower
    await there.on.settled()
    expect(intents.filter((intent) => state.intents.has(intent))).toEqual([])
    await expectReplay(there.on)
  })
})

describe.runIf(hasBrowser)('a server that lies', () => {
  test('gets no batch signed that was not shown, and nothing of another kind', async () => {
    const card = cardOf()
    const on = await standIn({ cards: [card] })
    const page = await openPage()
    const passkeys = await virtualPasskeys(page)
    await page.goto(on.url)
    on.passkeys = [await passkeys.make()]
    await page.goto(`${on.url}#/reviews/${encodeURIComponent(card.intent)}`)
    await page.reload()
    const batch = [card.name, `${card.name}0`]
    const otherName = (name: string): string => name.replace('.decision.', '.drillanswer.')
    await expectRefused(page, on, [
      ({ of, data }) => ({ of, data: jsonOf({ ...Object(data), batch }) }),
      ({ of, data }) => ({ of: { ...of, name: otherName(of.name) }, data }),
    ])
  })
})
