// The session of a person who signed in: it says who someone is, to pages of this server alone,
// until it ends; and it decides nothing.
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { ownCookie } from '#serving/people/own-cookies'
import { personSessions } from '#serving/people/person-sessions'
import { sealing } from '#serving/people/issuer-sign-in'
import { allRoutes, routes } from '#schemas/http/routes'
import { changeCatalog } from '../../support/runtime.ts'
import { answer, erasing } from '../http-door.ts'
import { newBrowser, type Browser, type Page } from './browser.ts'
import { secret, signedIn, signIn, signingDoor } from './signing-door.ts'
import { audience, bindIdentity } from './test-issuer.ts'

const codeOf = ({ status, text }: Page): string => {
  const { code, reason } = Object(JSON.parse(text))
  return [status, ...(code === undefined ? [] : [code]), ...((reason ?? '') ? [reason] : [])].join(
    ' ',
  )
}

const said = JSON.stringify({ receiver: 'ada', content: 'write to cat@example.org for me' })
const saying = (url: string): string => `${url}/v1/sessions/desk-1/messages`

test('what a person says in a session is evidence, as under a token', async () => {
  const scene = await signingDoor()
  const { browser, own, url } = await signedIn(scene, 'u-ann')
  const page = await browser.ask(saying(url), { method: 'POST', headers: own, body: said })
  expect(page.status).toBe(201)
  const mail = { tool: 'mail', args: { to: 'cat@example.org' }, session: 'desk-1' }
  expect((await answer(scene.door, 'ask', { body: mail })).body).toMatchObject({ outcome: 'allow' })
})

describe('a write with the cookie alone is refused', () => {
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
    ['without an origin', { origin: '' }, '403 csrf_refused'],
    ['of another origin', { origin: 'https://evil.example' }, '403 origin_refused'],
    ['of an origin without a name', { origin: 'null' }, '403 origin_refused'],
    ['of the same host at another port', { origin: 'http://127.0.0.1:1' }, '403 origin_refused'],
    ['without the token', { 'x-csrf-token': '' }, '403 csrf_refused'],
    ['with another token', { 'x-csrf-token': 'A'.repeat(43) }, '403 csrf_refused'],
  ]
  test.each(cases)('%s', async (_, headers, expected) => {
    const scene = await signingDoor()
    const { browser, own, url } = await signedIn(scene, 'u-ann')
    const { origin, ...rest } = { ...own, ...headers }
    const sent = { ...rest, ...(origin !== '' && { origin }) }
    for (const path of [saying(url), `${url}/auth/sign-out`]) {
      const page = await browser.ask(path, { method: 'POST', headers: sent, body: said })
      expect(codeOf(page)).toBe(expected)
    }
    expect((await browser.ask(`${url}/auth/session`)).status).toBe(200)
  })

  test('with the token of another session', async () => {
    const scene = await signingDoor()
    const { browser, url } = await signedIn(scene, 'u-ann')
    const { own } = await signedIn(scene, 'u-ann')
    const page = await browser.ask(saying(url), { method: 'POST', headers: own, body: said })
    expect(codeOf(page)).toBe('403 csrf_refused')
  })

  test('by a form, which a page of any site can send', async () => {
    const scene = await signingDoor()
    const { browser, own, url } = await signedIn(scene, 'u-ann')
    const headers = { ...own, 'content-type': 'application/x-www-form-urlencoded' }
    const page = await browser.ask(saying(url), { method: 'POST', headers, body: said })
    expect(page.status).toBe(415)
  })
})

test('a page of an allowed origin reads nothing by the cookie', async () => {
  const scene = await signingDoor({ origins: ['https://app.example'] })
  const { browser, url } = await signedIn(scene, 'u-ann')
  const page = await browser.ask(`${url}/auth/session`, {
    headers: { origin: 'https://app.example' },
  })
  expect(codeOf(page)).toBe('403 csrf_refused')
  expect(page.headers.get('access-control-allow-credentials')).toBe(null)
})

