// A realm of two cells in memory, and what a test projects of it to a real Neo4j.
import { expect } from 'vitest'
import { cellOf } from '#rules/catalog/cells'
import { realmOfCell } from '#record/names'
import type { Marks } from '#neo4j/driver/mark'
import type { ProjectionLink } from '#neo4j/driver/writes'
import type { Log } from '#ports/log'
import { checkProjection } from '#neo4j/check'
import type { Compared } from '#neo4j/report'
import { runProjector, type ProjectorOptions } from '#neo4j/projector'
import { connect } from '#client/connect'
import { memoryCells, type MemoryCells } from '../support/memory-cells.ts'
import { changeGraph, testRuntime, type TestRuntime } from '../support/runtime.ts'
import { add, describeLevel, relate } from '../support/samples/graph-changes.ts'
import { bound, look } from '../support/scene.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import { projectorOptions } from './project-venue.ts'

export const realm = 'main'
const fleets = ['red', 'blue', 'green', 'white', 'black']
const agents = fleets.map((fleet) => ({ id: `agent-${fleet}`, attributes: { fleet } }))
export const known = (name: string) => [add(name), describeLevel(name, 0), describeLevel(name, 1)]
const closed = { requiresConfirmation: false, callback: 'no' }
const setup = {
  module: `export const no = () => ({ passed: false, message: 'the account is closed' })`,
  catalog: {
    cells: 2,
    principals: agents,
    capabilities: [
      { ...look, id: 'pay', concepts: ['payout', 'account'] },
      { ...look, id: 'burn', concepts: ['burn', 'account'] },
      { ...look, id: 'scorch', concepts: ['Burn', 'account'] },
    ],
  },
}
export const same = { standing: 'same', differences: 0, first: [] }

export interface Stand {
  readonly memory: MemoryCells
  readonly control: TestRuntime
  readonly on: readonly TestRuntime[]
}

export async function stand(): Promise<Stand> {
  const memory = memoryCells(realm, 2)
  endWithTest(() => memory.close())
  const control = await testRuntime({ ...setup, log: memory.control, stages: [] })
  endWithTest(() => control.runtime.stop())
  await changeGraph(
    control.runtime,
    ...known('payout'),
    ...known('account'),
    relate('payout', 1, 'APPLIES_TO', 'account', closed),
  )
  const on: TestRuntime[] = []
  for (const [index, log] of memory.logs.entries()) {
    const place = { realm: realmOfCell({ of: realm, index }), era: 1 }
    const { position } = await control.log.head()
    await bound(log, 'main.1.graph.1')
    const began = await testRuntime({ ...setup, log, parts: { place, id: `${place.realm}/test` } })
    await began.runtime.follower.reached(position)
    endWithTest(() => began.runtime.stop())
    on.push(began)
  }
  return { memory, control, on }
}

export function agentOf({ control }: Stand, cell: number): string {
  const { catalog } = control.runtime.follower.state
  return agents.find(({ id }) => cellOf(catalog, id) === cell)?.id ?? expect.fail('there is one')
}

/** Asks in that cell, and gives the outcome. */
export async function asked(at: Stand, cell: number, tool: string): Promise<string> {
  const { runtime } = at.on[cell] ?? at.control
  const client = await connect({ as: agentOf(at, cell), runtime })
  return (await client.ask({ tool })).outcome
}

/** Until each cell has what the control log has. */
export async function shared({ control, on }: Stand): Promise<void> {
  const { graphRevision } = control.runtime.follower.state
  for (const { log, runtime } of on) {
    const { position } = await bound(log, `main.1.graph.${graphRevision}`)
    await runtime.follower.reached(position)
  }
}

const never = new AbortController().signal

/** Another in the place of the log of a cell. */
export type Wrap = (log: Log, cell: number) => Log

type More = Partial<ProjectorOptions> & { readonly wrap?: Wrap }

export function optionsOf(
  { memory }: Stand,
  link: ProjectionLink,
  { wrap, ...more }: More = {},
): ProjectorOptions & Required<Pick<ProjectorOptions, 'cells'>> {
  const cells = memory.logs.map((log, cell) => {
    return { cell, realm: realmOfCell({ of: realm, index: cell }), log: wrap?.(log, cell) ?? log }
  })
  const { onFold: _, ...options } = projectorOptions(memory.control, link, { once: true })
  return { ...options, cells, ...more }
}

export function project(at: Stand, link: ProjectionLink, more: More = {}): Promise<Marks | null> {
  return runProjector(optionsOf(at, link, more), never)
}

export function check(at: Stand, link: ProjectionLink, more: Pick<More, 'wrap'> = {}) {
  const { log, cells } = optionsOf(at, link, more)
  return checkProjection({ log, realm, rootKey: null, link, cells })
}

/** What a check finds where it can compare. */
export async function checked(...of: Parameters<typeof check>): Promise<Compared> {
  const found = await check(...of)
  return 'differences' in found ? found : expect.fail(`nothing was compared: ${found.standing}`)
}
