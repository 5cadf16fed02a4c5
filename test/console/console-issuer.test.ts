// People sign in to the console at an issuer: it says who is at the browser, and nothing that it
// makes is ever a decision.
import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { consoleApi } from '#schemas/console/routes'
import { ConsoleSession, PasskeyAsked } from '#schemas/console/people'
import { CardAnswer, PreparedAnswer } from '#schemas/console/reviews'
import { assertionFor, otherConsole, testConsole } from '../support/people/authenticator.ts'
import { changeCatalog } from '../support/runtime.ts'
import { reviewed, verdict } from '../support/scene.ts'
import { bindIdentity, testIssuer, type TestIssuer } from '../http/oidc/test-issuer.ts'
import { soft } from '../people/passkey-scene.ts'
import {
  atBrowser,
  consoleScene,
  noOne,
  origin,
  sent,
  signedBy,
  type Answered,
  type AtBrowser,
  type ConsoleScene,
  linkOf,
  signedInByLink,
  signedInByPasskey,
  verasKey,
} from './console-scene.ts'

const client = { id: 'console', secret: null }
const begins = `${consoleApi}/sign-in/issuer`

interface Vouched {
  readonly scene: ConsoleScene
  readonly issuer: TestIssuer
}

/** A console whose people that issuer vouches for: `u-quin` is quin. */
async function vouched(): Promise<Vouched> {
  let now = (): number => 0
  const issuer = await testIssuer(() => now())
  const scene = await consoleScene({}, { issuer: { url: issuer.url, client } })
  now = () => scene.on.time.now
  await bindIdentity(scene, 'quin', { issuer: issuer.url, subject: 'u-quin' })
  return { scene, issuer }
}

const cookieIn = ({ headers }: Answered, name: string): string =>
  headers['set-cookie']?.find((one) => one.startsWith(`${name}=`)) ?? ''

const sentBy = (cookie: string) => ({ cookie: cookie.split(';', 1)[0] ?? '' })

interface Back {
  readonly path: string
  readonly headers: { readonly cookie: string }
}

/** Goes there as a browser does, and gives with what it would come back. */
async function asFarAsBack({ scene, issuer }: Vouched, subject: string): Promise<Back> {
  issuer.answers.subject = subject
  const begun = await sent(scene, begins)
  const there = await fetch(begun.headers.location ?? '', { redirect: 'manual' })
  const back = new URL(there.headers.get('location') ?? '')
  expect([back.origin, back.pathname]).toEqual([origin, `${consoleApi}/sign-in/callback`])
  const headers = sentBy(cookieIn(begun, 'warrant-sign-in'))
  return { path: `${back.pathname}${back.search}`, headers }
}

async function cameBack(of: Vouched, subject: string): Promise<Answered> {
  const { path, headers } = await asFarAsBack(of, subject)
  return sent(of.scene, path, { headers })
}

async function signedIn(of: Vouched, subject: string): Promise<AtBrowser> {
  const { cookie } = sentBy(cookieIn(await cameBack(of, subject), 'warrant-console'))
  const read = await atBrowser(of.scene, { cookie, csrf: '' }).get('session')
  const { person } = ConsoleSession.parse(read)
  return atBrowser(of.scene, { cookie, csrf: person?.csrf ?? '' })
}

