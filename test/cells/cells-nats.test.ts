// A realm of several cells on a real server: each cell's log has what all share, in one order, and
// what is about its own agents.
import { afterEach, describe, expect, test } from 'vitest'
import { jetStreamLog } from '#adapters/jetstream/log'
import { NatsLink } from '#adapters/nats/link'
import { cellsOf } from '#adapters/nats/cells'
import { makeRealm } from '#adapters/nats-admin/cells'
import { openOperator, type Operator } from '#adapters/nats-admin/operator'
import { natsRotation } from '#adapters/nats-admin/rotation'
import { cellOf } from '#core/catalog/cells'
import { isShared, realmOfCell, type Place } from '#core/kernel/names'
import type { Log } from '#ports/log'
import { jobsOf } from '#runtime/engine/era-watch'
import { rotate } from '#runtime/eras/rotate'
import { replay } from '#runtime/replay/replay'
import { connect } from '#services/client/connect'
import { stages } from '#services/stages'
import { root } from '../runtime/eras/parts/live.ts'
import { canStartNats, startNats, until, type NatsServer } from '../support/servers/nats-server.ts'
import { changeCatalog, testRuntime, type TestRuntime } from '../support/runtime.ts'
import { look, names } from '../support/scene.ts'

const realm = 'main'
const cells = 2
const agents = ['red', 'blue', 'green', 'white', 'black'].map((fleet) => ({
  id: `agent-${fleet}`,
  owner: 'olga',
  attributes: { fleet },
}))
const setup = {
  catalog: { capabilities: [look], cells, principals: agents },
  graph: { primitives: [{ name: 'file', depths: [{ level: 0 }, { level: 1 }] }] },
}

function queuesIn(place: Place) {
  return stages.map((stage) => {
    const { queue, names: covered } = jobsOf(stage, place)
    return { name: queue, names: covered }
  })
}

