// What a call over HTTP comes to when it fails: above all, whether anything happened.
import net from 'node:net'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { httpDriver } from '#gateway/tools/http'
import { toolSecrets } from '#gateway/tools/secrets'
import { callOf, canary, failureOf, shownBy } from './driver-conformance.ts'
import { httpServer, json } from './http-server.ts'

const secrets = toolSecrets({ variables: { WARRANT_SECRET_CANARY: canary }, folder: null })

function opened() {
  const driver = httpDriver({ secrets })
  onTestFinished(() => driver.close())
  const to = (url: string, rest: object = {}, options: Parameters<typeof callOf>[2] = {}) => {
    const given = {
      kind: 'http',
      method: 'POST',
      url,
      privateHosts: ['127.0.0.1', 'tool'],
      ...rest,
    }
    return callOf(given, {}, options)
  }
  return { driver, to }
}

/** A server that does with a connection what it is made to do. */
async function rawServer(onConnection: (socket: net.Socket) => void): Promise<string> {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/`
}

const onRequest = (act: (socket: net.Socket) => void) => {
  return (socket: net.Socket): void => void socket.once('data', () => act(socket))
}

describe('nothing happened', () => {
  test('where the connection is refused', async () => {
    const server = net.createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    server.close()
    const { driver, to } = opened()
    const failure = await failureOf(driver.run(to(`http://127.0.0.1:${port}/`)))
    expect(failure).toMatchObject({ code: 'unreachable', happened: 'no' })
    expect(failure.detail).toEqual({ error: 'ECONNREFUSED' })
  })

  test.each([
    ['fails', () => Promise.reject(new Error('ENOTFOUND')), 'unresolved'],
    ['has no address', async () => [], 'url_blocked'],
  ])('where the resolver %s', async (_, resolve, code) => {
    const driver = httpDriver({ secrets, resolve })
    onTestFinished(() => driver.close())
    const call = callOf({ kind: 'http', method: 'POST', url: 'http://a.example.com/' })
    expect(await failureOf(driver.run(call))).toMatchObject({ code, happened: 'no' })
  })

  test('where the resolver takes too long', async () => {
    const driver = httpDriver({ secrets, resolve: () => new Promise(() => {}) })
    onTestFinished(() => driver.close())
    const signal = AbortSignal.timeout(50)
    const call = callOf(
      { kind: 'http', method: 'POST', url: 'http://a.example.com/' },
      {},
      { signal },
    )
    expect(await failureOf(driver.run(call))).toMatchObject({ code: 'timed_out', happened: 'no' })
  })

  test('where TLS was asked for and nothing was sent in it', async () => {
    const url = await rawServer(onRequest((socket) => socket.end('plain')))
    const { driver, to } = opened()
    const failure = await failureOf(driver.run(to(url.replace('http:', 'https:'))))
    expect(failure).toMatchObject({ code: 'unreachable', happened: 'no' })
  })
})

