// How the log of the next era takes each intake: nothing that waits is passed over and nothing that
// was taken is taken again, whatever else an intake holds and however the log before took it.
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, headers, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operate, streamInfo } from '#log/nats/api'
import { intakeName, intakesMax, intakeSubject, isInTurn } from '#log/nats/intake'
import { admit } from '#log/nats-admin/intakes'
import { makeLog, openOperator, sealLog, type Operator } from '#log/nats-admin/operator'
import { logStream, streamNames } from '#log/nats/stream'
import { nameOf, type Place } from '#record/names'
import {
  canStartNats,
  startNats,
  until,
  type NatsServer,
} from '../../support/servers/nats-server.ts'

const intakes = 1
/** As on replicas, and as on one server before. */
const arrives = { replicas: 1, inTurns: false }
const windowNs = 60_000_000_000

describe.skipIf(!canStartNats)('the next era', () => {
  let server: NatsServer
  let operator: Operator
  let speaker: NatsConnection
  let made = 0

  beforeAll(async () => {
    server = await startNats()
    operator = await openOperator({ servers: server.url })
    speaker = await connect({ servers: server.url })
  })
  afterAll(async () => {
    await speaker.close()
    await operator.close()
    await server.dispose()
  })

  async function newRealm(): Promise<Place> {
    const place = { realm: `r${(made += 1)}`, era: 1 }
    await makeLog(operator.atLog, place, { replicas: 1, intakes, queues: [] })
    return place
  }

  /** Publishes it where a speaker would; resolves once it is taken in. */
  async function said(place: Place, address: string, id = ''): Promise<void> {
    const header = headers()
    if (id !== '') header.set('Nats-Msg-Id', id)
    const subject = intakeSubject(nameOf(place, 'vlp', address)) ?? ''
    const answer = await speaker.request(subject, 'x', { headers: header, timeout: 5_000 })
    expect(answer.json()).toHaveProperty('seq')
    expect(answer.json()).not.toHaveProperty('duplicate')
  }

  async function countOf(stream: string): Promise<number> {
    return (await streamInfo(operator.atLog, stream))?.state.messages ?? -1
  }

  /** How many all intakes of the realm hold; the next era has as many as are made today. */
  async function kept({ realm }: Place): Promise<number> {
    const counts = Array.from({ length: intakesMax }, (_, index) =>
      countOf(intakeName(realm, index)),
    )
    return (await Promise.all(counts)).reduce((sum, count) => sum + Math.max(count, 0), 0)
  }

  async function holds(place: Place, count: number): Promise<void> {
    await until(async () => (await countOf(streamNames(place).log)) === count)
  }

  /** Seals the era, has that said meanwhile, and opens the next. */
  async function rotated(place: Place, meanwhile: readonly string[]): Promise<Place> {
    await sealLog(operator.atLog, place)
    for (const address of meanwhile) await said(place, address)
    const next = { ...place, era: place.era + 1 }
    await makeLog(operator.atLog, next, { replicas: 1, intakes: 0, queues: [] })
    expect(await admit(operator.atLog, next)).toBe(true)
    return next
  }

  test('takes nothing again where the log left out what came between', async () => {
    const place = await newRealm()
    for (const each of [1, 2, 3]) await said(place, `bot.-.${each}`)
    for (const each of [1, 2, 3, 4, 5]) await said(place, `b${each}.-.>`)
    await said(place, 'bot.-.4')
    await holds(place, 4)
    const next = await rotated(place, [])
    expect(await kept(place)).toBe(0)
    await said(next, 'bot.-.5')
    await holds(next, 1)
  })

  test('takes nothing again where a message id came twice', async () => {
    const place = await newRealm()
    const { log } = streamNames(place)
    const info = await streamInfo(operator.atLog, log)
    const config = { ...info?.config, duplicate_window: windowNs }
    await operate(operator.atLog, `STREAM.UPDATE.${log}`, config)
    await said(place, 'bot.-.1')
    for (const each of [2, 3, 4]) {
      await said(place, `bot.-.${each}`, 'same')
      // The intake forgets it in a tenth of a second, and this log does not.
      await sleep(250)
    }
    await said(place, 'bot.-.5')
    await holds(place, 3)
    const next = await rotated(place, [])
    expect(await kept(place)).toBe(0)
    await said(next, 'bot.-.6')
    await holds(next, 1)
  })

  test('passes over nothing that waits, though a name among it matches what was taken', async () => {
    const place = await newRealm()
    for (const each of [1, 2]) await said(place, `bot.-.${each}`)
    await holds(place, 2)
    const waiting = ['ann.-.1', 'ann.-.2', 'ann.-.3']
    // No lane takes what is no literal subject.
    const between = ['bot.-.*', 'bot.-.>', 'bot.*.1']
    const next = await rotated(place, [...waiting.slice(0, 2), ...between, ...waiting.slice(2)])
    await holds(next, waiting.length)
    expect(await kept(place)).toBe(waiting.length)
  })

  test('takes intakes in turns on one server, also after a log that took what arrived', async () => {
    const place = { realm: `r${(made += 1)}`, era: 1 }
    const { log } = streamNames(place)
    const options = { replicas: 1, intakes, queues: [] }
    await operate(operator.atLog, `STREAM.CREATE.${log}`, logStream(place, { ...arrives, intakes }))
    await makeLog(operator.atLog, place, options)
    expect(await isInTurns(place)).toBe(false)
    for (const each of [1, 2]) await said(place, `bot.-.${each}`)
    await holds(place, 2)
    const next = await rotated(place, ['bot.-.3'])
    expect(await isInTurns(next)).toBe(true)
    await holds(next, 1)
    await makeLog(operator.atLog, next, options)
    await said(next, 'bot.-.4')
    await holds(next, 2)
  })

  async function isInTurns(place: Place): Promise<boolean> {
    const info = await streamInfo(operator.atLog, streamNames(place).log)
    const sources: unknown = info?.config['sources']
    return Array.isArray(sources) && sources.some(isInTurn)
  }

  test('begins where an operator removed what held up the intake', async () => {
    const place = await newRealm()
    for (const each of [1, 2, 3, 4]) await said(place, `bot.-.${each}`)
    await holds(place, 4)
    const stream = intakeName(place.realm, 0)
    for (const seq of [1, 2, 3]) {
      await operate(operator.atLog, `STREAM.MSG.DELETE.${stream}`, { seq })
    }
    const next = await rotated(place, ['bot.-.5'])
    await holds(next, 1)
    expect(await kept(place)).toBe(1)
  })
})
