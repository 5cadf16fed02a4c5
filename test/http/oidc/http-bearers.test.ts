// Tokens that an issuer has signed: they count for whom the catalog binds to the subject, while the
// issuer’s keys are known, and for nothing else that looks like one.
import { exportJWK, exportSPKI, importJWK, UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { changeCatalog } from '../../support/runtime.ts'
import { answer, call, lookAt, refusal, type HttpDoor } from '../http-door.ts'
import {
  audience,
  bindIdentity,
  vouchedDoor,
  type Signing,
  type TestIssuer,
} from './test-issuer.ts'

const bearing = (token: string) => ({
  as: null,
  headers: { authorization: `Bearer ${token}` },
})

const called = async (door: HttpDoor, token: string): Promise<string> => {
  const { status, body } = await answer(door, 'caller', bearing(token))
  const { principal, code, reason } = body
  return [status, ...(status === 200 ? [principal] : [code, reason])].map(String).join(' ')
}

test('a token of the issuer speaks for the principal that the catalog binds to it', async () => {
  const { door, issuer } = await vouchedDoor()
  const asked = bearing(await issuer.token())
  expect((await answer(door, 'caller', asked)).body).toMatchObject({ principal: 'ann' })
  const { body } = await answer(door, 'ask', { ...asked, body: lookAt(1) })
  expect(body).toMatchObject({ outcome: 'allow' })
  expect(body.intent.split('.')[0]).toBe('ann')
  // Those of the file count beside it.
  expect((await answer(door, 'caller')).body).toMatchObject({ principal: 'ada' })
})

test('what a person says under such a token is evidence', async () => {
  const { door, issuer } = await vouchedDoor()
  const said = { receiver: 'ada', content: 'write to cat@example.org for me' }
  const token = await issuer.token()
  const published = await answer(door, 'say', { ...bearing(token), id: 'desk-1', body: said })
  expect(published.status).toBe(201)
  const mail = { tool: 'mail', args: { to: 'cat@example.org' }, session: 'desk-1' }
  expect((await answer(door, 'ask', { body: mail })).body).toMatchObject({ outcome: 'allow' })
})

interface Forged {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly by?: Signing
}

describe('a token is refused', () => {
  const seconds = Math.floor(Date.UTC(2026, 0, 1) / 1_000)
  const claims: readonly (readonly [string, Forged, string])[] = [
    ['for someone else', { claims: { aud: 'https://other.example' } }, 'token_invalid'],
    ['for no one', { claims: { aud: undefined } }, 'token_invalid'],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }, 'token_invalid'],
    ['of no issuer', { claims: { iss: undefined } }, 'token_invalid'],
    ['that has expired', { claims: { exp: seconds - 30 } }, 'token_expired'],
    ['that never ends', { claims: { exp: undefined } }, 'token_invalid'],
    ['that begins later', { claims: { nbf: seconds + 31 } }, 'token_invalid'],
    ['without a subject', { claims: { sub: undefined } }, 'token_invalid'],
    ['with an empty subject', { claims: { sub: '' } }, 'token_invalid'],
    ['bound to a key of its holder', { claims: { cnf: { jkt: 'x' } } }, 'token_invalid'],
    ['of another type', { by: { typ: 'logout+jwt' } }, 'token_invalid'],
    ['of a key that is not the issuer’s', { by: { kid: 'other' } }, 'token_invalid'],
  ]
  test.each(claims)('%s', async (_, { claims: said, by }, reason) => {
    const { door, issuer } = await vouchedDoor()
    expect(await called(door, await issuer.token())).toBe('200 ann')
    expect(await called(door, await issuer.token(said, by))).toBe(`401 caller_refused ${reason}`)
    const response = await call(door, 'caller', bearing(await issuer.token(said, by)))
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })

  test('one moment after its end and what clocks may differ, and not before', async () => {
    const { door, issuer } = await vouchedDoor()
    const token = await issuer.token()
    door.on.time.pass(329_999)
    expect(await called(door, token)).toBe('200 ann')
    door.on.time.pass(1)
    expect(await called(door, token)).toBe('401 caller_refused token_expired')
  })

  const forge = async (issuer: TestIssuer): Promise<Readonly<Record<string, string>>> => {
    const [jwk = {}] = issuer.published
    const publicKey = await importJWK(jwk, 'ES256', { extractable: true })
    const text = publicKey instanceof Uint8Array ? '' : await exportSPKI(publicKey)
    const good = await issuer.token()
    const [head = '', body = '', signature = ''] = good.split('.')
    const other = Buffer.from(JSON.stringify({ sub: 'u-olga' })).toString('base64url')
    const own = await issuer.newKey('own')
    issuer.published.pop()
    const brought = { alg: 'ES256', kid: 'first', jwk: await exportJWK(publicKey) }
    const bringing = Buffer.from(JSON.stringify(brought)).toString('base64url')
    const symmetric = { alg: 'HS256', key: new TextEncoder().encode(text) }
    return {
      'without a signature': `${head}.${body}.`,
      'by no algorithm': new UnsecuredJWT({ iss: issuer.url, aud: audience, sub: 'u-ann' })
        .setExpirationTime('10y')
        .encode(),
      'signed with the public key as a secret': await issuer.token({}, symmetric),
      'signed with the key as JSON as a secret': await issuer.token(
        {},
        { ...symmetric, key: new TextEncoder().encode(JSON.stringify(jwk)) },
      ),
      'with other claims': `${head}.${other}.${signature}`,
      'by a key that no one published': await issuer.token({}, { key: own }),
      'that brings its own key': `${bringing}.${body}.${signature}`,
      'with a part too many': `${good}.${signature}`,
    }
  }

  test('where it is forged', async () => {
    const { door, issuer } = await vouchedDoor()
    for (const [how, token] of Object.entries(await forge(issuer))) {
      expect([how, await called(door, token)]).toEqual([
        how,
        expect.stringMatching(/^401 caller_refused token_(?:invalid|unknown|missing)$/),
      ])
    }
  })
})

