// Who may ask over HTTP: by a token that counts, for a principal to whom the catalog assigns the
// door, at a host and from a page that the server answers.
import { describe, expect, test } from 'vitest'
import { chmod, writeFile } from 'node:fs/promises'
import { nameInside } from '#record/roles'
import { signMessage } from '#messages/signed-message'
import { createToken } from '#serving/token-file'
import { VlpMessage } from '#schemas/vlp'
import { changeCatalog } from '../support/runtime.ts'
import { answer, call, erasing, httpDoorScene, kimsKey, lookAt, raw, refusal } from './http-door.ts'

describe('a token', () => {
  test.each([
    ['is needed', {}, 'token_missing'],
    ['is a bearer token', { authorization: 'Basic YWRhOmFkYQ==' }, 'token_missing'],
    ['is one of this server', { authorization: `Bearer wrt_${'A'.repeat(43)}` }, 'token_unknown'],
    ['is of that form', { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' }, 'token_unknown'],
  ])('%s', async (_, headers, reason) => {
    const door = await httpDoorScene()
    const asked = { as: null, body: lookAt(1), headers }
    expect(await refusal(door, 'ask', asked)).toBe(`401 caller_refused ${reason}`)
    const response = await call(door, 'ask', asked)
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="warrant"/)
  })

  test('ends at its last moment, and not before', async () => {
    const door = await httpDoorScene()
    const { now } = door.on.time
    const made = { principal: 'ada', now, expiresAt: now + 1_000 }
    const { token } = await createToken(door.file, made)
    const asked = { as: null, headers: { authorization: `Bearer ${token}` } }
    door.on.time.pass(999)
    expect((await answer(door, 'caller', asked)).body).toMatchObject({ principal: 'ada' })
    door.on.time.pass(1)
    expect(await refusal(door, 'caller', asked)).toBe('401 caller_refused token_expired')
  })

  test('counts for nothing where others may read its file, or its file is damaged', async () => {
    const door = await httpDoorScene()
    await chmod(door.file, 0o644)
    expect(await refusal(door, 'caller')).toBe('500 token_file_invalid')
    await writeFile(door.file, '{"token":\n')
    expect(await refusal(door, 'caller')).toBe('500 token_file_invalid')
  })
})

describe('a principal', () => {
  test('is refused once the door is assigned to it no more, or it is suspended', async () => {
    const door = await httpDoorScene()
    const bea = door.on.runtime.follower.state.catalog.principals.get('bea')
    const { via: _, ...without } = bea ?? {
      id: 'bea',
      roles: [],
      attributes: {},
      keys: [],
      suspended: false,
    }
    await changeCatalog(
      door.on.runtime,
      { op: 'put', collection: 'principals', entry: without },
      { op: 'suspend', id: 'ada' },
    )
    for (const as of ['ada', 'bea'] as const) {
      expect(await refusal(door, 'ask', { as, body: lookAt(1) })).toBe('403 door_refused')
      expect(await refusal(door, 'caller', { as })).toBe('403 door_refused')
    }
  })

  test('is refused once it decides for others', async () => {
    const door = await httpDoorScene()
    const entry = { id: 'sub', owner: 'bea', roles: [], attributes: {}, keys: [], suspended: false }
    await changeCatalog(door.on.runtime, { op: 'put', collection: 'principals', entry })
    expect(await refusal(door, 'ask', { as: 'bea', body: lookAt(1) })).toBe('403 door_refused')
  })

  test('with a key is asked for its signature, and relayed what it signed', async () => {
    const door = await httpDoorScene()
    const { runtime } = door.on
    const asked = { as: 'kim', body: lookAt(1) } as const
    expect(await refusal(door, 'ask', asked)).toBe('422 signature_needed')
    const message = VlpMessage.parse({
      id: 'MSG-1',
      protocol: 'VLP/1.1',
      type: 'query',
      timestamp: '2026-01-01T00:00:00Z',
      sender: 'kim',
      content: 'use look',
      confidence: 0.8,
      payload: { intent: lookAt(1) },
    })
    const address = 'kim.-.M1'
    const { body: caller } = await answer(door, 'caller', { as: 'kim' })
    expect(caller).toMatchObject({ log: runtime.follower.state.log, realm: 'main' })
    const of = { log: String(caller['log']), name: nameInside(`main.1.vlp.${address}`) }
    const signed = signMessage(of, message, kimsKey)
    const forged = { ...signed, content: 'use another' }
    const send = (body: unknown) => answer(door, 'message', { as: 'kim', body })
    expect((await send({ address, message: forged })).body).toMatchObject({
      code: 'signature_needed',
    })
    expect((await send({ address, message: signed })).status).toBe(201)
    const found = await answer(door, 'intent', { as: 'kim', id: address, query: '?wait=60' })
    expect(found.body).toMatchObject({ outcome: 'allow' })
    expect((await answer(door, 'start', { as: 'kim', id: address })).status).toBe(200)
    // Someone else's token does not carry it, and who has no key carries none.
    const others = { as: 'ada' as const, body: { address, message: signed } }
    expect(await refusal(door, 'message', others)).toBe('422 request_invalid')
  })
})

describe('a user', () => {
  test('says what becomes evidence under a token of its own', async () => {
    const door = await httpDoorScene()
    const mail = { tool: 'mail', args: { to: 'cat@example.org' }, session: 'desk-1' }
    const first = await answer(door, 'ask', { body: mail })
    expect(first.status).toBe(202)
    await answer(door, 'withdraw', { id: first.body.intent })
    await answer(door, 'intent', { id: first.body.intent, query: '?wait=60' })
    const said = { receiver: 'ada', content: 'write to cat@example.org for me' }
    // The agent's own word is a claim.
    for (const [as, status] of [
      ['ada', 202],
      ['ann', 200],
    ] as const) {
      const published = await answer(door, 'say', { as, id: 'desk-1', body: said })
      expect(published.status).toBe(201)
      const asked = await answer(door, 'ask', { body: { ...mail, distinct: true } })
      expect([as, asked.status]).toEqual([as, status])
    }
  })

  test('cannot speak as another, nor in a session that cannot be', async () => {
    const door = await httpDoorScene()
    const said = { receiver: 'ada', content: 'do it' }
    const as = 'ann'
    const forged = { as, id: 's', body: { ...said, sender: 'olga' } } as const
    expect(await refusal(door, 'say', forged)).toBe('400 request_invalid')
    expect(await refusal(door, 'say', { as, id: 'a\nb', body: said })).toBe('400 request_invalid')
  })
})

describe('a request', () => {
  test('to another host is refused, whatever it asks for', async () => {
    const door = await httpDoorScene()
    const { port } = new URL(door.serving.url)
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', 'localhost:1']) {
      expect((await raw(door, { headers: { host } })).status).toBe(200)
      for (const path of ['/metrics', '/openapi.json', '/v1/caller', '/nothing']) {
        expect([host, (await raw(door, { path, headers: { host } })).status]).toEqual([host, 421])
      }
    }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect((await raw(door, { path: '/openapi.json', headers: { host } })).status).toBe(200)
    }
  })

  test('is answered at the address that clients are given', async () => {
    const door = await httpDoorScene({ url: 'https://warrant.example' })
    expect(door.serving.url).toBe('https://warrant.example')
  })

  test('from a page is refused unless its origin is allowed', async () => {
    const door = await httpDoorScene({ origins: ['https://app.example'] })
    const from = (origin: string, method = 'GET') =>
      raw(door, {
        method,
        path: '/v1/caller',
        headers: { origin, 'access-control-request-method': 'GET' },
      })
    for (const origin of [
      'https://evil.example',
      'null',
      'https://app.example.evil',
      'http://app.example',
    ]) {
      const { status, headers } = await from(origin)
      expect([status, headers['access-control-allow-origin']]).toEqual([403, undefined])
    }
    const allowed = await from('https://app.example')
    expect([allowed.status, allowed.headers['access-control-allow-origin']]).toEqual([
      401,
      'https://app.example',
    ])
    const asked = await from('https://app.example', 'OPTIONS')
    expect([asked.status, asked.headers['access-control-allow-headers']]).toEqual([
      204,
      expect.stringContaining('authorization'),
    ])
    expect((await from('https://evil.example', 'OPTIONS')).status).toBe(403)
  })
})

test('nothing of a refused request is repeated but its fields’ names', async () => {
  const door = await httpDoorScene()
  const secret = 'hunter2hunter2'
  const response = await call(door, 'ask', { body: { ...erasing, [secret]: secret } })
  expect(await response.text()).not.toContain(`"${secret}"`)
})