describe('a session', () => {
  test('is another one after each sign-in, and one from before is not gone on with', async () => {
    const scene = await signingDoor()
    const browser = newBrowser()
    const planted = { name: 'warrant-session', value: 'x'.repeat(43), path: '/', text: '' }
    browser.cookies.set('warrant-session /', planted)
    await signIn(scene, browser, 'u-ann')
    const first = sessionOf(browser)
    expect(first).not.toBe(planted.value)
    await signIn(scene, browser, 'u-ann')
    expect(sessionOf(browser)).not.toBe(first)
    for (const [value, status] of [
      [planted.value, 401],
      [first, 401],
      [sessionOf(browser), 200],
    ] as const) {
      const other = newBrowser()
      other.cookies.set('s', { ...planted, value })
      expect((await other.ask(`${scene.door.serving.url}/auth/session`)).status).toBe(status)
    }
  })

  test('ends half an hour after its last use, and not before', async () => {
    const scene = await signingDoor()
    const { browser, url } = await signedIn(scene, 'u-ann')
    for (const [ms, status] of [
      [1_799_999, 200],
      [1_799_999, 200],
      [1_800_000, 401],
    ] as const) {
      scene.door.on.time.pass(ms)
      expect((await browser.ask(`${url}/auth/session`)).status).toBe(status)
    }
  })

  test('ends eight hours after its beginning, however it is used', async () => {
    const scene = await signingDoor()
    const { browser, url } = await signedIn(scene, 'u-ann')
    for (let step = 1; step < 24; step += 1) {
      scene.door.on.time.pass(1_200_000)
      expect((await browser.ask(`${url}/auth/session`)).status).toBe(200)
    }
    scene.door.on.time.pass(1_199_999)
    expect((await browser.ask(`${url}/v1/caller`)).status).toBe(200)
    scene.door.on.time.pass(1)
    const page = await browser.ask(`${url}/v1/caller`)
    expect(codeOf(page)).toBe('401 caller_refused session_ended')
  })

  test('ends with sign-out, and so does what streams in it', async () => {
    const scene = await signingDoor()
    const { browser, own, url } = await signedIn(scene, 'u-ann')
    const cookie = `warrant-session=${sessionOf(browser)}`
    const stream = await fetch(`${url}/v1/events`, { headers: { cookie } })
    const out = await browser.ask(`${url}/auth/sign-out`, { method: 'POST', headers: own })
    expect([out.status, JSON.parse(out.text)]).toEqual([
      200,
      { issuer: expect.stringMatching(`^${scene.issuer}/`) },
    ])
    expect(out.headers.getSetCookie().join()).toMatch(/^warrant-session=; Max-Age=0/)
    scene.door.on.time.pass(15_000)
    expect(await stream.text()).toContain('"session_ended"')
    const other = await fetch(`${url}/v1/caller`, { headers: { cookie } })
    expect(other.status).toBe(401)
  })

  test('ends with what the catalog takes away', async () => {
    const scene = await signingDoor()
    const { browser, url } = await signedIn(scene, 'u-ann')
    await changeCatalog(scene.door.on.runtime, { op: 'suspend', id: 'ann' })
    for (const path of ['/auth/session', '/v1/caller']) {
      const page = await browser.ask(`${url}${path}`)
      expect(codeOf(page)).toBe('403 caller_refused identity_suspended')
    }
  })

  test('is one of eight of a person, of which the idlest goes', () => {
    let now = 0
    const sessions = personSessions({ now: () => now })
    const ann = { issuer: 'i', subject: 'ann' }
    const other = sessions.begin({ issuer: 'i', subject: 'bea' })
    const own = Array.from({ length: 8 }, () => sessions.begin(ann))
    expect(sessions.find(own[0] ?? '', true)).not.toBe(null)
    sessions.begin(ann)
    const open = own.map((one) => sessions.find(one, false) !== null)
    expect(open).toEqual([true, false, true, true, true, true, true, true])
    expect(sessions.find(other, false)).not.toBe(null)
    now = 1_800_000
    expect(sessions.find(other, false)).toBe(null)
  })
})

