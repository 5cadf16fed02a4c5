// Who gets into the console, and what keeps a session to its browser, its page and its person.
import { describe, expect, test } from 'vitest'
import { consoleApi } from '#schemas/console/routes'
import { ConsoleSession, PasskeyAsked } from '#schemas/console/people'
import { assertionFor, otherConsole, testConsole } from '../support/people/authenticator.ts'
import { changeCatalog } from '../support/runtime.ts'
import { soft } from '../people/passkey-scene.ts'
import {
  atBrowser,
  consoleScene,
  linkOf,
  noOne,
  origin,
  sent,
  signedInByLink,
  signedInByPasskey,
  verasKey,
} from './console-scene.ts'

describe('a one-time link', () => {
  test('signs in the person that it is for, once', async () => {
    const scene = await consoleScene()
    const secret = linkOf(scene, { person: 'audra' })
    const browser = atBrowser(scene, noOne)
    const session = ConsoleSession.parse(await browser.get('linkSignIn', { body: { secret } }))
    expect(session.person).toMatchObject({ id: 'audra', by: 'link', rights: ['auditor'] })
    expect(await browser.refused('linkSignIn', { body: { secret } })).toBe(
      '401 sign_in_refused link_used',
    )
  })

  test('of oneself takes one’s own key, and of another that of a policy admin', async () => {
    const scene = await consoleScene()
    const browser = atBrowser(scene, noOne)
    const asks = (secret: string) => browser.ask('linkSignIn', { body: { secret } })
    const own = linkOf(scene, { person: 'vera', by: 'vera', privateKey: verasKey })
    expect((await asks(own)).status).toBe(200)
    const others = [
      linkOf(scene, { person: 'audra', by: 'vera', privateKey: verasKey }),
      linkOf(scene, { person: 'audra', by: 'root', privateKey: verasKey }),
      linkOf(scene, { person: 'vera', by: 'vera', privateKey: verasKey, for: 'enrol' }),
    ]
    for (const secret of others) expect((await asks(secret)).status).toBe(401)
  })

  test.each([
    ['elsewhere', { origin: 'https://console.example.org' }, 'link_elsewhere'],
    ['for a passkey', { for: 'enrol' as const }, 'link_elsewhere'],
    ['too long', { until: Date.parse('2026-01-01') * 2 }, 'link_expired'],
    ['for an agent', { person: 'bot' }, 'identity_agent'],
    ['for no one', { person: 'stranger' }, 'identity_unknown'],
  ])('that is made %s counts for nothing', async (_, changed, reason) => {
    const scene = await consoleScene()
    const secret = linkOf(scene, { person: 'audra', ...changed })
    const refused = await atBrowser(scene, noOne).refused('linkSignIn', { body: { secret } })
    expect(refused.split(' ').at(-1)).toBe(reason)
  })

  test('counts up to its last moment and not then', async () => {
    const scene = await consoleScene()
    const { on } = scene
    const until = on.time.now + 60_000
    const [one, other] = [linkOf(scene, { person: 'audra' }), linkOf(scene, { person: 'audra' })]
    const browser = atBrowser(scene, noOne)
    on.time.pass(until - on.time.now - 1)
    expect((await browser.ask('linkSignIn', { body: { secret: one } })).status).toBe(200)
    on.time.pass(1)
    expect((await browser.ask('linkSignIn', { body: { secret: other } })).status).toBe(401)
  })
})

describe('a passkey', () => {
  test('signs in its holder, and leaves with the catalog', async () => {
    const scene = await consoleScene()
    const browser = await signedInByPasskey(scene, 'quin')
    const session = ConsoleSession.parse(await browser.get('session'))
    expect(session).toMatchObject({ rpId: 'localhost', person: { id: 'quin', by: 'passkey' } })
    const entry = { id: 'quin', roles: [], attributes: {}, keys: [], suspended: false }
    await changeCatalog(scene.on.runtime, { op: 'put', collection: 'principals', entry })
    expect(await browser.refused('inbox')).toBe('403 caller_refused identity_unknown')
  })

  test('answers a challenge once, for this console and by its own key', async () => {
    const scene = await consoleScene()
    const browser = atBrowser(scene, noOne)
    const begun = async () => {
      const { challenge } = PasskeyAsked.parse(await browser.get('passkeyBegin'))
      return Buffer.from(challenge, 'base64url')
    }
    const reasonOf = async (assertion: unknown): Promise<string> => {
      const refused = await browser.refused('passkeyComplete', { body: { assertion } })
      return refused.split(' ').at(-1) ?? ''
    }
    const once = assertionFor(soft.quin, await begun(), { at: otherConsole })
    expect((await browser.ask('passkeyComplete', { body: { assertion: once } })).status).toBe(200)
    expect(await reasonOf(once)).toBe('challenge_mismatch')
    const own = assertionFor(soft.quin, Buffer.alloc(32, 1), { at: otherConsole })
    expect(await reasonOf(own)).toBe('challenge_mismatch')
    const elsewhere = assertionFor(soft.quin, await begun(), { at: testConsole })
    expect(await reasonOf(elsewhere)).toBe('origin_unknown')
    const unverified = assertionFor(soft.quin, await begun(), { at: otherConsole, flags: 1 })
    expect(await reasonOf(unverified)).toBe('user_unverified')
    const { credential } = once
    const forged = { ...assertionFor(soft.piet, await begun(), { at: otherConsole }), credential }
    expect(['signature_invalid', 'backup_flags']).toContain(await reasonOf(forged))
  })
})

