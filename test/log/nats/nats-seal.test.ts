// A sealed era ends where its sealing says, whatever was on the way; and an era that begins before
// the one before it ends is refused by all, since nothing in it would ever be followed.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JetStreamAppends } from '#log/jetstream/appends'
import { jetStreamLog } from '#log/jetstream/log'
import { streamInfo } from '#log/nats/api'
import { NatsLink } from '#log/nats/link'
import { Requests } from '#log/nats/requests'
import { streamNames } from '#log/nats/stream'
import { makeLog } from '#log/nats-admin/operator'
import { natsRotation } from '#log/nats-admin/rotation'
import type { Place } from '#record/names'
import type { Rotation } from '#ports/rotation'
import { canStartNats, startNats, type NatsServer } from '../../support/servers/nats-server.ts'

/** In one of thirty a batch was stored after the stream had said that it was sealed. */
const seals = process.env['WARRANT_TEST_ALL'] === '1' ? 100 : 10
const writers = { links: 3, each: 200 }

describe.skipIf(!canStartNats)('an era on a server', () => {
  let server: NatsServer
  let requests: Requests
  let rotation: Rotation

  beforeAll(async () => {
    server = await startNats({ syncAlways: true })
    const access = { servers: server.url }
    requests = new Requests(await NatsLink.open(access))
    rotation = natsRotation(access, access)
  })
  afterAll(async () => {
    requests.close()
    await requests.link.close()
    await server.dispose()
  })

  async function made(place: Place, first?: number): Promise<void> {
    const begins = first === undefined ? {} : { first }
    await makeLog(requests, place, { replicas: 1, queues: [], intakes: 0, ...begins })
  }

  async function lastOf(place: Place): Promise<number | undefined> {
    return (await streamInfo(requests, streamNames(place).log))?.state.last_seq
  }

  /** Appends as fast as it goes until the era takes no more; how many were acknowledged. */
  async function filling(link: NatsLink, { realm, era }: Place, writer: number): Promise<number> {
    const appends = new JetStreamAppends(new Requests(link))
    let taken = 0
    const lane = async (which: number): Promise<void> => {
      for (let number = 1; ; number += 1) {
        const name = `${realm}.${era}.graph.${writer * 100_000_000 + which * 100_000 + number}`
        const position = await appends.push({ name, bytes: Buffer.from('{}') }).catch(() => null)
        if (position === null) return
        taken += 1
      }
    }
    await Promise.all(Array.from({ length: writers.each }, (_, which) => lane(which)))
    return taken
  }

  test(
    'ends where its sealing says, and has all that was acknowledged',
    async () => {
      for (let round = 1; round <= seals; round += 1) {
        const place = { realm: `r${round}`, era: 1 }
        await made(place)
        const numbers = Array.from({ length: writers.links }, (_, number) => number)
        const links = await Promise.all(numbers.map(() => NatsLink.open({ servers: server.url })))
        const filled = links.map((link, number) => filling(link, place, number))
        await sleep(100 + 10 * (round % 10))
        const { position } = await rotation.seal(place)
        const taken = (await Promise.all(filled)).reduce((sum, count) => sum + count, 0)
        expect([await lastOf(place), taken]).toEqual([position, position])
        for (const link of links) await link.close()
      }
    },
    10_000 + seals * 2_000,
  )

  test('is refused where it begins before the one before it ends', async () => {
    const place = { realm: 'short', era: 1 }
    await made(place)
    const appends = new JetStreamAppends(requests)
    for (const number of [1, 2, 3]) {
      await appends.push({ name: `short.1.graph.${number}`, bytes: Buffer.from('{}') })
    }
    const { position } = await rotation.seal(place)
    expect(position).toBe(3)
    const next = { ...place, era: 2 }
    await made(next, 2)
    const overlap = { code: 'era_overlaps', retry: 'never' }
    await expect(rotation.open(next, position + 1)).rejects.toMatchObject(overlap)
    const link = await NatsLink.open({ servers: server.url })
    await expect(jetStreamLog(link, { realm: 'short' })).rejects.toMatchObject(overlap)
  })
})
