// On one server the log takes intakes in turns, each by its queue: a server that is killed while
// agents publish loses nothing that it acknowledged, doubles nothing, and holds no one up.
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterEach, describe, expect, test } from 'vitest'
import { queueInfo, streamInfo } from '#log/nats/api'
import { intakeName, intakeQueue, intakeSubject, lanesOf } from '#log/nats/intake'
import { admit } from '#log/nats-admin/intakes'
import { makeLog, openOperator, sealLog, type Operator } from '#log/nats-admin/operator'
import { streamNames } from '#log/nats/stream'
import { nameOf, type Place } from '#record/names'
import { canStartNats, startNats, until } from '../../support/servers/nats-server.ts'

const place: Place = { realm: 'main', era: 1 }
const next: Place = { ...place, era: 2 }
const intakes = 16
/** So many publish at once that the log has yet to take some of it when the server is killed. */
const agents = Array.from({ length: 32 }, (_, index) => `agent${index}`)
const kills = 3
const betweenMs = 1_500

describe.skipIf(!canStartNats)('on one server that is killed', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })

  async function operatorOf(url: string): Promise<Operator> {
    const operator = await openOperator({ servers: url })
    ends.push(() => operator.close())
    return operator
  }

  /**
   * Publishes one after the other until it is ended, or its connection is closed since the test
   * failed; the addresses that were acknowledged.
   */
  function publishing(connection: NatsConnection, agent: string, signal: AbortSignal) {
    return (async () => {
      const addresses: string[] = []
      for (let count = 0; !signal.aborted; count += 1) {
        const address = `${agent}.-.${count}`
        const subject = intakeSubject(nameOf(place, 'vlp', address)) ?? ''
        // Until it has an answer, the same again: then it was taken in by a try before, or now.
        for (;;) {
          const answer = await acknowledged(connection, subject, address)
          if (answer.includes('"seq":') || answer.includes('per subject')) break
          if (connection.isClosed()) return addresses
          await sleep(20)
        }
        addresses.push(address)
      }
      return addresses
    })()
  }

  async function acknowledged(connection: NatsConnection, subject: string, body: string) {
    try {
      return (await connection.request(subject, body, { timeout: 500 })).string()
    } catch {
      return ''
    }
  }

  /** How many messages the intakes hold that the log has yet to take. */
  async function waitingAt({ atLog }: Operator): Promise<number> {
    let waiting = -((await streamInfo(atLog, streamNames(place).log))?.state.messages ?? 0)
    for (let index = 0; index < intakes; index += 1) {
      const info = await streamInfo(atLog, intakeName(place.realm, index))
      waiting += info?.state.messages ?? 0
    }
    return waiting
  }

  async function expectAll(
    { atLog }: Operator,
    at: readonly Place[],
    addresses: readonly string[],
  ) {
    const infos = async () =>
      Promise.all(at.map((each) => streamInfo(atLog, streamNames(each).log)))
    const countOf = async () => {
      const counts = (await infos()).map((info) => info?.state.messages ?? 0)
      return counts.reduce((sum, count) => sum + count, 0)
    }
    // A busy machine takes its time: what counts is that more come.
    for (let seen = await countOf(); seen < addresses.length; seen = await countOf()) {
      const before = seen
      await until(async () => (await countOf()) > before)
    }
    for (const info of await infos()) {
      expect(info?.state.num_subjects).toBe(info?.state.messages)
    }
    expect(await countOf()).toBe(addresses.length)
  }

  test('nothing that was acknowledged is lost or doubled, and the next era goes on', async () => {
    const server = await startNats({ syncAlways: true })
    ends.push(() => server.dispose())
    const made = await operatorOf(server.url)
    const options = { replicas: 1, intakes, queues: [] }
    await makeLog(made.atLog, place, options)
    await makeLog(made.atLog, place, options)
    const connection = await connect({
      servers: server.url,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 50,
    })
    ends.push(() => connection.close())
    const ending = new AbortController()
    const running = agents.map((agent) => publishing(connection, agent, ending.signal))
    let waited = 0
    for (let count = 0; count < kills; count += 1) {
      await sleep(betweenMs)
      waited += await waitingAt(made)
      await server.kill()
      await server.start()
    }
    await sleep(betweenMs)
    expect(waited).toBeGreaterThan(0)
    const operator = await operatorOf(server.url)
    // What waits while there is no log is taken by the next, once.
    await sealLog(operator.atLog, place)
    await sleep(betweenMs)
    await makeLog(operator.atLog, next, { ...options, intakes: 0 })
    expect(await admit(operator.atLog, next)).toBe(true)
    await sleep(betweenMs)
    ending.abort()
    const addresses = (await Promise.all(running)).flat()
    await expectAll(operator, [place, next], addresses)
    for (let index = 0; index < intakes; index += 1) {
      for (const lane of lanesOf(true)) {
        const name = intakeName(place.realm, index)
        const queue = await queueInfo(operator.atLog, name, intakeQueue(lane))
        expect(queue?.config['max_ack_pending']).toBe(256)
      }
    }
  })
})
