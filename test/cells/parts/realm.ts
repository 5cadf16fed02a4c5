// A realm of several cells on a real server, with its control log and the stages of each cell.
import { jetStreamLog } from '#adapters/jetstream/log'
import { NatsLink } from '#adapters/nats/link'
import { makeRealm } from '#adapters/nats-admin/cells'
import { openOperator } from '#adapters/nats-admin/operator'
import { cellOf } from '#core/catalog/cells'
import { isShared, realmOfCell, type Place } from '#core/kernel/names'
import type { Log } from '#ports/log'
import { jobsOf } from '#runtime/engine/era-watch'
import { connect } from '#services/client/connect'
import { stages } from '#services/stages'
import { until, type NatsServer } from '../../support/servers/nats-server.ts'
import { testRuntime, type TestRuntime } from '../../support/runtime.ts'
import { look, names } from '../../support/scene.ts'

export const realm = 'main'

const agents = ['red', 'blue', 'green', 'white', 'black', 'grey', 'pink'].map((fleet) => ({
  id: `agent-${fleet}`,
  owner: 'olga',
  attributes: { fleet },
}))

export interface RealmOfCells {
  readonly control: TestRuntime
  readonly on: readonly TestRuntime[]
  /** An agent of that cell. */
  agentOf(cell: number): string
  /** Asks in that cell as an agent of it, or of another: in which it was answered, and how. */
  ask(cell: number, as?: number): Promise<string>
  end(): Promise<void>
}

/** The queues of every stage, as an operator makes them. */
function queuesIn(place: Place) {
  return stages.map((stage) => {
    const { queue, names: covered } = jobsOf(stage, place)
    return { name: queue, names: covered }
  })
}

export async function madeCells(server: NatsServer, cells: number): Promise<void> {
  const operator = await openOperator({ servers: server.url })
  await makeRealm(operator, realm, { cells, replicas: 1, queuesIn })
  await operator.close()
}

export async function openedLog(server: NatsServer, of: string): Promise<Log> {
  return jetStreamLog(await NatsLink.open({ servers: server.url }), { realm: of })
}

/** Makes it, begins its catalog, and runs all stages in every cell. */
export async function begunCells(server: NatsServer, cells: number): Promise<RealmOfCells> {
  await madeCells(server, cells)
  const setup = {
    catalog: { capabilities: [look], cells, principals: agents },
    graph: { primitives: [{ name: 'file', depths: [{ level: 0 }, { level: 1 }] }] },
  }
  const begun = async (of: string): Promise<TestRuntime> => {
    const isControl = of === realm
    const parts = { place: { realm: of, era: 1 }, id: isControl ? 'test' : `${of}/test` }
    const log = await openedLog(server, of)
    return testRuntime({ ...setup, log, parts, ...(isControl && { stages: [] }) })
  }
  const control = await begun(realm)
  const { position } = await control.log.head()
  const on: TestRuntime[] = []
  for (let index = 0; index < cells; index += 1) {
    const cell = realmOfCell({ of: realm, index })
    const log = await openedLog(server, cell)
    // What the control log has is there before a stage begins, or would be begun twice.
    await until(async () => (await log.head()).position >= position)
    await log.close()
    on.push(await begun(cell))
  }
  const agentOf = (cell: number): string => {
    const { catalog } = control.runtime.follower.state
    const found = agents.find(({ id }) => cellOf(catalog, id) === cell)
    if (found === undefined) throw new Error('every cell has an agent')
    return found.id
  }
  return {
    control,
    on,
    agentOf,
    async ask(cell, as = cell) {
      const there = on[cell]
      if (there === undefined) throw new Error('the cell is there')
      const bot = await connect({ as: agentOf(as), runtime: there.runtime })
      const verdict = await bot.ask({ tool: 'look' })
      return `${verdict.name.split('.')[0]} ${verdict.outcome}`
    },
    async end() {
      for (const { runtime } of [...on, control]) await runtime.stop()
    },
  }
}

/** The names of what all cells share, in the order of that log. */
export async function sharedIn(log: Log): Promise<readonly string[]> {
  return (await names(log, '>')).filter((name) =>
    isShared(name, realmOfCell({ of: realm, index: 0 })),
  )
}