describe('a session', () => {
  test('has a cookie that only this server gets, and no script reads', async () => {
    const scene = await consoleScene()
    const secret = linkOf(scene, { person: 'audra' })
    const answered = await atBrowser(scene, noOne).ask('linkSignIn', { body: { secret } })
    const [cookie = ''] = answered.headers['set-cookie'] ?? []
    expect(cookie).toContain('HttpOnly')
    expect(cookie).toContain('SameSite=Strict')
    expect(cookie).toContain('Path=/')
    expect(cookie).not.toContain('Domain')
  })

  test('of a console behind TLS has the prefix that no other host can set', async () => {
    const url = 'https://console.example.org'
    const scene = await consoleScene({}, { url })
    const secret = linkOf(scene, { person: 'audra', origin: url })
    const headers = { host: 'console.example.org', origin: url }
    const path = `${consoleApi}/sign-in/link`
    const answered = await sent(scene, path, { method: 'POST', headers, body: { secret } })
    const [cookie = ''] = answered.headers['set-cookie'] ?? []
    expect(cookie).toMatch(/^__Host-warrant-console=.*Secure/)
  })

  test('writes with its token and from a page of this server alone', async () => {
    const scene = await consoleScene()
    const quin = await signedInByLink(scene, 'quin')
    const { cookie, csrf } = quin
    const body = { items: [] }
    const refused = async (headers: Readonly<Record<string, string>>) => {
      const { status, text } = await quin.ask('answersPrepare', { body, headers })
      return `${status} ${text.includes('csrf_refused') ? 'csrf_refused' : ''}`
    }
    expect(await refused({ 'x-csrf-token': 'x' })).toBe('403 csrf_refused')
    expect((await refused({ origin: 'https://evil.example' })).split(' ')[0]).toBe('403')
    const without = { method: 'POST', headers: { cookie, 'x-csrf-token': csrf }, body }
    expect((await sent(scene, `${consoleApi}/reviews/prepare`, without)).status).toBe(403)
  })

  test('ends for a person who is suspended, and with signing out', async () => {
    const scene = await consoleScene()
    const one = await signedInByLink(scene, 'quin')
    await one.get('leave')
    expect(await one.refused('inbox')).toBe('401 caller_refused session_ended')
    const other = await signedInByLink(scene, 'quin')
    await changeCatalog(scene.on.runtime, { op: 'suspend', id: 'quin' })
    expect(await other.refused('inbox')).toBe('403 caller_refused identity_suspended')
  })
})

describe('every answer', () => {
  test('keeps the page to this server', async () => {
    const scene = await consoleScene()
    for (const path of ['/', '/inbox', '/healthz', `${consoleApi}/session`, '/console/nothing']) {
      const { headers } = await sent(scene, path)
      expect([path, headers['content-security-policy']]).toEqual([
        path,
        expect.stringMatching(/^default-src 'none'; script-src 'self';.*frame-ancestors 'none'/),
      ])
      expect(headers['content-security-policy']).not.toContain('unsafe')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('no-referrer')
      expect(headers['x-frame-options']).toBe('DENY')
    }
  })

  test('goes to its own name, and sends a person to that of the passkeys', async () => {
    const scene = await consoleScene()
    const asked = (host: string) => sent(scene, '/inbox?x=1', { headers: { host } })
    expect((await asked('evil.example')).status).toBe(421)
    const { status, headers } = await asked(new URL(scene.serving.at).host)
    expect([status, headers.location]).toEqual([307, `${origin}/inbox?x=1`])
  })
})
