// Every public way to a tool without a warrant: nothing of it reaches a driver.
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { request as rawRequest } from 'node:http'
import { join } from 'node:path'
import { expect, test, describe } from 'vitest'
import { digestOf } from '#record/digest'
import { mint, narrowed } from '#messages/warrants/minted'
import { verifyToken } from '#messages/warrants/verify'
import { jwksOf } from '#messages/warrants/jwk'
import { publicKeyOf } from '#record/crypto/private-key'
import { expectReplay, reason, reviewed, say } from '../../support/scene.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import {
  allowedFor,
  calls,
  holders,
  httpStand,
  mintedOver,
  present,
  proof,
  send,
  type HttpStand,
  problemIn,
} from './http-stand.ts'
import { connect as dial } from 'node:net'

interface Aim {
  readonly all: HttpStand
  /** Allowed for ada, and not carried out. */
  readonly intent: string
  /** Ada’s warrant for it. */
  readonly token: string
}

/** Each resolves to how it ended, where it could have been carried out. */
const ways: Readonly<Record<string, (aim: Aim) => Promise<unknown>>> = {
  'no token': ({ all, intent }) => send(all, { path: calls, body: { intent } }),
  'a bearer token': ({ all, intent, token }) =>
    send(all, { path: calls, body: { intent }, headers: { authorization: `Bearer ${token}` } }),
  'a token without a proof': ({ all, intent, token }) =>
    send(all, { path: calls, body: { intent }, headers: { authorization: `DPoP ${token}` } }),
  'a stolen token': ({ all, intent, token }) =>
    present(all, token, { intent }, { holder: holders.eve }),
  'a token that its reader signed': ({ all, intent, token }) =>
    present(all, forgedBy(all, token, holders.eve), { intent }),
  'a token without a signature': ({ all, intent, token }) => {
    const [, body] = token.split('.')
    const head = Buffer.from('{"alg":"none","typ":"warrant+jwt"}').toString('base64url')
    return present(all, `${head}.${body}.`, { intent })
  },
  'a link that eve made': ({ all, intent, token }) => {
    const to = { key: publicKeyOf(holders.eve), now: all.on.time.now }
    return present(all, narrowed(token, to, holders.eve), { intent }, { holder: holders.eve })
  },
  'the intent of another agent': async ({ all, token }) =>
    present(all, token, { intent: await allowedFor(all, 'eve') }),
  'a token of another for her own intent': async ({ all, intent }) => {
    const own = await allowedFor(all, 'eve')
    const token = await mintedOver(all, own, holders.eve)
    return present(all, token, { intent }, { holder: holders.eve })
  },
  'no intent': ({ all, token }) => present(all, token, {}),
  'an intent that does not exist': ({ all, token }) =>
    present(all, token, { intent: 'ada.-.nothing' }),
  'a dry run': ({ all, intent, token }) => present(all, token, { intent, dryRun: true }),
  'a method in a header': ({ all, intent, token }) =>
    send(all, {
      method: 'GET',
      path: calls,
      headers: {
        authorization: `DPoP ${token}`,
        dpop: proof(all, { path: calls, token, method: 'POST' }),
        'x-http-method-override': 'POST',
        'x-intent': intent,
      },
    }),
  PUT: ({ all, intent, token }) => methodOf(all, 'PUT', { intent, token }),
  PATCH: ({ all, intent, token }) => methodOf(all, 'PATCH', { intent, token }),
  DELETE: ({ all, intent, token }) => methodOf(all, 'DELETE', { intent, token }),
  'paths beside the path': async ({ all, intent, token }) => {
    const paths = [
      '/v1/calls/',
      '//v1/calls',
      '/v1//calls',
      '/V1/CALLS',
      '/v1/calls;x',
      '/v1/calls%2f',
      '/v1/calls%00',
      '/v1/%2e%2e/v1/calls',
      '/v1/calls/..;/calls',
      `/v1/calls/${intent}`,
      '/v1/tools/list',
      '/v1/drivers/local/list',
      '/',
    ]
    for (const path of paths) await raw(all, path, { intent, token })
  },
  'a token as a query': ({ all, intent, token }) =>
    send(all, { path: `${calls}?access_token=${token}`, body: { intent } }),
  'a body of two intents': ({ all, intent, token }) =>
    present(all, token, `{"intent":"eve.-.x","intent":"${intent}"}`),
  'arguments beside the judged ones': ({ all, intent, token }) =>
    present(all, token, { intent, args: { to: 'eve' } }),
  'a handle': ({ all }) => {
    const path = '/v1/handles/res_000000000000000000000000'
    return send(all, { path, body: {}, headers: { dpop: proof(all, { path }) } })
  },
  'the gateway of the process, as another': ({ all, intent }) =>
    all.gateway.call({ intent, presenter: 'eve' }),
  'the gateway of the process, dry': ({ all, intent }) =>
    all.gateway.dryRun({ intent, presenter: 'ada' }),
  'the client of another agent': ({ all, intent }) => all.clients.eve.call(intent),
  'a guard': ({ all }) => {
    const guarded = all.clients.ada.guard('list', () => appendFile('/dev/null', 'ran'))
    return guarded({ to: 'x' })
  },
}