describe('who decides for others', () => {
  test('signs in, and decides nothing by the session', async () => {
    const scene = await signingDoor()
    const { on } = scene.door
    const asked = await answer(scene.door, 'ask', { body: erasing })
    expect([asked.status, asked.body['waits']]).toEqual([
      202,
      expect.objectContaining({ for: 'people' }),
    ])
    const { browser, own, url } = await signedIn(scene, 'u-olga')
    const session = await browser.ask(`${url}/auth/session`)
    expect(JSON.parse(session.text)).toMatchObject({ principal: 'olga' })
    const before = (await on.facts()).length
    const body = JSON.stringify({ receiver: 'ada', content: 'approved', decision: 'approve' })
    for (const name of allRoutes.filter((one) => routes[one].path.startsWith('/v1/'))) {
      const { method, path } = routes[name]
      const named = path.replace('{host}', 'codex')
      const at = `${url}${named.replace('{id}', encodeURIComponent(asked.body.intent))}`
      const sent = { method: method.toUpperCase(), headers: own }
      const page = await browser.ask(at, method === 'get' ? sent : { ...sent, body })
      // A coding agent reads a denial.
      if (name === 'hook') expect(page.text).toContain('"permissionDecision":"deny"')
      else expect([name, codeOf(page)]).toEqual([name, '403 door_refused'])
    }
    expect((await on.facts()).length).toBe(before)
    const waits = await answer(scene.door, 'intent', { id: asked.body.intent })
    expect(waits.body).toMatchObject({ state: 'waiting' })
    // Its own key is what decides, here as everywhere.
    await on.decide(asked.body.intent, 'olga')
    const decided = await answer(scene.door, 'intent', { id: asked.body.intent, query: '?wait=9' })
    expect(decided.body).toMatchObject({ outcome: 'allow', confirmedBy: ['olga'] })
  })
})

test('a machine that the provider knows calls with a token of it', async () => {
  const { door, issuer } = await signingDoor()
  await bindIdentity(door, 'bea', { issuer, subject: 'machine' })
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`machine:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience }),
  })
  const { access_token: token } = Object(await response.json())
  const headers = { authorization: `Bearer ${String(token)}` }
  const { body } = await answer(door, 'caller', { as: null, headers })
  expect(body).toMatchObject({ principal: 'bea' })
})

test('over TLS its cookies have the name that no other host can set', async () => {
  const cookie = ownCookie('warrant-session', () => 'https://warrant.example')
  const app = new Hono()
  app.get('/write', (c) => {
    cookie.write(c, 'v', 60)
    return c.text('')
  })
  app.get('/read', (c) => c.text(cookie.read(c) ?? 'none'))
  const written = (await app.request('/write')).headers.get('set-cookie')
  expect(written).toBe(
    '__Host-warrant-session=v; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
  )
  const read = async (text: string): Promise<string> =>
    (await app.request('/read', { headers: { cookie: text } })).text()
  expect(await read('__Host-warrant-session=v')).toBe('v')
  expect(await read('warrant-session=v')).toBe('none')
})

test('what a browser keeps for the server it can neither read nor change', () => {
  const here = sealing()
  const sealed = here.seal('the verifier')
  expect(here.open(sealed)).toBe('the verifier')
  expect(Buffer.from(sealed, 'base64url').toString()).not.toContain('verifier')
  const flipped = Buffer.from(sealed, 'base64url')
  flipped.writeUInt8(flipped.readUInt8(flipped.length - 1) ^ 1, flipped.length - 1)
  for (const other of ['', 'x', flipped.toString('base64url'), sealing().seal('the verifier')]) {
    expect(here.open(other)).toBe(null)
  }
})

function sessionOf({ cookies }: Browser): string {
  return cookies.get('warrant-session /')?.value ?? ''
}
