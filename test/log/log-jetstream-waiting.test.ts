// Many who wait until the log has taken in what they published: they ask its leader little, so that
// they are not what it is busy with.
import { connect } from '@nats-io/transport-node'
import { afterEach, expect, test } from 'vitest'
import { jetStreamLog } from '#log/jetstream/log'
import { operate } from '#log/nats/api'
import { intakeName, intakeQueue, lanesOf } from '#log/nats/intake'
import { NatsLink } from '#log/nats/link'
import { makeLog, openOperator } from '#log/nats-admin/operator'
import { streamNames } from '#log/nats/stream'
import { nameOf, type Place } from '#record/names'
import { natsBinary, startNats, until } from '../support/servers/nats-server.ts'

const place: Place = { realm: 'main', era: 1 }
const waitingCount = 40
const asksEach = 5

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

test.skipIf(natsBinary === null)('all who wait have the log looked at once', async () => {
  const server = await startNats()
  ends.push(() => server.dispose())
  const operator = await openOperator({ servers: server.url })
  ends.push(() => operator.close())
  await makeLog(operator.atLog, place, { replicas: 1, intakes: 1, queues: [] })
  const log = await jetStreamLog(await NatsLink.open({ servers: server.url }), place)
  ends.push(() => log.close())
  const abort = new AbortController()
  const followed = (async () => {
    let count = 0
    for await (const { position } of log.follow(1, abort.signal)) count = position
    return count
  })()

  const pauseUntil = async (until?: string): Promise<void> => {
    for (const lane of lanesOf(true)) {
      const subject = `CONSUMER.PAUSE.${intakeName(place.realm, 0)}.${intakeQueue(lane)}`
      await operate(operator.atLog, subject, { pause_until: until })
    }
  }
  await log.append({ name: nameOf(place, 'vlp', 'ann.-.first'), bytes: Buffer.from('{}') })
  await pauseUntil(new Date(Date.now() + 3_600_000).toISOString())

  const connection = await connect({ servers: server.url })
  ends.push(() => connection.close())
  const asked = { 'STREAM.INFO': 0, 'STREAM.MSG.GET': 0 }
  for (const what of ['STREAM.INFO', 'STREAM.MSG.GET'] as const) {
    const callback = (): void => void (asked[what] += 1)
    connection.subscribe(`$JS.API.${what}.${streamNames(place).log}`, { callback })
  }
  await connection.flush()
  const appends = Array.from({ length: waitingCount }, (_, n) =>
    log.append({ name: nameOf(place, 'vlp', `ann.-.m${n}`), bytes: Buffer.from('{}') }),
  )
  await until(() => asked['STREAM.MSG.GET'] >= waitingCount * asksEach)
  const looked = asked['STREAM.INFO']
  await pauseUntil()
  const appended = await Promise.all(appends)
  expect(appended.every(({ appended: isNew }) => isNew)).toBe(true)
  expect(looked).toBeLessThan(waitingCount)
  abort.abort()
  expect(await followed).toBe(waitingCount + 1)
})
