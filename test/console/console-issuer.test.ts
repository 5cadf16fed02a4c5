// People sign in to the console at an issuer: it says who is at the browser, and nothing that it
// makes is ever a decision.
import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { consoleApi } from '#schemas/console/routes'
import { ConsoleSession } from '#schemas/console/people'
import { CardAnswer, PreparedAnswer } from '#schemas/console/reviews'
import { assertionFor, otherConsole } from '../support/people/authenticator.ts'
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
