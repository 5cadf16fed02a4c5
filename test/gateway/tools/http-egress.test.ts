// Where a call over HTTP may go: the holes of the reference, against real servers.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Resolve } from '#system/egress/exchange'
import { httpDriver } from '#gateway/tools/http'
import { toolSecrets } from '#gateway/tools/secrets'
import { certificates, hasOpenssl } from '../../support/servers/certificates.ts'
import { callOf, canary, failureOf } from './driver-conformance.ts'
import { httpServer, json } from './http-server.ts'

const secrets = toolSecrets({ variables: { WARRANT_SECRET_CANARY: canary }, folder: null })
const loopback: Resolve = async () => ['127.0.0.1']

function opened(resolve?: Resolve) {
  const driver = httpDriver({ secrets, ...(resolve === undefined ? {} : { resolve }) })
  onTestFinished(() => driver.close())
  const run = (url: string, rest: object = {}) => {
    return driver.run(callOf({ kind: 'http', method: 'GET', url, ...rest }))
  }
  return { driver, run }
}

const ok = async () => httpServer((_, response) => json(response, 'reached'))

describe('an address that is not public', () => {
  test('is not dialled, as a literal or behind a name, unless the catalog lists it', async () => {
    const server = await ok()
    const { run } = opened(loopback)
    const literal = await failureOf(run(server.origin))
    expect(literal).toMatchObject({
      code: 'url_blocked',
      happened: 'no',
      detail: { reason: 'port' },
    })
    const named = `http://tool.example.com:${server.port}/`
    expect((await failureOf(run('http://tool.example.com/'))).detail).toEqual({ reason: 'address' })
    expect(server.received).toEqual([])
    expect((await run(server.origin, { privateHosts: ['127.0.0.1'] })).value).toBe('reached')
    expect((await run(named, { privateHosts: ['tool.example.com'] })).value).toBe('reached')
    expect(server.received[1]?.headers.host).toBe(`tool.example.com:${server.port}`)
  })

  test.each([
    ['http://2130706433/', 'host'],
    ['http://0x7f.1/', 'host'],
    ['http://0177.0.0.1/', 'host'],
    ['http://127.1/', 'host'],
    ['http://[::ffff:127.0.0.1]/', 'address'],
    ['http://[::1]/', 'address'],
    ['http://169.254.169.254/latest/meta-data/', 'address'],
    ['http://100.100.100.200/', 'address'],
    ['http://192.0.0.192/', 'address'],
    ['http://168.63.129.16/', 'address'],
    ['http://localhost/', 'special_name'],
    ['http://metadata.google.internal/', 'special_name'],
    ['http://loc%61lhost/', 'host'],
    ['http://tool.example.com\\@127.0.0.1/', null],
    ['http://user@tool.example.com/', null],
    ['http://１２７.0.0.1/', 'host'],
    ['http://tool.example.com:6379/', 'port'],
  ])('%s is blocked before any name is resolved', async (url, reason) => {
    let asked = 0
    const { run } = opened(async () => {
      asked += 1
      return ['127.0.0.1']
    })
    const failure = await failureOf(run(url))
    expect(failure.happened).toBe('no')
    if (reason !== null) expect(failure).toMatchObject({ code: 'url_blocked', detail: { reason } })
    expect(asked).toBe(0)
  })

  test('is not dialled where it is one of several', async () => {
    const { run } = opened(async () => ['93.184.215.14', '127.0.0.1'])
    expect((await failureOf(run('http://tool.example.com/'))).detail).toEqual({ reason: 'address' })
  })

  test('that is link-local is not dialled even for a host that is listed', async () => {
    const { run } = opened(async () => ['169.254.169.254'])
    const privateHosts = ['db.internal']
    const failure = await failureOf(run('http://db.internal/', { privateHosts }))
    expect(failure.detail).toEqual({ reason: 'address' })
  })
})