describe('the catalog', () => {
  test('says who it is: no one it does not know, and no one it has suspended', async () => {
    const { door, issuer } = await vouchedDoor()
    const stranger = await issuer.token({ sub: 'ann' })
    expect(await called(door, stranger)).toBe('403 caller_refused identity_unknown')
    const claims = { sub: 'u-x', email: 'ann@example.org', preferred_username: 'ann' }
    const named = await issuer.token(claims)
    expect(await called(door, named)).toBe('403 caller_refused identity_unknown')
    await changeCatalog(door.on.runtime, { op: 'suspend', id: 'ann' })
    const suspended = await called(door, await issuer.token())
    expect(suspended).toBe('403 caller_refused identity_suspended')
  })

  test('assigns the door: who decides for others only signs in', async () => {
    const { door, issuer } = await vouchedDoor()
    await bindIdentity(door, 'olga', { issuer: issuer.url, subject: 'u-olga' })
    const asked = bearing(await issuer.token({ sub: 'u-olga' }))
    expect(await refusal(door, 'caller', asked)).toBe('403 door_refused')
    expect(await refusal(door, 'ask', { ...asked, body: lookAt(1) })).toBe('403 door_refused')
  })

  test('takes an identity away in the middle of a wait', async () => {
    const { door, issuer } = await vouchedDoor()
    const asked = bearing(await issuer.token())
    const body = { tool: 'mail', args: { to: 'cat@example.org' } }
    const { intent } = (await answer(door, 'ask', { ...asked, body })).body
    const waiting = answer(door, 'intent', { ...asked, id: intent, query: '?wait=60' })
    await bindIdentity(door, 'bea', { issuer: issuer.url, subject: 'u-bea' })
    await bindIdentity(door, 'ann', { issuer: issuer.url, subject: 'u-other' })
    door.on.time.pass(60_000)
    const { status, body: ended } = await waiting
    expect([status, ended['reason']]).toEqual([403, 'identity_unknown'])
  })
})

describe('the keys of the issuer', () => {
  test('are asked for again for a new one, and one that is withdrawn ends', async () => {
    const { door, issuer } = await vouchedDoor()
    const before = await issuer.token()
    expect(await called(door, before)).toBe('200 ann')
    const next = await issuer.newKey('next')
    issuer.published.shift()
    const after = await issuer.token({}, { key: next, kid: 'next' })
    // No flood of made-up keys becomes one of requests to the issuer.
    const { asked } = issuer.answers
    expect(await called(door, after)).toBe('401 caller_refused token_invalid')
    expect(issuer.answers.asked).toBe(asked)
    door.on.time.pass(10_000)
    expect(await called(door, after)).toBe('200 ann')
    expect(await called(door, before)).toBe('401 caller_refused token_invalid')
  })

  test('count for an hour without the issuer, and no longer', async () => {
    const { door, issuer } = await vouchedDoor()
    const token = await issuer.token({ exp: Math.floor(door.on.time.now / 1_000) + 86_400 })
    expect(await called(door, token)).toBe('200 ann')
    issuer.answers.isDown = true
    door.on.time.pass(3_599_999)
    expect(await called(door, token)).toBe('200 ann')
    door.on.time.pass(60_000)
    expect(await called(door, token)).toMatch(/^503 issuer_unreachable/)
  })
})

describe('an issuer out of reach', () => {
  test('is no reason not to start, is shown, and is asked again after a pause', async () => {
    const { door, issuer } = await vouchedDoor()
    const token = await issuer.token()
    const { url } = issuer
    issuer.answers.isDown = true
    door.on.time.pass(3_600_001)
    const refused = await call(door, 'caller', bearing(token))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    const shown = async () => (await call(door, 'ready', { as: null })).json()
    expect(await shown()).toMatchObject({ ready: true, issuer: 'unreachable' })
    expect((await answer(door, 'caller')).body).toMatchObject({ principal: 'ada' })
    issuer.answers.isDown = false
    // Before the pause has passed no one asks it.
    expect((await call(door, 'caller', bearing(token))).status).toBe(503)
    door.on.time.pass(1_000)
    const now = await issuer.token()
    expect([url, await called(door, now)]).toEqual([url, '200 ann'])
    expect(await shown()).toMatchObject({ ready: true, issuer: 'reachable' })
  })

  test('is one that calls itself something else, too', async () => {
    const { door, issuer } = await vouchedDoor()
    issuer.answers.called = `${issuer.url}/`
    door.on.time.pass(3_600_001)
    const response = await call(door, 'caller', bearing(await issuer.token()))
    expect(response.status).toBe(503)
  })
})
