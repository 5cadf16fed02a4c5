// Lanes of an intake on a real server: what one speaker has waiting stands before others of its
// lane alone. An intake of an earlier version keeps what it took in when it gets them.
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messageOf, operate, streamInfo } from '#log/nats/api'
import {
  intakeName,
  intakeQueue,
  intakeQueueConfig,
  intakesMax,
  intakeSubject,
  publishedSubject,
  shardOf,
} from '#log/nats/intake'
import { admit, makeIntakes } from '#log/nats-admin/intakes'
import { layOut } from '#log/nats-admin/relaying'
import { makeLog, openOperator, sealLog, type Operator } from '#log/nats-admin/operator'
import { intakesIn, intakeStream, logStream, streamNames } from '#log/nats/stream'
import { kindsTakenIn } from '#record/roles'
import { nameOf, type Place } from '#record/names'
import { kinds } from '#schemas/kinds'
import {
  canStartNats,
  startNats,
  until,
  type NatsServer,
} from '../../support/servers/nats-server.ts'

const waitingMany = 500
const [never, always] = ['2100-01-01T00:00:00Z', '2000-01-01T00:00:00Z']
const agents = ['ann', 'ben', 'cem', 'dea', 'eva', 'fin', 'gus', 'hal'] as const

test('every kind that is taken in has a token behind its speaker, or it would get no lane', () => {
  for (const kind of kindsTakenIn) expect(kinds[kind].tokens.length).toBeGreaterThan(1)
})

describe.skipIf(!canStartNats)('the lanes of an intake', () => {
  let server: NatsServer
  let operator: Operator
  let speaker: NatsConnection

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

  const subjectAt = (place: Place, agent: string, id: number | string): string =>
    intakeSubject(nameOf(place, 'vlp', `${agent}.-.${id}`)) ?? ''

  async function said(place: Place, agent: string, id: number | string): Promise<unknown> {
    return (await speaker.request(subjectAt(place, agent, id), agent, { timeout: 5_000 })).json()
  }

  /** Where the log has it; null where it has not. */
  async function positionOf(place: Place, agent: string, id: number | string) {
    const last_by_subj = nameOf(place, 'vlp', `${agent}.-.${id}`)
    const found = await messageOf(operator.atLog, streamNames(place).log, { last_by_subj })
    return found?.position ?? null
  }

  /** Where an intake stores what they say: its lane. */
  async function laneOfAgent({ realm }: Place, agent: string): Promise<number> {
    const next_by_subj = `${realm}.in.*.*.vlp.${agent}.>`
    const found = await messageOf(operator.atLog, intakeName(realm, 0), { seq: 1, next_by_subj })
    expect(publishedSubject(found?.name ?? '').isLaned).toBe(true)
    return Number(found?.name.split('.')[3])
  }

  test('thousands of one speaker that wait stand before those of its lane alone', async () => {
    const place = { realm: 'turns', era: 1 }
    await makeLog(operator.atLog, place, { replicas: 1, intakes: 1, queues: [] })
    for (const agent of agents) await said(place, agent, 'first')
    await until(async () => (await positionOf(place, 'hal', 'first')) !== null)
    const lanes = new Map<string, number>()
    for (const agent of agents) lanes.set(agent, await laneOfAgent(place, agent))
    const [flooding, ...others] = agents
    const polite = others.find((agent) => lanes.get(agent) !== lanes.get(flooding)) ?? ''
    const stream = intakeName(place.realm, 0)
    // However long it takes to come into the log, it stops no other lane.
    const queue = intakeQueue(lanes.get(flooding) ?? null)
    const pause = async (pause_until: string): Promise<void> => {
      await operate(operator.atLog, `CONSUMER.PAUSE.${stream}.${queue}`, { pause_until })
    }
    await pause(never)
    for (let id = 0; id < waitingMany; id += 1) speaker.publish(subjectAt(place, flooding, id))
    await said(place, polite, 'late')
    await until(async () => (await positionOf(place, polite, 'late')) !== null)
    expect(await positionOf(place, flooding, 0)).toBeNull()
    await pause(always)
    await until(async () => (await positionOf(place, flooding, waitingMany - 1)) !== null)
    // And of one speaker all comes in order.
    const first = (await positionOf(place, flooding, 0)) ?? 0
    expect(await positionOf(place, flooding, waitingMany - 1)).toBe(first + waitingMany - 1)
  })

  /** A realm as an earlier version made it: one intake, which has no lanes. */
  async function madeBefore(realm: string): Promise<Place> {
    const place = { realm, era: 1 }
    const intake = intakeStream(realm, 0, { replicas: 1, intakes: 1, isLaned: false })
    const stream = String(intake['name'])
    await operate(operator.atLog, `STREAM.CREATE.${stream}`, intake)
    const body = {
      stream_name: stream,
      config: intakeQueueConfig(realm, 0, null),
      action: 'create',
    }
    await operate(operator.atLog, `CONSUMER.DURABLE.CREATE.${stream}.${intakeQueue(null)}`, body)
    const log = logStream(place, { replicas: 1, intakes: 1, isLaned: false })
    await operate(operator.atLog, `STREAM.CREATE.${streamNames(place).log}`, log)
    return place
  }

  test.each([
    ['at once', async () => undefined],
    [
      'after it was cut off half way',
      async (realm: string) => {
        await layOut(operator.atLog, realm, 1, { replicas: 1, isLaned: true })
        await makeIntakes(operator.atLog, realm, { replicas: 1, intakes: intakesMax })
      },
    ],
  ] as const)('those made before keep what waits when they get them, %s', async (how, cutOff) => {
    const place = await madeBefore(how === 'at once' ? 'before' : 'half')
    const { realm } = place
    const options = { replicas: 1, queues: [] }
    // Another `nats init` leaves them as they are.
    await makeLog(operator.atLog, place, options)
    for (const agent of agents) await said(place, agent, 1)
    await until(async () => (await positionOf(place, 'hal', 1)) !== null)
    await sealLog(operator.atLog, place)
    for (const agent of agents) await said(place, agent, 2)
    const next = { realm, era: 2 }
    await makeLog(operator.atLog, next, { ...options, intakes: 0 })
    await cutOff(realm)
    // What was taken in is bound, wherever it stands by now.
    expect(await admit(operator.atLog, next)).toBe(true)
    for (const agent of agents) {
      expect(await said(next, agent, 2)).toMatchObject({ error: { err_code: 10_077 } })
      await said(next, agent, 3)
    }
    for (const agent of agents) {
      for (const id of [2, 3]) await until(async () => (await positionOf(next, agent, id)) !== null)
      expect(await positionOf(next, agent, 1)).toBeNull()
    }
    const log = await streamInfo(operator.atLog, streamNames(next).log)
    expect(log?.state.messages).toBe(2 * agents.length)
    expect(intakesIn(realm, log?.config ?? {})).toEqual({ count: intakesMax, isLaned: true })
    for (const agent of agents) {
      const name = intakeName(realm, Number.parseInt(shardOf(agent), 16))
      const next_by_subj = `${realm}.in.*.*.vlp.${agent}.-.2`
      expect(await messageOf(operator.atLog, name, { seq: 1, next_by_subj })).not.toBeNull()
    }
    // And it stays so: what makes a realm finds nothing to make.
    const again = await makeLog(operator.atLog, next, options)
    expect(again.filter(({ isNew }) => isNew)).toEqual([])
  })
})
