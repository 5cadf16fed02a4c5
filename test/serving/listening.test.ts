// The socket of every server: what takes too long to arrive is given up with an answer.
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { listening, type ListeningLimits } from '#serving/listening'
import { endWithTest } from '../support/vitest/endings.ts'

async function served(limits: Partial<ListeningLimits>): Promise<URL> {
  const fetch = async (request: Request) => new Response(await request.text())
  const listen = { host: '127.0.0.1', port: 0 }
  const server = await listening({ listen, tls: null, fetch, limits })
  endWithTest(async () => {
    const drained = server.drained()
    server.cut()
    await drained
  })
  return new URL(server.url)
}

test('a body that arrives too slowly is answered 408, and its connection ended', async () => {
  const { hostname, port, host } = await served({ requestMsMax: 50 })
  const socket = connect(Number(port), hostname)
  let got = ''
  socket.on('data', (chunk: Buffer) => (got += chunk.toString()))
  socket.write(`POST / HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 9\r\n\r\nslow`)
  await once(socket, 'close')
  expect(got).toMatch(/^HTTP\/1\.1 408 .*problem\+json.*"code":"request_invalid"/s)
})

test('more connections than it takes are closed as they come', async () => {
  const { hostname, port } = await served({ connectionsMax: 1 })
  const first = connect(Number(port), hostname)
  await once(first, 'connect')
  const second = connect(Number(port), hostname)
  second.on('error', () => undefined)
  await once(second, 'close')
  expect(first.closed).toBe(false)
  first.destroy()
})
