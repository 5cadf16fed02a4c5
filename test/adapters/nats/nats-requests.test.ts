// Questions to a server that has no leader for a while: they are asked again before they fail.
import { connect } from '@nats-io/transport-node'
import { expect, test } from 'vitest'
import { streamInfo } from '#adapters/nats/api'
import { NatsLink } from '#adapters/nats/link'
import { Requests } from '#adapters/nats/requests'
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
