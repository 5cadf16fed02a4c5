// Questions to a server that has no leader for a while: they are asked again before they fail.
import { connect, type Msg } from '@nats-io/transport-node'
import { expect, test, vi } from 'vitest'
import { streamInfo } from '#log/nats/api'
import { NatsLink } from '#log/nats/link'
import { Requests } from '#log/nats/requests'
import { hasNats, shareNats } from '../../support/servers/nats-server.ts'

test.skipIf(!hasNats)('a question that no one answered is asked again', async () => {
  const server = await shareNats()
  const api = `${server.realm}.API`
  const stand = await connect({ servers: server.url })
  let asked = 0
  stand.subscribe(`${api}.STREAM.INFO.LOG`, {
    callback: (_error, message) => {
      asked += 1
      const missing = { code: 404, err_code: 10_059, description: 'stream not found' }
      if (asked === 2) message.respond(JSON.stringify({ error: missing }))
    },
  })
  await stand.flush()
  const requests = new Requests(await NatsLink.open({ servers: server.url, api }))
  expect(await streamInfo(requests, 'LOG')).toBeNull()
  expect(asked).toBe(2)
  await requests.link.close()
  await stand.close()
  await server.dispose()
})

test.skipIf(!hasNats)('a slow server is not asked the more often the slower it is', async () => {
  const server = await shareNats()
  const stand = await connect({ servers: server.url })
  const asked: Msg[] = []
  const subject = `${server.realm}.slow`
  stand.subscribe(subject, { callback: (_error, message) => void asked.push(message) })
  await stand.flush()
  const requests = new Requests(await NatsLink.open({ servers: server.url }))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const answers = Array.from({ length: 10 }, () => requests.ask(subject, ''))
  // Each is asked, and again after one second and after three: not with every second.
  await vi.advanceTimersByTimeAsync(4_500)
  vi.useRealTimers()
  await requests.link.flush()
  await stand.flush()
  expect(asked).toHaveLength(30)
  for (const message of asked) message.respond('here')
  for (const answer of await Promise.all(answers)) {
    expect(Buffer.from(answer.bytes).toString()).toBe('here')
  }
  await requests.link.close()
  await stand.close()
  await server.dispose()
})

test.skipIf(!hasNats)('an answer that came while this process did not run is read', async () => {
  const server = await shareNats()
  const stand = await connect({ servers: server.url })
  const asked: Msg[] = []
  const subject = `${server.realm}.later`
  stand.subscribe(subject, { callback: (_error, message) => void asked.push(message) })
  await stand.flush()
  const requests = new Requests(await NatsLink.open({ servers: server.url }))
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  try {
    const answer = requests.send(subject, '')
    await expect.poll(() => asked.length).toBe(1)
    // As it looks to a process that was not given a core for a minute.
    vi.setSystemTime(Date.now() + 60_000)
    vi.advanceTimersByTime(500)
    asked[0]?.respond('here')
    expect(Buffer.from((await answer).bytes).toString()).toBe('here')
    const silence = requests.send(subject, '')
    vi.advanceTimersByTime(6_000)
    await expect(silence).rejects.toMatchObject({ code: 'log_unreachable' })
  } finally {
    vi.useRealTimers()
  }
  await requests.link.close()
  await stand.close()
  await server.dispose()
})
