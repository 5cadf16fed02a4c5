// A server that takes connections and sends nothing: what was opened to it ends with the link, so
// that a process that has nothing else to do ends too.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { NatsLink } from '#log/nats/link'
import { assert } from '#record/fault'
import { until } from '../../support/servers/nats-server.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function serving(take: (socket: Socket, nth: number) => void) {
  const taken: Promise<unknown>[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    taken.push(once(socket, 'close'))
    take(socket, taken.length)
    socket.resume()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => server.close())
  const address = server.address()
  assert(address !== null && typeof address === 'object', 'it listens')
  return { url: `nats://127.0.0.1:${address.port}`, taken }
}

const info = `INFO ${JSON.stringify({ server_id: 'x', version: '2.15.2', max_payload: 1_000 })}\r\n`

function speak(socket: Socket): void {
  socket.write(info)
  socket.on('data', (chunk) => {
    if (chunk.toString().includes('PING')) socket.write('PONG\r\n')
  })
}

test('one that never greets is named, and nothing to it stays open', async () => {
  const { url, taken } = await serving(() => undefined)
  await expect(NatsLink.open({ servers: url })).rejects.toMatchObject({
    code: 'log_unreachable',
    message: expect.stringContaining(`\`${url}\` takes connections and does not answer`),
  })
  expect(taken.length).toBeGreaterThan(1)
  await Promise.all(taken)
})

test('one that hangs after a connection was lost is let alone once the link is closed', async () => {
  const sockets: Socket[] = []
  const { url, taken } = await serving((socket) => {
    if (sockets.push(socket) === 1) speak(socket)
  })
  const link = await NatsLink.open({ servers: url })
  sockets[0]?.destroy()
  await until(async () => sockets.length > 1)
  await link.close()
  await Promise.all(taken)
})