test('a name that is another address the second time is asked for once', async () => {
  const server = await ok()
  const answers = [['127.0.0.1'], ['127.0.0.2'], ['169.254.169.254']]
  let asked = 0
  const { run } = opened(async () => answers[asked++] ?? [])
  const privateHosts = ['tool.example.com']
  const url = `http://tool.example.com:${server.port}/`
  expect((await run(url, { privateHosts })).value).toBe('reached')
  expect(asked).toBe(1)
  expect(server.received).toHaveLength(1)
})

test('the next address is dialled where surely nothing was sent to the first', async () => {
  const server = await ok()
  const { run } = opened(async () => ['127.0.0.9', '127.0.0.1'])
  const privateHosts = ['tool.example.com']
  const url = `http://tool.example.com:${server.port}/`
  expect((await run(url, { method: 'POST', privateHosts })).value).toBe('reached')
})

test('no proxy of the environment is asked', async () => {
  const proxy = await ok()
  const server = await ok()
  for (const name of ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']) {
    const before = process.env[name]
    process.env[name] = name.startsWith('NODE') ? '1' : proxy.origin
    onTestFinished(() => {
      if (before === undefined) delete process.env[name]
      else process.env[name] = before
    })
  }
  const { run } = opened()
  await run(server.origin, { privateHosts: ['127.0.0.1'] })
  expect([proxy.received.length, server.received.length]).toEqual([0, 1])
})

describe('a redirect', () => {
  const from = async (status: number, location: string) => {
    return httpServer(({ url }, response) => {
      if (url === '/done') json(response, 'done')
      else response.writeHead(status, { location }).end()
    })
  }
  const own = { privateHosts: ['127.0.0.1'] }

  test.each([300, 301, 302, 303, 304, 307, 308])('%i is not followed by itself', async (status) => {
    const server = await from(status, '/done')
    const { run } = opened()
    expect(await failureOf(run(server.origin, own))).toMatchObject({
      code: 'redirected',
      happened: 'yes',
      detail: { status },
    })
    const posted = await failureOf(run(server.origin, { ...own, method: 'POST' }))
    expect(posted.happened).toBe('unknown')
    expect(server.received).toHaveLength(2)
  })

  test.each([301, 302, 303, 307, 308])(
    '%i is followed where the catalog allows it',
    async (status) => {
      const server = await from(status, '/done')
      const { run } = opened()
      expect((await run(server.origin, { ...own, redirects: 1 })).value).toBe('done')
      expect((await run(server.origin, { ...own, redirects: 1, method: 'HEAD' })).value).toBeNull()
      expect(server.received.map(({ method }) => method)).toEqual(['GET', 'GET', 'HEAD', 'HEAD'])
    },
  )

  test('is followed as often as the catalog allows it', async () => {
    const server = await from(302, '/again')
    const { run } = opened()
    const failure = await failureOf(run(server.origin, { ...own, redirects: 3 }))
    expect(failure.code).toBe('redirected')
    expect(server.received).toHaveLength(4)
  })

  test.each([
    ['http://169.254.169.254/', 'address'],
    ['http://2852039166/', 'host'],
    ['http://[::1]/', 'address'],
    ['http://localhost/', 'special_name'],
    ['http://tool.internal/', 'special_name'],
    ['//10.0.0.1/', 'address'],
    ['http://127.0.0.1:1/', 'port'],
    ['http://127.1/', 'host'],
    ['http://2130706433/', 'host'],
    ['//0x7f.1/', 'host'],
    ['http://[::ffff:7f00:1]/', 'address'],
    ['http:\\\\127.0.0.1/', 'syntax'],
    ['http://user:pass@tool.example.com/', 'userinfo'],
  ])('to %s is blocked', async (location, reason) => {
    const server = await from(302, location)
    const { run } = opened()
    const failure = await failureOf(run(server.origin, { ...own, redirects: 5 }))
    expect(failure).toMatchObject({ code: 'url_blocked', happened: 'yes', detail: { reason } })
  })

  test.each(['ftp://127.0.0.1/', 'file:///etc/passwd', 'http://', 'http://[', 'javascript:1'])(
    'to %s leads nowhere',
    async (location) => {
      const server = await from(302, location)
      const { run } = opened()
      const failure = await failureOf(run(server.origin, { ...own, redirects: 5 }))
      expect(failure.happened).toBe('yes')
    },
  )

  test('takes nothing of the catalog to another origin', async () => {
    const other = await ok()
    const server = await from(302, `${other.origin}/x`)
    const { run } = opened()
    const headers = { Authorization: 'Bearer ${secret:CANARY}', Cookie: 'a', 'X-Key': 'b' }
    const privateHosts = ['127.0.0.1', other.host]
    await run(server.origin, { privateHosts, redirects: 1, headers })
    expect(server.received[0]?.headers.authorization).toBe(`Bearer ${canary}`)
    const names = Object.keys(other.received[0]?.headers ?? {}).toSorted()
    expect(names).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
    expect(JSON.stringify(other.received)).not.toContain('canary')
  })

  test('keeps the headers within its origin', async () => {
    const server = await from(307, '/done')
    const { run } = opened()
    const headers = { Authorization: 'Bearer ${secret:CANARY}' }
    await run(server.origin, { ...own, redirects: 1, headers })
    expect(server.received[1]?.headers.authorization).toBe(`Bearer ${canary}`)
  })

  test('of a request that writes keeps method and body, or is not followed', async () => {
    const other = await ok()
    const post = { ...own, method: 'POST', redirects: 3 }
    const { run } = opened()
    for (const status of [301, 302, 303]) {
      const server = await from(status, '/done')
      expect((await failureOf(run(server.origin, post))).code).toBe('redirected')
      expect(server.received).toHaveLength(1)
    }
    for (const status of [307, 308]) {
      const server = await from(status, '/done')
      expect((await run(server.origin, post)).value).toBe('done')
      expect(server.received.map(({ method, body }) => method + body)).toEqual(['POST{}', 'POST{}'])
      const away = await from(status, other.origin)
      const privateHosts = ['127.0.0.1', other.host]
      expect((await failureOf(run(away.origin, { ...post, privateHosts }))).code).toBe('redirected')
    }
    expect(other.received).toEqual([])
  })
})

