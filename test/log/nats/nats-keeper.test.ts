// Era keepers on a real server, where the stream of an era is sealed for ever: whatever one of them
// left half done another ends, and however many there are, an era is rotated once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jetStreamLog } from '#log/jetstream/log'
import { NatsLink } from '#log/nats/link'
import { makeLog, openOperator, type Operator } from '#log/nats-admin/operator'
import { natsRotation } from '#log/nats-admin/rotation'
import { patternOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import type { Fact, Log } from '#ports/log'
import type { Rotation } from '#ports/rotation'
import { keepEras, type EraKeeper } from '#replay/eras/era-keeper'
import { eraNow } from '#replay/eras/rotate'
import { replay } from '#replay/replay'
import { stages } from '#workers/stages'
import {
  canStartNats,
  startNats,
  until,
  type NatsServer,
} from '../../support/servers/nats-server.ts'
import { newKey, testRuntime, type TestRuntime } from '../../support/runtime.ts'
import { look, names } from '../../support/scene.ts'
import { logOf } from '../../support/wrapped-log.ts'

const hourMs = 3_600_000
const privateKey = newKey()
const keeper = { id: 'keeper', privateKey }
const setup = {
  catalog: {
    capabilities: [look],
    principals: [{ id: 'keeper', roles: ['era-keeper'], keys: [publicKeyOf(privateKey)] }],
    rotation: { ageMs: hourMs, leastMs: hourMs },
  },
}
const intent = { tool: 'look' }
const place = { realm: 'main', era: 1 }

/** Where the servers' clocks were put an hour ahead. */
const jumps: number[] = []
const ahead = (position: number): number =>
  hourMs * jumps.filter((after) => position > after).length

/** The same log, by those clocks. */
function jumping(log: Log): Log {
  const at = (fact: Fact): Fact => {
    return { ...fact, appendedAt: fact.appendedAt + ahead(fact.position) }
  }
  return {
    ...logOf(log),
    async append(entry, options) {
      const { appended, fact } = await log.append(entry, options)
      return { appended, fact: at(fact) }
    },
    async get(name) {
      const fact = await log.get(name)
      return fact === undefined ? undefined : at(fact)
    },
    async *read(range, patterns) {
      for await (const fact of log.read(range, patterns)) yield at(fact)
    },
    async *follow(from, signal) {
      for await (const fact of log.follow(from, signal)) yield at(fact)
    },
    async head() {
      const { position, appendedAt, now = appendedAt } = await log.head()
      const shown = { position, appendedAt: appendedAt + ahead(position) }
      return { ...shown, now: now + hourMs * jumps.length }
    },
  }
}

describe.skipIf(!canStartNats)('keepers on a server', () => {
  let server: NatsServer
  let operator: Operator
  let on: TestRuntime
  let other: TestRuntime
  const open = async (): Promise<Log> =>
    jumping(await jetStreamLog(await NatsLink.open({ servers: server.url }), { realm: 'main' }))
  const rotation = (): Rotation => natsRotation({ servers: server.url }, { servers: server.url })

  beforeAll(async () => {
    server = await startNats()
    operator = await openOperator({ servers: server.url })
    const queues = stages.map(({ name, kinds }) => ({
      name,
      names: kinds.map((kind) => patternOf(place, kind, '>')),
    }))
    await makeLog(operator.atLog, place, { replicas: 1, queues })
    on = await testRuntime({ ...setup, log: await open() })
    other = await testRuntime({ ...setup, log: await open(), stages: [] })
  })
  afterAll(async () => {
    await other.runtime.stop()
    await on.runtime.stop()
    await operator.close()
    await server.dispose()
  })

  function kept({ runtime }: TestRuntime, through: Rotation): EraKeeper {
    const keeping = {
      author: () => Promise.resolve(keeper),
      rotation: () => Promise.resolve(through),
      archive: () => Promise.resolve(null),
    }
    return keepEras(runtime, () => Promise.resolve(keeping))
  }

  const eraOf = ({ runtime }: TestRuntime): number => runtime.follower.state.place.era

  /** Something is asked in the era, and it grows old. */
  async function due(): Promise<void> {
    expect((await on.bot.ask(intent)).outcome).toBe('allow')
    const { position } = await on.log.head()
    await other.runtime.follower.reached(position)
    jumps.push(position)
    expect((await eraNow(other.runtime))?.dueBy).toBe('age')
  }

  test('two of them rotate an era once, and it is answered in the next', async () => {
    await due()
    const keepers = [kept(on, rotation()), kept(other, rotation())]
    await until(() => Promise.resolve(eraOf(on) === 2 && eraOf(other) === 2))
    await Promise.all(keepers.map((one) => one.stop()))
    expect((await on.bot.ask(intent)).name).toMatch(/^main\.2\.verdict\./)
    expect(await names(other.log, 'main.3.>')).toEqual([])
  })

  test.each(['seal', 'open', 'admit'] as const)(
    'what one that is killed after `%s` left is ended by the next',
    async (step) => {
      await due()
      const era = eraOf(on)
      const whole = rotation()
      const died = new Error('the process died')
      const killed: Rotation = {
        seal: async (at) => {
          const sealed = await whole.seal(at)
          if (step === 'seal') throw died
          return sealed
        },
        isSealed: (at) => whole.isSealed(at),
        open: async (at, first) => {
          await whole.open(at, first)
          if (step === 'open') throw died
        },
        admit: (at) => (at.era > era ? Promise.reject(died) : whole.admit(at)),
        release: (at) => whole.release(at),
      }
      const first = kept(on, killed)
      await first.stop()
      const next = kept(other, rotation())
      await until(() => Promise.resolve(eraOf(on) === era + 1))
      await next.stop()
      expect((await on.bot.ask(intent)).name).toMatch(new RegExp(`^main\\.${era + 1}\\.verdict\\.`))
      expect(await names(other.log, `main.${era + 2}.>`)).toEqual([])
    },
  )

  test('one that comes before it is due seals nothing, also no stream', async () => {
    const era = eraOf(on)
    const calls: string[] = []
    const whole = rotation()
    const watched: Rotation = {
      ...whole,
      seal: (at) => {
        calls.push('seal')
        return whole.seal(at)
      },
    }
    await kept(on, watched).stop()
    expect([eraOf(on), calls]).toEqual([era, []])
  })

  test('all of it derives again', async () => {
    const { callbacks } = on.runtime
    const report = await replay({ log: other.log, place, rootKey: null, callbacks, stages })
    expect(report).toMatchObject({ differences: 0, eras: 5 })
  })
})
