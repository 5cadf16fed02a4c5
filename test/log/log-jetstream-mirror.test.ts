// The copy of a log that has lost its facts and gets none, as after the death of all servers: who
// begins to read the log meanwhile gets them from the log itself.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jetStreamLog } from '#log/jetstream/log'
import { operate } from '#log/nats/api'
import { NatsLink } from '#log/nats/link'
import { makeLog } from '#log/nats-admin/operator'
import { Requests } from '#log/nats/requests'
import { mirrorStream, streamNames } from '#log/nats/stream'
import { hasNats, shareNats, type SharedNats } from '../support/servers/nats-server.ts'

const factsMax = 250

describe.skipIf(!hasNats)('a mirror that is silent', () => {
  let server: SharedNats
  let operator: Requests
  beforeAll(async () => {
    server = await shareNats()
    operator = new Requests(await NatsLink.open({ servers: server.url }))
  })
  afterAll(async () => {
    await operator.link.close()
    await server.dispose()
  })

  test('holds up neither who reads nor who follows', async () => {
    const place = { realm: server.realm, era: 1 }
    const options = { replicas: 1, subjects: [`${server.realm}.>`] }
    await makeLog(operator, place, { ...options, queues: [] })
    const link = await NatsLink.open({ servers: server.url })
    const log = await jetStreamLog(link, { realm: server.realm, subjects: options.subjects })
    const bytes = Buffer.from('{}')
    for (let fact = 1; fact <= factsMax; fact += 1) {
      await log.append({ name: `${server.realm}.1.a.${fact}`, bytes })
    }
    const { log: stream, mirror } = streamNames(place)
    await operate(operator, `STREAM.DELETE.${mirror}`, {})
    const late = { name: stream, opt_start_seq: 1_000_000 }
    const silent = { ...mirrorStream(place, options), mirror: late }
    await operate(operator, `STREAM.CREATE.${mirror}`, silent)

    const read: number[] = []
    for await (const { position } of log.read({})) read.push(position)
    expect(read).toEqual(Array.from({ length: factsMax }, (_, index) => index + 1))

    let followed = 0
    for await (const { position } of log.follow(1, new AbortController().signal)) {
      followed = position
      if (position === factsMax) break
    }
    expect(followed).toBe(factsMax)
    await log.close()
  })
})