describe.runIf(hasOpenssl)('over TLS', () => {
  const tls = async () => {
    const folder = await certificates()
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    const served = { key: read('server.key'), cert: read('server.pem') }
    const server = await httpServer((_, response) => json(response, 'reached'), served)
    const driver = httpDriver({ secrets, resolve: loopback, ca: [read('ca.pem')] })
    onTestFinished(() => driver.close())
    const run = (host: string) => {
      const url = `https://${host}:${server.port}/`
      const given = { kind: 'http', method: 'POST', url, privateHosts: [host] }
      return driver.run(callOf(given))
    }
    return { server, run }
  }

  test('the certificate is that of the name, though an address is dialled', async () => {
    const { server, run } = await tls()
    expect((await run('localhost')).value).toBe('reached')
    expect(server.received[0]?.headers.host).toBe(`localhost:${server.port}`)
    expect((await run('127.0.0.1')).value).toBe('reached')
    const failure = await failureOf(run('tool.example.com'))
    expect(failure).toMatchObject({ code: 'unreachable', happened: 'no' })
    expect(failure.detail).toEqual({ error: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    expect(server.received).toHaveLength(2)
  })

  test('an authority that is not trusted gets nothing', async () => {
    const { server } = await tls()
    const { run } = opened(loopback)
    const privateHosts = ['localhost']
    const failure = await failureOf(run(`https://localhost:${server.port}/`, { privateHosts }))
    expect(failure).toMatchObject({ code: 'unreachable', happened: 'no' })
    expect(server.received).toEqual([])
  })
})
