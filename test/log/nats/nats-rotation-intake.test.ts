// What speakers publish while an era is rotated on a real server: it is taken in at any time, comes
// into the log once, and gets its verdict; also where the rotation stopped half way.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { jetStreamLog } from '#log/jetstream/log'
import { OwnLog } from '#log/jetstream/own-log'
import { operate, streamInfo } from '#log/nats/api'
import { intakeName, intakesMax } from '#log/nats/intake'
import { NatsLink } from '#log/nats/link'
import { makeLog, openOperator, type Operator, type Queue } from '#log/nats-admin/operator'
import { natsRotation } from '#log/nats-admin/rotation'
import { logStream, streamNames } from '#log/nats/stream'
import { nameOf, patternOf, shapesOf } from '#record/names'
import { entryBytesMax, type Log } from '#ports/log'
import type { Rotation } from '#ports/rotation'
import { replay } from '#replay/replay'
import { rotate } from '#replay/eras/rotate'
import { stages } from '#workers/stages'
import { root } from '../../replay/eras/parts/live.ts'
import {
  canStartNats,
  startNats,
  until,
  type NatsServer,
} from '../../support/servers/nats-server.ts'
import { testRuntime, type TestRuntime } from '../../support/runtime.ts'
import { look, names } from '../../support/scene.ts'

const setup = {
  catalog: { capabilities: [look] },
  graph: { primitives: [{ name: 'file', depths: [{ level: 0 }, { level: 1 }] }] },
}
const place = { realm: 'main', era: 1 }
/** So many more take ten times as long. */
const slowdown = 230
const pauseMs = (published: number): number => 10 * 10 ** (published / slowdown)

describe.skipIf(!canStartNats)('while an era is rotated', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })

  interface Stand {
    readonly server: NatsServer
    readonly operator: Operator
    readonly on: TestRuntime
    readonly rotation: Rotation
  }

  async function stand(make: (operator: Operator) => Promise<unknown>): Promise<Stand> {
    const server = await startNats()
    ends.push(() => server.dispose())
    const operator = await openOperator({ servers: server.url })
    ends.push(() => operator.close())
    await make(operator)
    const log = await jetStreamLog(await NatsLink.open({ servers: server.url }), place)
    const on = await testRuntime({ ...setup, log })
    ends.push(() => on.runtime.stop())
    const access = { servers: server.url }
    return { server, operator, on, rotation: natsRotation(access, access) }
  }

  const queues: readonly Queue[] = stages.map(({ name, kinds }) => ({
    name,
    names: kinds.map((kind) => patternOf(place, kind, '>')),
  }))
  const asNow = ({ atLog }: Operator) => makeLog(atLog, place, { replicas: 1, queues })

  /** Publishes one intent after the other until it is ended, and gives their addresses. */
  async function publishing(server: NatsServer) {
    const own = new OwnLog(await NatsLink.open({ servers: server.url }), place.realm)
    ends.push(() => own.close())
    const addresses: string[] = []
    const ending = new AbortController()
    const one = async (): Promise<void> => {
      const address = `bot.-.${addresses.length}-${crypto.randomUUID()}`
      addresses.push(address)
      const message = {
        protocol: 'VLP/1.1',
        id: 'MSG-1',
        type: 'query',
        sender: 'bot',
        timestamp: new Date().toISOString(),
        content: 'look',
        confidence: 0.9,
        payload: { intent: { tool: 'look' } },
      }
      // The era in this name is where it would be bound if none were rotated.
      const name = nameOf(place, 'vlp', address)
      await own.publish({ name, bytes: Buffer.from(JSON.stringify(message)) })
    }
    const running = (async () => {
      // One agent may not have a thousand open, however long it takes to rotate.
      while (!ending.signal.aborted) await Promise.all([one(), sleep(pauseMs(addresses.length))])
    })()
    return async () => {
      ending.abort()
      await running
      return addresses
    }
  }

  async function expectAnswered(log: Log, addresses: readonly string[]): Promise<void> {
    const about = async (kind: string) =>
      (await names(log, `main.*.${kind}.>`)).map((name) => name.split('.').slice(3, 6).join('.'))
    // People are asked about some of them, and no one answers here.
    const answers = async () => [...(await about('verdict')), ...(await about('review'))]
    // A busy machine takes its time: what counts is that more come.
    let seen = 0
    while (seen < addresses.length) {
      const before = seen
      await until(async () => (seen = (await answers()).length) > before)
      await sleep(200)
    }
    for (const found of [await about('vlp'), await answers()]) {
      expect(found.toSorted()).toEqual(addresses.toSorted())
    }
  }

  test('nothing that is taken in is lost, doubled or left without a verdict', async () => {
    const { server, on, rotation, operator } = await stand(asNow)
    const end = await publishing(server)
    for (let turn = 0; turn < 3; turn += 1) await rotate(on.runtime, root, rotation)
    const addresses = await end()
    expect(addresses.length).toBeGreaterThan(20)
    await expectAnswered(on.runtime.log, addresses)
    const { callbacks } = on.runtime
    const report = await replay({
      log: on.runtime.log,
      place,
      rootKey: null,
      callbacks,
      stages,
    })
    expect(report).toMatchObject({ differences: 0, eras: 4 })
    // What the sealed eras had taken is removed from the intakes.
    let kept = 0
    for (let index = 0; index < intakesMax; index += 1) {
      const info = await streamInfo(operator.atLog, intakeName('main', index))
      kept += info?.state.messages ?? 0
    }
    expect(kept).toBe((await names(on.runtime.log, 'main.4.vlp.>')).length)
  })

  test('one that stopped before the last step is completed by the next command', async () => {
    const { server, on, rotation } = await stand(asNow)
    const end = await publishing(server)
    const broken: Rotation = {
      ...rotation,
      admit: (at) => (at.era === 2 ? Promise.reject(new Error('cut off')) : rotation.admit(at)),
    }
    await expect(rotate(on.runtime, root, broken)).rejects.toThrow('cut off')
    expect(on.runtime.follower.state.place.era).toBe(2)
    const rotated = await rotate(on.runtime, root, rotation)
    expect(rotated.sealed).toMatchObject({ era: 1 })
    expect(on.runtime.follower.state.place.era).toBe(2)
    await expectAnswered(on.runtime.log, await end())
  })

  test('a log that was made before there were intakes gets them', async () => {
    const { server, on, rotation } = await stand(async (operator) => {
      const { atLog } = operator
      const { log } = streamNames(place)
      const before = logStream(place, { replicas: 1, subjects: shapesOf(place) })
      await operate(atLog, `STREAM.CREATE.${log}`, { ...before, max_msg_size: entryBytesMax })
      await makeLog(atLog, place, { replicas: 1, queues, intakes: 0 })
    })
    const first = await on.bot.ask({ tool: 'look' })
    expect(first.name).toContain('main.1.')
    await rotate(on.runtime, root, rotation)
    const end = await publishing(server)
    const second = await on.bot.ask({ tool: 'look' })
    expect(second.name).toContain('main.2.')
    const addresses = await end()
    await expectAnswered(on.runtime.log, [first.intent, second.intent, ...addresses])
  })
})