describe('what happened is not known', () => {
  test.each([
    ['is closed', (socket: net.Socket) => socket.end()],
    ['is reset', (socket: net.Socket) => socket.resetAndDestroy()],
    [
      'is reset within the head',
      (socket) => socket.write('HTTP/1.1 200 O', () => socket.resetAndDestroy()),
    ],
    [
      'is closed within a body of known length',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":1}'),
    ],
    [
      'is closed within chunks',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabc'),
    ],
    [
      'is reset within the body',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":1}')
        setTimeout(() => socket.resetAndDestroy(), 50)
      },
    ],
  ] satisfies [string, (socket: net.Socket) => void][])(
    'where the connection %s after the request was sent',
    async (_, act) => {
      const url = await rawServer(onRequest(act))
      const { driver, to } = opened()
      const failure = await failureOf(driver.run(to(url)))
      expect(failure).toMatchObject({ code: 'connection_lost', happened: 'unknown' })
    },
  )

  test.each([
    ['speaks something else', 'SSH-2.0-x\r\n\r\n', 'protocol_error'],
    [
      'answers twice over',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx',
      null,
    ],
    ['has an endless head', `HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(999)}\r\n`.repeat(100)}`, null],
  ])('where the server %s', async (_, text, code) => {
    const url = await rawServer(onRequest((socket) => socket.write(text)))
    const { driver, to } = opened()
    const failure = await failureOf(driver.run(to(url)))
    expect(failure).toMatchObject({ code: code ?? 'protocol_error', happened: 'unknown' })
  })

  test('where the body drips: the deadline is one for all of it', async () => {
    const url = await rawServer(
      onRequest((socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n')
        // Drop by drop, which would never end.
        const timer = setInterval(() => socket.write('x'), 20)
        socket.on('close', () => clearInterval(timer))
      }),
    )
    const { driver, to } = opened()
    const failure = await failureOf(driver.run(to(url, {}, { signal: AbortSignal.timeout(400) })))
    expect(failure).toMatchObject({ code: 'timed_out', happened: 'unknown' })
  })

  test('where an answer is larger than its limit: no more of it is read', async () => {
    let sent = 0
    const url = await rawServer(
      onRequest((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        const chunk = Buffer.alloc(65_536, 'x')
        const more = (): void => {
          while (!socket.destroyed && sent < 500_000_000) {
            sent += chunk.length
            if (!socket.write(chunk)) return void socket.once('drain', more)
          }
        }
        more()
      }),
    )
    const { driver, to } = opened()
    const execution = { bytesMax: 100_000 }
    expect(await failureOf(driver.run(to(url, {}, { execution })))).toMatchObject({
      code: 'result_too_large',
      happened: 'unknown',
    })
    const read = await failureOf(driver.run(to(url, { method: 'GET' }, { execution })))
    expect(read.happened).toBe('yes')
    expect(sent).toBeLessThan(50_000_000)
  })

  test('where a length beyond the limit is announced', async () => {
    const url = await rawServer(
      onRequest((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n')),
    )
    const { driver, to } = opened()
    expect(await failureOf(driver.run(to(url)))).toMatchObject({ code: 'result_too_large' })
  })

  test.each([502, 504])('where an intermediary answers with %i', async (status) => {
    const server = await httpServer((_, response) => response.writeHead(status).end('gateway'))
    const { driver, to } = opened()
    const posted = await failureOf(driver.run(to(server.origin)))
    expect(posted).toMatchObject({ code: 'http_status', happened: 'unknown' })
    const read = await failureOf(driver.run(to(server.origin, { method: 'GET' })))
    expect(read).toMatchObject({ happened: 'yes', detail: { status, text: 'gateway' } })
  })

  test('where the driver is closed in between', async () => {
    const server = await httpServer(() => {})
    const { driver, to } = opened()
    const run = failureOf(driver.run(to(server.origin)))
    await expect.poll(() => server.received.length).toBe(1)
    await driver.close()
    expect(await run).toMatchObject({ code: 'cancelled', happened: 'unknown' })
  })
})

describe('the tool answered with an error', () => {
  test.each([400, 401, 403, 404, 405, 409, 422, 429, 500, 501, 503])('%i', async (status) => {
    const server = await httpServer((_, response) =>
      response.writeHead(status).end('x'.repeat(9999)),
    )
    const { driver, to } = opened()
    const failure = await failureOf(driver.run(to(server.origin)))
    expect(failure).toMatchObject({ code: 'http_status', happened: 'yes', message: 'http_status' })
    expect(failure.detail).toEqual({ status, text: 'x'.repeat(512) })
  })

  test('whose words are cut after 512 bytes, within no secret and no character', async () => {
    for (let before = 480; before < 516; before += 3) {
      const server = await httpServer(({ headers }, response) => {
        response.writeHead(500).end(`${'-'.repeat(before)}${String(headers['x-secret'])}éééééééééé`)
      })
      const { driver, to } = opened()
      const headers = { 'X-Secret': '${secret:CANARY}' }
      const failure = await failureOf(driver.run(to(server.origin, { headers })))
      expect(shownBy(failure)).not.toMatch(/canary|secret value/)
      expect(failure.detail['text']).toMatch(/^-+(?:\[?S?E?C?R?E?T?\]?)é*$/)
    }
  })

  test('and its body never ends: the status is reported at the deadline', async () => {
    const server = await httpServer((_, response) => {
      response.writeHead(500)
      response.write('half')
    })
    const { driver, to } = opened()
    const call = to(server.origin, {}, { signal: AbortSignal.timeout(300) })
    const failure = await failureOf(driver.run(call))
    expect(failure).toMatchObject({ code: 'http_status', happened: 'yes' })
    expect(failure.detail).toEqual({ status: 500, text: 'half' })
  })
})

describe('connections', () => {
  test('are shared by requests that may be sent twice, and by no others', async () => {
    const server = await httpServer((_, response) => json(response, 1))
    const { driver, to } = opened()
    for (let count = 0; count < 3; count += 1) await driver.run(to(server.origin))
    expect(server.connections()).toBe(3)
    const execution = { idempotent: true }
    for (let count = 0; count < 3; count += 1) {
      await driver.run(to(server.origin, { method: 'GET' }))
      await driver.run(to(server.origin, {}, { execution }))
    }
    expect(server.connections()).toBe(4)
  })
})
