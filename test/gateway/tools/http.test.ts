// Tools behind HTTP: what is sent, and what an answer comes to.
import { describe, expect, onTestFinished, test } from 'vitest'
import { httpDriver } from '#gateway/tools/http'
import { toolSecrets } from '#gateway/tools/secrets'
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { callOf, canary, driverConformance, failureOf } from './driver-conformance.ts'
import { httpServer, json, type Handler } from './http-server.ts'

const secrets = toolSecrets({ variables: { WARRANT_SECRET_CANARY: canary }, folder: null })
const privateHosts = ['127.0.0.1']

async function opened(handler: Handler) {
  const server = await httpServer(handler)
  const driver = httpDriver({ secrets })
  onTestFinished(() => driver.close())
  const at = (path: string, rest: object = {}) => {
    return { kind: 'http', method: 'POST', url: `${server.origin}${path}`, privateHosts, ...rest }
  }
  const run = (path: string, rest: object = {}, args: JsonObject = {}) => {
    return driver.run(callOf(at(path, rest), args))
  }
  return { server, driver, at, run }
}

driverConformance('http', async () => {
  const { server, driver, at } = await opened(({ url, headers, body }, response) => {
    const secret = String(headers['authorization'])
    if (url === '/echo') json(response, JSON.parse(body))
    else if (url === '/fail') response.writeHead(500).end(`no: ${secret}`.repeat(50))
    else if (url === '/leak') {
      response.setHeader('content-type', 'application/x-ndjson')
      response.end(`${JSON.stringify({ [secret]: 1 })}\n${encodeURIComponent(secret)}\n`)
    } else if (url.startsWith('/large')) {
      response.write('x'.repeat(2_000))
      response.end('x'.repeat(Number(url.slice('/large/'.length)) - 2_000))
    }
  })
  const headers = { headers: { Authorization: '${secret:CANARY}' } }
  return {
    driver,
    echo: (args) => callOf(at('/echo'), args),
    slow: (options) => callOf(at('/slow'), {}, options),
    failing: () => callOf(at('/fail', headers)),
    large: (bytes, bytesMax) => {
      return callOf(at('/large/${args:/bytes}'), { bytes }, { execution: { bytesMax } })
    },
    leaking: () => callOf(at('/leak', headers)),
    runs: async () => server.received.length,
    tempting: {
      operation: '/fail',
      url: '/fail',
      method: 'DELETE',
      headers: { a: 'b' },
      path: '/',
    },
  }
})

const echo: Handler = ({ method, url, headers, body }, response) => {
  json(response, { method, url, type: headers['content-type'] ?? null, body })
}

