// People sign in at a real provider, by a code that only their own browser can redeem, once, and
// come back to this server and nowhere else.
import type { JWTPayload } from 'jose'
import { describe, expect, test } from 'vitest'
import { call, refusal } from '../http-door.ts'
import { newBrowser, type Browser, type Page } from './browser.ts'
import { signIn, signingDoor, vouchedFor } from './signing-door.ts'
import { vouchedDoor, type Signing } from './test-issuer.ts'

/** What a refused step answers: its status, code and reason. */
function refused({ status, text }: Page): string {
  const { code, reason } = Object(JSON.parse(text))
  return [status, code, reason].join(' ')
}

const hasSession = ({ cookies }: Browser): boolean =>
  [...cookies.values()].some(({ name }) => name === 'warrant-session')

describe('a person', () => {
  test('signs in, and goes on where it began', async () => {
    const scene = await signingDoor()
    const browser = newBrowser()
    const page = await signIn(scene, browser, 'u-ann', '/auth/session?from=here#top')
    expect([page.status, page.headers.get('location')]).toEqual([
      303,
      '/auth/session?from=here#top',
    ])
    const { text } = await browser.ask(`${scene.door.serving.url}/auth/session`)
    expect(JSON.parse(text)).toEqual({
      principal: 'ann',
      csrf: expect.stringMatching(/^[\w-]{43}$/),
      endsAt: '2026-01-01T08:00:00.000Z',
      idleEndsAt: '2026-01-01T00:30:00.000Z',
    })
    const kept = [...browser.cookies.values()].filter(({ name }) => name.startsWith('warrant-'))
    expect(kept.map(({ name, text: as }) => [name, as.replace(/^[^;]*/, '')])).toEqual([
      ['warrant-session', '; Path=/; HttpOnly; SameSite=Lax'],
    ])
  })

  test('is sent to the issuer with a challenge, a state and a nonce of its own', async () => {
    const { door, issuer } = await signingDoor()
    const sent = async () => {
      const page = await newBrowser().ask(`${door.serving.url}/auth/sign-in`)
      return new URL(page.headers.get('location') ?? '')
    }
    const [one, other] = [await sent(), await sent()]
    expect(one.origin).toBe(issuer)
    expect(Object.fromEntries(one.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${door.serving.url}/auth/callback`,
      scope: 'openid',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.searchParams.get(name)).toMatch(/^[\w-]{43}$/)
      expect(one.searchParams.get(name)).not.toBe(other.searchParams.get(name))
    }
  })

  test('that the catalog does not know has no session', async () => {
    const scene = await signingDoor()
    const browser = newBrowser()
    const page = await signIn(scene, browser, 'u-eve')
    expect(refused(page)).toBe('403 caller_refused identity_unknown')
    expect(page.text).toContain('`u-eve`')
    expect(hasSession(browser)).toBe(false)
  })

  test('signs in under each name of this machine', async () => {
    const { door } = await signingDoor()
    const other = door.serving.url.replace('127.0.0.1', 'localhost')
    const page = await newBrowser().ask(`${other}/auth/sign-in?return_to=%2Fx`)
    expect([page.status, page.headers.get('location')]).toEqual([
      302,
      `${door.serving.url}/auth/sign-in?return_to=%2Fx`,
    ])
  })
})

describe('what a browser comes back with is refused', () => {
  test('in a browser that began nothing, or began something else', async () => {
    const scene = await signingDoor()
    const [attacker, victim] = [newBrowser(), newBrowser()]
    const back = await vouchedFor(scene, attacker, 'u-ann')
    expect(refused(await victim.ask(back))).toBe('401 sign_in_refused state_differs')
    await victim.ask(`${scene.door.serving.url}/auth/sign-in`)
    expect(refused(await victim.ask(back))).toBe('401 sign_in_refused state_differs')
    expect(hasSession(victim)).toBe(false)
  })

  test('with a state that differs, is missing or comes twice', async () => {
    const scene = await signingDoor()
    const browser = newBrowser()
    const back = await vouchedFor(scene, browser, 'u-ann')
    const changed = (change: (query: URLSearchParams) => void): string => {
      const url = new URL(back)
      change(url.searchParams)
      return url.href
    }
    for (const url of [
      changed((query) => query.set('state', 'x')),
      changed((query) => query.delete('state')),
      changed((query) => query.append('state', query.get('state') ?? '')),
      changed((query) => query.append('state', 'x')),
    ]) {
      expect(refused(await browser.ask(url))).toBe('401 sign_in_refused state_differs')
    }
    // None of that has used it up.
    expect((await browser.ask(back)).status).toBe(303)
  })

  test('a second time, with the cookie that was kept or without', async () => {
    const scene = await signingDoor()
    const browser = newBrowser()
    const back = await vouchedFor(scene, browser, 'u-ann')
    const kept = [...browser.cookies]
    expect((await browser.ask(back)).status).toBe(303)
    expect(refused(await browser.ask(back))).toBe('401 sign_in_refused state_differs')
    const thief = newBrowser()
    for (const [key, cookie] of kept) thief.cookies.set(key, cookie)
    expect(refused(await thief.ask(back))).toBe('401 sign_in_refused issuer_refused')
    expect(hasSession(thief)).toBe(false)
  })

  test('with the code of someone else', async () => {
    const scene = await signingDoor()
    const [attacker, victim] = [newBrowser(), newBrowser()]
    const stolen = new URL(await vouchedFor(scene, victim, 'u-olga')).searchParams.get('code')
    const back = new URL(await vouchedFor(scene, attacker, 'u-ann'))
    back.searchParams.set('code', stolen ?? '')
    expect(refused(await attacker.ask(back.href))).toBe('401 sign_in_refused issuer_refused')
  })

  test('ten minutes after it began, and not before', async () => {
    const scene = await signingDoor()
    const [slow, slower] = [newBrowser(), newBrowser()]
    const back = await vouchedFor(scene, slow, 'u-ann')
    const later = await vouchedFor(scene, slower, 'u-ann')
    scene.door.on.time.pass(599_999)
    expect((await slow.ask(back)).status).toBe(303)
    scene.door.on.time.pass(1)
    expect(refused(await slower.ask(later))).toBe('401 sign_in_refused state_differs')
  })

  test('where the person declined, and where the issuer does not answer', async () => {
    const scene = await signingDoor()
    const browser = newBrowser()
    const back = new URL(await vouchedFor(scene, browser, 'u-ann'))
    const kept = [...browser.cookies]
    const declined = new URL(back)
    declined.searchParams.delete('code')
    declined.searchParams.set('error', 'access_denied')
    expect(refused(await browser.ask(declined.href))).toBe('401 sign_in_refused issuer_refused')
    for (const [key, cookie] of kept) browser.cookies.set(key, cookie)
    scene.stopIssuer()
    const page = await browser.ask(back.href)
    expect(refused(page)).toMatch(/^503 issuer_unreachable/)
    expect(page.headers.get('retry-after')).toBe('1')
  })
})

describe('where to go on is a path of this server', () => {
  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/..//evil.example',
    '/\t/evil.example',
    '/x\r\nset-cookie: a=b',
    'javascript:alert(1)',
    'auth/session',
    '',
    `/${'x'.repeat(1024)}`,
  ])('and not `%s`', async (to) => {
    const { door } = await vouchedDoor({ id: 'warrant', secret: null })
    const query = `?return_to=${encodeURIComponent(to)}`
    expect(await refusal(door, 'signIn', { as: null, query })).toBe('400 request_invalid')
  })
})

describe('what the issuer vouches for at sign-in is refused', () => {
  const cases: readonly (readonly [string, JWTPayload, Signing, number])[] = [
    ['not where it is as expected', {}, {}, 303],
    ['for another client', { aud: 'other' }, {}, 401],
    ['for several, of which another asked', { aud: ['warrant', 'other'], azp: 'other' }, {}, 401],
    ['of another issuer', { iss: 'https://evil.example' }, {}, 401],
    ['for another sign-in', { nonce: 'another' }, {}, 401],
    ['for any sign-in', { nonce: undefined }, {}, 401],
    ['that has expired', { exp: 1_000 }, {}, 401],
    ['as an access token', {}, { typ: 'at+jwt' }, 401],
    ['by a key that it does not publish', {}, { kid: 'other' }, 401],
  ]
  test.each(cases)('%s', async (_, claims, by, status) => {
    const { door, issuer } = await vouchedDoor({ id: 'warrant', secret: null })
    const browser = newBrowser()
    const { headers } = await browser.ask(`${door.serving.url}/auth/sign-in`)
    const sent = new URL(headers.get('location') ?? '').searchParams
    // The library goes by the clock of the machine.
    const now = Math.floor(Date.now() / 1_000)
    const usual = { aud: 'warrant', nonce: sent.get('nonce'), iat: now, exp: now + 60 }
    issuer.answers.idToken = await issuer.token({ ...usual, ...claims }, { typ: 'JWT', ...by })
    const state = encodeURIComponent(sent.get('state') ?? '')
    const page = await browser.ask(`${door.serving.url}/auth/callback?code=x&state=${state}`)
    expect([page.status, hasSession(browser)]).toEqual([status, status === 303])
  })

  test('with a signature that was changed', async () => {
    const { door, issuer } = await vouchedDoor({ id: 'warrant', secret: null })
    const browser = newBrowser()
    const { headers } = await browser.ask(`${door.serving.url}/auth/sign-in`)
    const sent = new URL(headers.get('location') ?? '').searchParams
    const now = Math.floor(Date.now() / 1_000)
    const claims = { aud: 'warrant', nonce: sent.get('nonce'), iat: now, exp: now + 60 }
    const own = await issuer.newKey('own')
    issuer.published.pop()
    issuer.answers.idToken = await issuer.token(claims, { typ: 'JWT', key: own })
    const state = encodeURIComponent(sent.get('state') ?? '')
    const page = await browser.ask(`${door.serving.url}/auth/callback?code=x&state=${state}`)
    expect(refused(page)).toBe('401 caller_refused token_invalid')
  })
})

test('without the issuer no one signs in, and what is signed in goes on', async () => {
  const { door, issuer } = await vouchedDoor({ id: 'warrant', secret: null })
  issuer.answers.isDown = true
  door.on.time.pass(3_600_000)
  const response = await call(door, 'signIn', { as: null })
  expect([response.status, response.headers.get('content-type')]).toEqual([
    503,
    'application/problem+json',
  ])
})

test('without a client no one signs in', async () => {
  const { door } = await vouchedDoor()
  for (const name of ['signIn', 'signInCallback'] as const) {
    expect(await refusal(door, name, { as: null })).toBe('404 request_invalid')
  }
  for (const name of ['session', 'signOut'] as const) {
    expect(await refusal(door, name, { as: null })).toBe('401 caller_refused session_ended')
  }
})