describe.skipIf(!canStartNats)('a realm of two cells on a server', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })

  interface Stand {
    readonly server: NatsServer
    readonly operator: Operator
    readonly control: TestRuntime
    readonly on: readonly TestRuntime[]
  }

  async function opened(server: NatsServer, of: string): Promise<Log> {
    return jetStreamLog(await NatsLink.open({ servers: server.url }), { realm: of })
  }

  async function begun(server: NatsServer, of: string): Promise<TestRuntime> {
    const parts = { place: { realm: of, era: 1 }, id: of === realm ? 'test' : `${of}/test` }
    const isControl = of === realm
    const log = await opened(server, of)
    const on = await testRuntime({ ...setup, log, parts, ...(isControl && { stages: [] }) })
    ends.push(() => on.runtime.stop())
    return on
  }

  async function stand(): Promise<Stand> {
    const server = await startNats()
    ends.push(() => server.dispose())
    const operator = await openOperator({ servers: server.url })
    ends.push(() => operator.close())
    await makeRealm(operator, realm, { cells, replicas: 1, queuesIn })
    const control = await begun(server, realm)
    const { position } = await control.log.head()
    const on: TestRuntime[] = []
    for (let index = 0; index < cells; index += 1) {
      const cell = realmOfCell({ of: realm, index })
      const log = await opened(server, cell)
      await until(async () => (await log.head()).position >= position)
      await log.close()
      on.push(await begun(server, cell))
    }
    return { server, operator, control, on }
  }

  async function asked({ on }: Stand, cell: number, as = cell): Promise<string> {
    const there = on[cell]
    const { catalog } = there?.runtime.follower.state ?? {}
    const agent = agents.find(({ id }) => catalog !== undefined && cellOf(catalog, id) === as)
    if (there === undefined || agent === undefined) throw new Error('every cell has an agent')
    const { runtime } = there
    const verdict = await (await connect({ as: agent.id, runtime })).ask({ tool: 'look' })
    return `${verdict.name.split('.')[0]} ${verdict.outcome}`
  }

  async function replayed(log: Log, of: string) {
    const callbacks = { run: () => Promise.reject(new Error('none is asked')) }
    return replay({ log, place: { realm: of, era: 1 }, rootKey: null, stages, callbacks })
  }

  async function expectAllDerived({ server, on }: Stand): Promise<void> {
    for (let index = 0; index < on.length; index += 1) {
      const of = realmOfCell({ of: realm, index })
      const log = await opened(server, of)
      expect(await replayed(log, of)).toMatchObject({ differences: 0, first: null, unchecked: 0 })
      await log.close()
    }
  }

  async function sharedIn(log: Log): Promise<readonly string[]> {
    return (await names(log, '>')).filter((name) => isShared(name, 'main-c0'))
  }

  test('is decided in each, and what is signed once counts in both', async () => {
    const at = await stand()
    expect(await cellsOf(at.operator.atLog, realm)).toBe(2)
    expect(await asked(at, 0)).toBe('main-c0 allow')
    expect(await asked(at, 1)).toBe('main-c1 allow')
    expect(await asked(at, 0, 1)).toBe('main-c0 deny')
    // It is bound through a cell's log as well: there is one control log.
    const [first, second] = at.on
    if (first === undefined || second === undefined) throw new Error('there are two')
    await changeCatalog(first.runtime, { op: 'set', key: 'learning', value: true })
    for (const { runtime } of [at.control, ...at.on]) {
      await until(() => runtime.follower.state.catalogRevision === 2)
    }
    const [control, ...others] = await Promise.all(
      [at.control, first, second].map(({ log }) => sharedIn(log)),
    )
    expect(others).toEqual([control, control])
    await expectAllDerived(at)
  }, 120_000)

  test('goes on with the control log where an era of a cell is rotated', async () => {
    const at = await stand()
    const [first] = at.on
    if (first === undefined) throw new Error('there are two')
    const access = { servers: at.server.url }
    const changing = (async () => {
      for (let turn = 0; turn < 30; turn += 1) {
        await changeCatalog(at.control.runtime, {
          op: 'set',
          key: 'learning',
          value: turn % 2 === 0,
        })
      }
    })()
    await rotate(first.runtime, root, natsRotation(access, access))
    await changing
    const { catalogRevision } = at.control.runtime.follower.state
    expect(catalogRevision).toBe(31)
    for (const { runtime } of at.on) {
      await until(() => runtime.follower.state.catalogRevision === catalogRevision)
    }
    expect(first.runtime.follower.state.place).toEqual({ realm: 'main-c0', era: 2 })
    expect(await asked(at, 0)).toBe('main-c0 allow')
    expect(await sharedIn(first.log)).toEqual(await names(at.control.log, '>'))
    await expectAllDerived(at)
  }, 120_000)

  test('has what all share in one order, also where the server was killed meanwhile', async () => {
    const server = await startNats()
    ends.push(() => server.dispose())
    const operator = await openOperator({ servers: server.url })
    await makeRealm(operator, realm, { cells, replicas: 1, queuesIn })
    await operator.close()
    const log = await opened(server, realm)
    ends.push(() => log.close())
    const acknowledged: string[] = []
    const ending = new AbortController()
    const binding = (async () => {
      for (let number = 1; !ending.signal.aborted; number += 1) {
        const name = `main.1.graph.${number}`
        // Nothing of it is known while the server is gone, and nothing is made of that.
        await log.append({ name, bytes: Buffer.from('{}') }).then(
          () => acknowledged.push(name),
          () => undefined,
        )
      }
    })()
    for (let turn = 0; turn < 3; turn += 1) {
      const before = acknowledged.length
      await until(() => acknowledged.length > before + 50)
      await server.kill()
      await server.start()
    }
    ending.abort()
    await binding
    const wanted = await names(log, '>')
    expect(wanted).toEqual(expect.arrayContaining(acknowledged))
    for (let index = 0; index < cells; index += 1) {
      const cell = await opened(server, realmOfCell({ of: realm, index }))
      await until(async () => (await cell.head()).position >= wanted.length)
      expect(await names(cell, '>')).toEqual(wanted)
      await cell.close()
    }
  }, 120_000)
})
