// A realm of two cells on a server, with a runtime on its control log and one in each cell.
import { jetStreamLog } from '#log/jetstream/log'
import { NatsLink } from '#log/nats/link'
import { makeRealm } from '#log/nats-admin/cells'
import { openOperator, type Operator } from '#log/nats-admin/operator'
import { cellOf } from '#rules/catalog/cells'
import { isShared, realmOfCell, type Place } from '#record/names'
import type { Stage } from '#stages/stage'
import type { Log } from '#ports/log'
import { jobsOf } from '#runtime/engine/era-watch'
import { connect } from '#client/connect'
import { allStages } from '#workers/all-stages'
import { startNats, until, type NatsServer } from '../support/servers/nats-server.ts'
import { testRuntime, type TestRuntime, type TestSetup } from '../support/runtime.ts'
import { look, names } from '../support/scene.ts'

export const realm = 'main'
export const cells = 2

/** Enough of them, in fleets of their own, for each cell to have some. */
export const agents = ['red', 'blue', 'green', 'white', 'black'].map((fleet) => ({
  id: `agent-${fleet}`,
  owner: 'olga',
  attributes: { fleet },
}))

export interface Stand {
  readonly server: NatsServer
  readonly operator: Operator
  readonly control: TestRuntime
  readonly on: readonly TestRuntime[]
  /** Stops all of it. */
  dispose(): Promise<void>
}

export interface StandOptions {
  readonly setup: TestSetup
  /** What runs in that cell; every stage if not given. */
  readonly stagesIn?: (cell: number) => readonly Stage[]
}

export function queuesIn(place: Place) {
  return allStages.map((stage) => {
    const { queue, names: covered } = jobsOf(stage, place)
    return { name: queue, names: covered }
  })
}

/** What is asked where the test asks for nothing of its own. */
export const plain: TestSetup = {
  catalog: { capabilities: [look], cells, principals: agents },
  graph: { primitives: [{ name: 'file', depths: [{ level: 0 }, { level: 1 }] }] },
}

/** Makes the streams, mirrors and queues of all. */
export async function madeCells({ url }: NatsServer): Promise<void> {
  const operator = await openOperator({ servers: url })
  await makeRealm(operator, realm, { cells, replicas: 1, queuesIn })
  await operator.close()
}

/** Asks in that cell as an agent of it, or of another: where it was answered, and how. */
export async function asked(at: Stand, cell: number, as = cell): Promise<string> {
  const there = at.on[cell]
  if (there === undefined) throw new Error('the cell is there')
  const client = await connect({ as: agentOf(at, as), runtime: there.runtime })
  const verdict = await client.ask({ tool: 'look' })
  return `${verdict.name.split('.')[0]} ${verdict.outcome}`
}

/** The names of what all cells share, in the order of that log. */
export async function sharedIn(log: Log): Promise<readonly string[]> {
  return (await names(log, '>')).filter((name) =>
    isShared(name, realmOfCell({ of: realm, index: 0 })),
  )
}

/** Binds what all cells share until it is ended; what was acknowledged, as it comes. */
export function bindingIn(log: Log): {
  readonly acknowledged: readonly string[]
  readonly end: () => Promise<void>
} {
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
  const end = (): Promise<void> => {
    ending.abort()
    return binding
  }
  return { acknowledged, end }
}

export async function opened(server: NatsServer, of: string): Promise<Log> {
  return jetStreamLog(await NatsLink.open({ servers: server.url }), { realm: of })
}

/** The first of the agents that the catalog places in that cell. */
export function agentOf({ control }: Pick<Stand, 'control'>, cell: number): string {
  const { catalog } = control.runtime.follower.state
  const agent = agents.find(({ id }) => cellOf(catalog, id) === cell)
  if (agent === undefined) throw new Error('every cell has an agent')
  return agent.id
}

export async function standing({ setup, stagesIn }: StandOptions): Promise<Stand> {
  const ends: (() => Promise<unknown>)[] = []
  const dispose = async (): Promise<void> => {
    for (const end of ends.splice(0).toReversed()) await end()
  }
  const begun = async (server: NatsServer, of: string, some?: readonly Stage[]) => {
    const parts = { place: { realm: of, era: 1 }, id: of === realm ? 'test' : `${of}/test` }
    const log = await opened(server, of)
    const running = some === undefined ? {} : { stages: some }
    const on = await testRuntime({ ...setup, log, parts, ...running })
    ends.push(() => on.runtime.stop())
    return on
  }
  try {
    const server = await startNats()
    ends.push(() => server.dispose())
    const operator = await openOperator({ servers: server.url })
    ends.push(() => operator.close())
    await makeRealm(operator, realm, { cells, replicas: 1, queuesIn })
    const control = await begun(server, realm, [])
    const { position } = await control.log.head()
    const on: TestRuntime[] = []
    for (let index = 0; index < cells; index += 1) {
      const cell = realmOfCell({ of: realm, index })
      const log = await opened(server, cell)
      await until(async () => (await log.head()).position >= position)
      await log.close()
      on.push(await begun(server, cell, stagesIn?.(index)))
    }
    return { server, operator, control, on, dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}