describe('a request', () => {
  test.each([
    ['a b', '/x/a%20b/y'],
    ['a/b', '/x/a%2Fb/y'],
    ['a?b=c&d#e', '/x/a%3Fb%3Dc%26d%23e/y'],
    ['%2e%2e', '/x/%252e%252e/y'],
    ['..a', '/x/..a/y'],
    ['...', '/x/.../y'],
    ["é!'()*;:@", '/x/%C3%A9%21%27%28%29%2A%3B%3A%40/y'],
    [7, '/x/7/y'],
    [true, '/x/true/y'],
  ])('has %j as one segment of its path', async (value, url) => {
    const { run, server } = await opened(echo)
    await run('/x/${args:/id}/y', {}, { id: value })
    expect(server.received.map((one) => one.url)).toEqual([url])
  })

  test.each([
    '..',
    '.',
    '',
    '../admin',
    'a/../../admin',
    'a/..',
    '..\\admin',
    '/etc',
    'a//b',
    'a\r\nX: 1',
    'a\0',
    'a\tb',
    null,
    ['a'],
    { a: 1 },
  ])('never has %j in its path', async (value) => {
    const { run, server } = await opened(echo)
    const failure = await failureOf(run('/x/${args:/id}/y', {}, { id: value }))
    expect(failure).toMatchObject({ code: 'argument_unsafe', happened: 'no' })
    expect(failure.detail).toEqual({ argument: '/id' })
    expect(server.received).toEqual([])
  })

  test.each([
    ['/x/.${args:/a}/y', { a: '.' }],
    ['/x/${args:/a}${args:/b}/y', { a: '.', b: '.' }],
    ['/x/.%2e/${args:/a}', { a: 'y' }],
    ['/x/../${args:/a}', { a: 'y' }],
  ])('of %s with %j never steps upwards', async (path, args) => {
    const { run, server } = await opened(echo)
    expect((await failureOf(run(path, { method: 'GET' }, args))).happened).toBe('no')
    expect(server.received).toEqual([])
  })

  test('has values in its query, and a list repeats its name', async () => {
    const { run, server } = await opened(echo)
    const rest = { method: 'GET', query: ['tag', 'none', 'sort'] }
    const args = { q: 'a&b=c #', tag: ['x&y', 1], sort: true }
    await run('/s?q=${args:/q}', rest, args)
    await run('/s', { method: 'GET', query: ['q'] }, { q: '' })
    expect(server.received.map(({ url }) => url)).toEqual([
      '/s?q=a%26b%3Dc%20%23&tag=x%26y&tag=1&sort=true',
      '/s?q=',
    ])
    expect(await failureOf(run('/s', rest, { sort: { a: 1 } }))).toMatchObject({
      code: 'argument_unsafe',
    })
  })

  test('has the rest as JSON, as a form, or nowhere if the catalog says that', async () => {
    const { run, server } = await opened(echo)
    const args = { id: 'x', a: 'b c&d', n: [1, 2] }
    await run('/${args:/id}', {}, args)
    await run('/${args:/id}', { body: 'form' }, args)
    await run('/${args:/id}', { body: 'none' }, args)
    await run('/${args:/id}', { method: 'DELETE', body: 'json' }, args)
    expect(server.received.map(({ headers, body }) => [headers['content-type'], body])).toEqual([
      ['application/json', '{"a":"b c&d","n":[1,2]}'],
      ['application/x-www-form-urlencoded', 'a=b%20c%26d&n=1&n=2'],
      [undefined, ''],
      ['application/json', '{"a":"b c&d","n":[1,2]}'],
    ])
  })

  test.each(['GET', 'HEAD', 'DELETE'])(
    'with %s sends no body, and drops nothing',
    async (method) => {
      const { run, server } = await opened(echo)
      const failure = await failureOf(run('/${args:/id}', { method }, { id: 'x', all: true }))
      expect(failure).toMatchObject({ code: 'argument_unused', happened: 'no' })
      expect(failure.detail).toEqual({ argument: 'all' })
      expect(server.received).toEqual([])
    },
  )

  test.each(['a\r\nX-Admin: 1', 'a\nb', 'a\0b', 'é', '\u2028', ['a']])(
    'never has %j in a header',
    async (value) => {
      const { run, server } = await opened(echo)
      const headers = { 'X-To': 'to ${args:/to}' }
      const failure = await failureOf(run('/', { headers }, { to: value }))
      expect(failure).toMatchObject({ code: 'argument_unsafe', happened: 'no' })
      expect(server.received).toEqual([])
    },
  )

  test('has the headers of the catalog, a key where it is idempotent, and its own host', async () => {
    const { driver, at, server } = await opened(echo)
    const headers = { Authorization: 'Bearer ${secret:CANARY}', 'X-To': '${args:/to}' }
    const execution = { idempotent: true }
    await driver.run(callOf(at('/', { headers }), { to: 'me' }, { execution }))
    await driver.run(callOf(at('/', {}), {}))
    expect(server.received[0]?.headers).toMatchObject({
      authorization: `Bearer ${canary}`,
      'x-to': 'me',
      'idempotency-key': 'key-1',
      'accept-encoding': 'identity',
      host: server.host,
    })
    expect(server.received[1]?.headers['idempotency-key']).toBeUndefined()
  })

  test.each([
    [{ headers: { Host: 'other.example' } }, 'driver_invalid'],
    [{ headers: { 'Content-Length': '0' } }, 'driver_invalid'],
    [{ headers: { 'Transfer-Encoding': 'chunked' } }, 'driver_invalid'],
    [{ headers: { A: 'x', a: 'y' } }, 'driver_invalid'],
    [{ headers: { A: '${secret:MISSING}' } }, 'secret_missing'],
    [{ headers: { A: '${args:/none}' } }, 'argument_missing'],
    [{ url: 'http://${args:/host}/' }, 'driver_invalid'],
    [{ url: 'http://127.0.0.1/#${args:/host}' }, 'driver_invalid'],
    [{ url: 'http://127.0.0.1/${secret:CANARY}' }, 'driver_invalid'],
  ])('is not made of %j: %s', async (rest, code) => {
    const { run, server } = await opened(echo)
    expect(await failureOf(run('/', rest, { host: 'evil.example' }))).toMatchObject({
      code,
      happened: 'no',
    })
    expect(server.received).toEqual([])
  })

  test('is described with what it would send', async () => {
    const { driver, at, server } = await opened(echo)
    const headers = { Authorization: 'Bearer ${secret:CANARY}' }
    const call = callOf(at('/x/${args:/id}', { headers }), { id: 'a b', to: 'me' })
    expect(driver.describe(call)).toEqual({
      method: 'POST',
      url: `${server.origin}/x/a%20b`,
      headers: { authorization: 'Bearer ${secret:CANARY}', 'content-type': 'application/json' },
      body: '{"to":"me"}',
    })
    expect(server.received).toEqual([])
  })
})

