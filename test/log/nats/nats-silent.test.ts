// A server that takes connections and sends nothing: what was opened to it ends with the link, so
// that a process that has nothing else to do ends too.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { watchDials } from '#log/nats/dials'
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

test('a link that ends leaves what another to the same server is opening', async () => {
  const { url } = await serving(() => undefined)
  const [end, endOther] = [watchDials([url]), watchDials([url])]
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  for (const call of [end, end]) {
    call()
    expect(socket.destroyed).toBe(false)
  }
  endOther()
  expect(socket.destroyed).toBe(true)
})

test('many links have one look at a socket', async () => {
  const { url } = await serving(speak)
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  ends.push(() => process.off('warning', note))
  const links: NatsLink[] = []
  for (let at = 0; at < 12; at += 1) links.push(await NatsLink.open({ servers: url }))
  await Promise.all(links.map((link) => link.close()))
  expect(warnings).toEqual([])
})