describe('an issuer', () => {
  test('signs in whom the catalog binds to it, and the page says that it can', async () => {
    const of = await vouched()
    const before = ConsoleSession.parse(await atBrowser(of.scene, noOne).get('session'))
    expect(before).toMatchObject({ ways: ['passkey', 'link', 'issuer'], person: null })
    const answered = await cameBack(of, 'u-quin')
    expect([answered.status, answered.headers.location]).toEqual([303, '/'])
    const cookie = cookieIn(answered, 'warrant-console')
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/)
    const quin = await signedIn(of, 'u-quin')
    expect(await quin.get('session')).toMatchObject({ person: { id: 'quin', by: 'issuer' } })
    const { issuer } = Object(await quin.get('leave'))
    expect(issuer).toMatch(`${of.issuer.url}/end`)
    expect(await quin.refused('inbox')).toBe('401 caller_refused session_ended')
  })

  test('signs in no one else, and a browser sees why on the page', async () => {
    const of = await vouched()
    await bindIdentity(of.scene, 'bot', { issuer: of.issuer.url, subject: 'u-bot' })
    for (const [subject, reason] of [
      ['u-eve', 'identity_unknown'],
      ['u-bot', 'identity_agent'],
    ] as const) {
      const answered = await cameBack(of, subject)
      expect([answered.status, cookieIn(answered, 'warrant-console')]).toEqual([403, ''])
      expect(JSON.parse(answered.text)).toMatchObject({ code: 'caller_refused', reason })
      const { path, headers } = await asFarAsBack(of, subject)
      const browsing = { headers: { ...headers, 'sec-fetch-mode': 'navigate' } }
      const shown = await sent(of.scene, path, browsing)
      expect([shown.status, shown.headers.location]).toEqual([303, `/#/sign-in?refused=${reason}`])
      expect(cookieIn(shown, 'warrant-console')).toBe('')
    }
  })

  test('signs in no browser but the one that was sent there, and once', async () => {
    const of = await vouched()
    const other = await asFarAsBack(of, 'u-quin')
    const { path, headers } = await asFarAsBack(of, 'u-quin')
    const refused = async (how: Back['headers'] | object): Promise<string> => {
      const { status, text } = await sent(of.scene, path, { headers: { ...how } })
      const { code, reason } = Object(JSON.parse(text))
      return `${status} ${code} ${reason}`
    }
    expect(await refused({})).toBe('401 sign_in_refused state_differs')
    expect(await refused(other.headers)).toBe('401 sign_in_refused state_differs')
    expect((await sent(of.scene, path, { headers })).status).toBe(303)
  })

  test('takes a person back to this console alone', async () => {
    const { scene } = await vouched()
    for (const to of ['https://evil.example', '//evil.example', '/\\evil.example']) {
      const answered = await sent(scene, `${begins}?return_to=${encodeURIComponent(to)}`)
      expect([to, answered.status]).toEqual([to, 400])
    }
  })

  test('is not asked where there is none, and the page says that one is silent', async () => {
    const without = await consoleScene()
    expect((await sent(without, begins)).status).toBe(404)
    const { scene, issuer } = await vouched()
    issuer.answers.isDown = true
    scene.on.time.pass(24 * 3_600_000)
    const navigating = { headers: { 'sec-fetch-mode': 'navigate' } }
    const { status, headers } = await sent(scene, begins, navigating)
    expect([status, headers.location]).toEqual([303, '/#/sign-in?refused=issuer_unreachable'])
    expect((await sent(scene, begins)).status).toBe(503)
  })
})

describe('a session of an issuer', () => {
  test('ends when the catalog binds the identity no more, or to someone else', async () => {
    const of = await vouched()
    const { scene, issuer } = of
    const quin = await signedIn(of, 'u-quin')
    await bindIdentity(scene, 'quin', { issuer: issuer.url, subject: 'u-other' })
    expect(await quin.refused('inbox')).toBe('403 caller_refused identity_unknown')
    await bindIdentity(scene, 'vera', { issuer: issuer.url, subject: 'u-quin' })
    expect(await quin.get('session')).toMatchObject({ person: { id: 'vera' } })
    await changeCatalog(scene.on.runtime, { op: 'suspend', id: 'vera' })
    expect((await quin.ask('inbox')).status).toBe(403)
  })

  test('decides nothing: no token and no key of the issuer signs an answer', async () => {
    const of = await vouched()
    const { scene, issuer } = of
    const intent = await reviewed(scene.on, { intent: { tool: 'purge', args: { path: '/a' } } })
    const quin = await signedIn(of, 'u-quin')
    const params = { intent }
    const { review } = CardAnswer.parse(await quin.get('card', { params }))
    const body = { answers: review.questions.map(() => true), digest: review.digest }
    const { toSign } = PreparedAnswer.parse(await quin.get('answerPrepare', { params, body }))
    const { of: what, data, challenge } = toSign
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const issuers = { passkey: soft.quin.passkey, privateKey }
    const bytes = Buffer.from(challenge, 'base64url')
    const forged = assertionFor(issuers, bytes, { at: otherConsole })
    const facts = (await scene.on.facts()).length
    for (const [signature, status] of [
      [await issuer.token({ nonce: challenge }), 400],
      [{ format: 'jwt', value: await issuer.token({ nonce: challenge }) }, 400],
      [forged, 422],
      [signedBy('piet', toSign).signature, 422],
    ] as const) {
      const sending = { ...body, signed: { of: what, data, signature } }
      const answered = await quin.ask('answerSubmit', { params, body: sending })
      expect([answered.status, (await scene.on.facts()).length]).toEqual([status, facts])
    }
    await quin.get('answerSubmit', { params, body: { ...body, signed: signedBy('quin', toSign) } })
    expect(await verdict(scene.on.log, intent)).toMatchObject({ confirmedBy: ['quin'] })
  })
})

// Who gets into the console, and what keeps a session to its browser, its page and its person.

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