describe('an answer', () => {
  const answering = async (type: string, ...chunks: (string | Buffer)[]) => {
    const { driver, at } = await opened((_, response) => {
      response.setHeader('content-type', type)
      const next = (): void => {
        const chunk = chunks.shift()
        if (chunk === undefined) response.end()
        else response.write(chunk, () => setTimeout(next, 20))
      }
      next()
    })
    const parts: JsonValue[] = []
    const call = { ...callOf(at('/')), onPart: (part: JsonValue) => parts.push(part) }
    return { result: await driver.run(call), parts }
  }

  test.each([
    ['application/json', '{"a":[1]}', { a: [1] }],
    ['application/json', '', null],
    ['application/json', '{"a":1,"a":2}', '{"a":1,"a":2}'],
    ['application/json', '<html>', '<html>'],
    ['text/plain', 'plain é', 'plain é'],
    ['text/plain', '{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    ['text/plain', '{"a":1}\n[2]\n', '{"a":1}\n[2]\n'],
  ])('of %s %j is %j', async (type, body, value) => {
    expect((await answering(type, body)).result).toEqual({ value, bytes: Buffer.byteLength(body) })
  })

  test('comes in parts: lines of JSON, events, lines of text', async () => {
    const lines = await answering('application/x-ndjson', '{"row":1}\n{"ro', 'w":2}\r\n\nx')
    expect(lines.parts).toEqual([{ row: 1 }, { row: 2 }, 'x'])
    expect(lines.result.value).toEqual([{ row: 1 }, { row: 2 }, 'x'])
    const events = await answering(
      'text/event-stream; charset=utf-8',
      ': hi\nevent: a\ndata: {"x":\nda',
      'ta:1}\n\ndata: [DONE]\r\n\r\nid: 7\n\ndata: cut',
    )
    expect(events.parts).toEqual([{ x: 1 }, '[DONE]', 'cut'])
    const text = await answering('text/plain', 'one\ntw', 'o\nthree')
    expect(text.parts).toEqual(['one\n', 'two\n', 'three'])
    expect(text.result.value).toBe('one\ntwo\nthree')
  })

  test('shows no secret that was cut in two between its chunks', async () => {
    await secrets.load('CANARY')
    const halves = [canary.slice(0, 9), canary.slice(9)]
    const { parts, result } = await answering('text/plain', `a ${halves[0]}`, `${halves[1]} b\nc`)
    expect(parts).toEqual(['a [SECRET] b\n', 'c'])
    expect(result.value).toBe('a [SECRET] b\nc')
  })

  test('that is no text, or packed, cannot be used', async () => {
    const binary = await opened((_, response) => response.end(Buffer.from([0xff, 0x00, 0xfe])))
    expect(await failureOf(binary.run('/'))).toMatchObject({
      code: 'result_invalid',
      happened: 'unknown',
    })
    const packed = await opened((_, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end('x')
    })
    expect(await failureOf(packed.run('/', { method: 'GET' }))).toMatchObject({
      code: 'result_invalid',
      happened: 'yes',
    })
  })

  test('to HEAD has no body, however large one would be', async () => {
    const { run } = await opened((_, response) => {
      response.setHeader('content-length', String(2 ** 40))
      response.end()
    })
    expect(await run('/', { method: 'HEAD' })).toEqual({ value: null, bytes: 0 })
  })
})