function forgedBy(all: HttpStand, token: string, key: string): string {
  const { runtime, time } = all.on
  const jwks = jwksOf(runtime.follower.state.catalog)
  const sound = verifyToken({ token, jwks, audience: 'warrant:main', now: time.now })
  return sound.ok ? (mint(sound.claims, key) ?? '') : ''
}

interface Carried {
  readonly intent: string
  readonly token: string
}

function methodOf(all: HttpStand, method: string, { intent, token }: Carried) {
  return present(all, token, { intent }, { method }).then(() =>
    send(all, {
      method,
      path: calls,
      body: { intent },
      headers: { authorization: `DPoP ${token}`, dpop: proof(all, { path: calls, token, method }) },
    }),
  )
}

// A path as it is written: a client of the platform would tidy it first. The proof is for it, too.
function raw(all: HttpStand, path: string, { intent, token }: Carried): Promise<unknown> {
  const { hostname, port } = new URL(all.serving.url)
  const headers = {
    'content-type': 'application/json',
    authorization: `DPoP ${token}`,
    dpop: proof(all, { path, token }),
  }
  return new Promise((resolve, reject) => {
    const sent = rawRequest({ hostname, port, path, method: 'POST', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    sent.on('error', reject)
    sent.end(JSON.stringify({ intent }))
  })
}

async function aimed(): Promise<Aim & { readonly ran: () => Promise<string> }> {
  const file = join(await temporaryFolder(), 'ran')
  await writeFile(file, '')
  const tool = async () => {
    await appendFile(file, 'ran\n')
    return 'done'
  }
  const all = await httpStand({ tool })
  const intent = await allowedFor(all)
  const token = await mintedOver(all, intent)
  return { all, intent, token, ran: () => readFile(file, 'utf8') }
}

for (const [name, way] of Object.entries(ways)) {
  test(`nothing runs by ${name}, and the warrant stays good`, async () => {
    const { ran, ...aim } = await aimed()
    // How it is refused is looked at elsewhere.
    await Promise.allSettled([way(aim)])
    expect(await ran()).toBe('')
    const { all, token, intent } = aim
    expect((await present(all, token, { intent })).status).toBe(200)
    expect(await ran()).toBe('ran\n')
  })
}

test('nothing runs of what was denied, observed, not decided, or stopped', async () => {
  const { all, ran } = await aimed()
  const { on, clients } = all
  const ask = (tool: string, args: object) =>
    say(on.log, {
      as: 'ada',
      intent: { tool, args: { ...args }, justification: reason },
      privateKey: holders.ada,
    })
  const denied = await clients.ada.ask({ tool: 'list', args: { copies: 'many' } })
  const asked = await reviewed(on, {
    as: 'ada',
    intent: { tool: 'erase', args: { to: 'x' }, justification: reason },
    privateKey: holders.ada,
  })
  const unread = await ask('list', { to: 'left' })
  const observed = await clients.ada.ask({ tool: 'list', args: { to: 'seen' }, observe: true })
  expect(denied.outcome).toBe('deny')
  expect(observed.terms).toBeNull()
  for (const intent of [denied.intent, asked, observed.intent, `${unread}x`]) {
    const path = `/v1/warrants/${intent}`
    const minted = await send(all, { path, headers: { dpop: proof(all, { path }) } })
    expect(minted.ok, intent).toBe(false)
    const call = all.gateway.call({ intent, presenter: 'ada', token: digestOf('none') })
    await expect(call).rejects.toBeInstanceOf(Error)
    await expect(all.gateway.dryRun({ intent, presenter: 'ada' })).rejects.toBeInstanceOf(Error)
  }
  expect(await ran()).toBe('')
  await expectReplay(on)
})

// The server of a gateway: who gets a token, what it shows without one, and how it ends.

describe('a token is minted', () => {
  test('for the agent of the intent alone', async () => {
    const all = await httpStand()
    const path = `/v1/warrants/${await allowedFor(all)}`
    const dpop = proof(all, { path, holder: holders.eve })
    expect(await problemIn(await send(all, { path, headers: { dpop } }))).toBe('403 not_yours')
    expect(await problemIn(await send(all, { path }))).toBe('401 token_refused holder_missing')
  })

  test('only where an issuer’s key is there', async () => {
    const all = await httpStand({ mints: false })
    const path = `/v1/warrants/${await allowedFor(all)}`
    const response = await send(all, { path, headers: { dpop: proof(all, { path }) } })
    expect(await problemIn(response)).toBe('404 issuer_unknown')
  })
})

describe('the server', () => {
  test('shows its keys and whether it is ready', async () => {
    const all = await httpStand()
    const get = (path: string) => send(all, { method: 'GET', path })
    expect(await (await get('/.well-known/jwks.json')).json()).toMatchObject({
      keys: [{ iss: 'gate', crv: 'Ed25519' }],
    })
    expect(await (await get('/healthz')).json()).toEqual({ healthy: true })
    expect(await (await get('/readyz')).json()).toMatchObject({ ready: true })
    expect((await get('/v1/calls')).headers.get('allow')).toBe('POST')
    expect(await problemIn(await get('/v1'))).toBe('404 request_invalid')
  })

  test('answers what it cannot read as a request, and headers that are too large', async () => {
    const all = await httpStand()
    const { hostname, port } = new URL(all.serving.url)
    const raw = (text: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = dial(Number(port), hostname, () => socket.write(text))
        let got = ''
        socket.on('data', (chunk: Buffer) => (got += chunk.toString()))
        socket.on('close', () => resolve(got)).on('error', reject)
      })
    expect(await raw('no request\r\n\r\n')).toMatch(/^HTTP\/1.1 400 .*problem\+json/s)
    const large = `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`
    expect(await raw(large)).toMatch(/^HTTP\/1.1 431 .*request_invalid/s)
  })

  test('finishes what was begun when it closes, and takes nothing more', async () => {
    let release = (): void => undefined
    const waiting = new Promise<void>((resolve) => (release = resolve))
    const all = await httpStand({ tool: () => waiting.then(() => 'done') })
    const [first, second] = [await allowedFor(all), await allowedFor(all)]
    const token = await mintedOver(all, first)
    const other = await mintedOver(all, second)
    const running = present(all, token, { intent: first })
    await expect.poll(() => all.ran.length).toBe(1)
    const closed = all.serving.close(60_000)
    await expect(present(all, other, { intent: second })).rejects.toThrow()
    release()
    expect((await running).status).toBe(200)
    await closed
    expect(all.ran).toHaveLength(1)
  })

  test('is refused a port that is taken', async () => {
    const all = await httpStand()
    const { listening } = await import('#serving/listening')
    const listen = { host: '127.0.0.1', port: Number(new URL(all.serving.url).port) }
    const fetch = () => new Response()
    await expect(listening({ listen, tls: null, fetch })).rejects.toMatchObject({
      code: 'listen_failed',
      message: expect.stringContaining('another program listens there'),
    })
  })
})
