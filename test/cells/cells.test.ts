// A realm of several cells: each decides about its own agents alone, and what they share comes to
// the same in all of them.
import { afterEach, describe, expect, test } from 'vitest'
import { emptyCatalog, type Catalog } from '#rules/catalog/catalog'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { cellOf } from '#rules/catalog/cells'
import { plainPrimitives } from '#knowledge/graph/copy'
import { canonical, jsonOf } from '#record/canonical'
import { controlPlace, nameOf, partsOf, realmOfCell } from '#record/names'
import { Principal, type CatalogOperation } from '#schemas/catalog'
import { connect } from '#client/connect'
import type { Warrant } from '#client/warrant'
import { filling, learnable } from '../support/learning-scene.ts'
import { changeCatalog, keys, type TestRuntime } from '../support/runtime.ts'
import { agentOfCell, memoryStand, replayed, until, type MemoryStand } from './memory-stand.ts'

const realm = 'main'
const count = 2
const fleets = ['red', 'blue', 'green', 'white', 'black']
const agents = fleets.map((fleet) =>
  Principal.parse({
    id: `agent-${fleet}`,
    roles: ['writer'],
    owner: 'olga',
    attributes: { fleet },
  }),
)
const setup = {
  ...learnable,
  catalog: {
    ...learnable.catalog,
    cells: count,
    principals: [...learnable.catalog.principals, ...agents],
  },
}

const put = { op: 'put', collection: 'principals' } as const
const people = [Principal.parse({ id: 'olga' })]

function agent(id: string, attributes: Readonly<Record<string, string>> = {}): Principal {
  return Principal.parse({ id, owner: 'olga', attributes })
}

function applied(catalog: Catalog, operations: readonly CatalogOperation[]): Catalog {
  const result = applyCatalogChange(catalog, operations)
  if (result.refused !== undefined) throw new Error(result.refused.message)
  return result.catalog
}

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** The cells whose model was asked. */
const thought: string[] = []

async function stand(): Promise<MemoryStand> {
  const at = await memoryStand(setup, thought)
  ends.push(() => at.dispose())
  return at
}

function agentIn(on: TestRuntime, cell: number): string {
  return agentOfCell(on, agents, cell)
}

async function clientIn({ on }: MemoryStand, cell: number): Promise<Warrant> {
  const there = on[cell]
  if (there === undefined) throw new Error('the cell is there')
  return connect({ as: agentIn(there, cell), runtime: there.runtime })
}

/** What all cells share, as the state of that log has it, without where it stands there. */
function sharedIn({ runtime }: TestRuntime): string {
  const { catalogRevision, graphRevision, graph, learning } = runtime.follower.state
  const asked = [...learning.history].map(([key, { id, round, ended, appendedAt, met }]) => ({
    key,
    id,
    round,
    ended,
    appendedAt,
    met: [...met],
  }))
  const known = [...plainPrimitives(graph)].map(({ name, levels }) => [name, levels.length])
  return canonical(jsonOf({ catalogRevision, graphRevision, known, asked }))
}

describe('the names of a realm of cells', () => {
  const place = { realm: 'main-c1', era: 3 }

  test('are those of the cell, and of the control log for what all share', () => {
    expect(nameOf(place, 'vlp', 'bot', '-', 'u1')).toBe('main-c1.3.vlp.bot.-.u1')
    expect(nameOf(place, 'catalog', 2)).toBe('main.1.catalog.2')
    expect(nameOf(controlPlace('main-c1'), 'graph', 7)).toBe('main.1.graph.7')
  })

  test('are taken for nothing where they are of the other log', () => {
    expect(partsOf('main-c1.3.vlp.bot.-.u1', place)?.kind).toBe('vlp')
    expect(partsOf('main.1.catalog.2', place)?.kind).toBe('catalog')
    for (const name of [
      'main-c1.3.catalog.2',
      'main.1.vlp.bot.-.u1',
      'main.2.catalog.2',
      'main-c2.3.vlp.bot.-.u1',
      'other.1.catalog.2',
    ]) {
      expect(partsOf(name, place), name).toBeNull()
    }
  })
})

describe('the catalog of a realm of cells', () => {
  const placed = applied(emptyCatalog, [
    { op: 'set', key: 'cells', value: 4 },
    ...[...people, ...agents].map((entry) => ({ ...put, entry })),
  ])

  test('places the agents of a fleet, and those of an owner, in one cell', () => {
    const one = applied(placed, [{ ...put, entry: agent('late', { fleet: 'red' }) }])
    expect(cellOf(one, 'late')).toBe(cellOf(one, 'agent-red'))
    const two = applied(placed, [
      { ...put, entry: agent('first') },
      { ...put, entry: { ...agent('second'), owner: 'first' } },
    ])
    expect(cellOf(two, 'first')).toBe(cellOf(two, 'olga'))
    expect(cellOf(two, 'second')).toBe(cellOf(two, 'olga'))
    expect(cellOf(emptyCatalog, 'first')).toBeNull()
  })

  test('spreads fleets over all cells, and moves few where there are more', () => {
    const many = Array.from({ length: 400 }, (_, index) =>
      agent(`a${index}`, { fleet: `${index}` }),
    )
    const of = (value: number) =>
      applied(emptyCatalog, [
        { op: 'set', key: 'cells', value },
        ...[...people, ...many].map((entry) => ({ ...put, entry })),
      ])
    const [four, five] = [of(4), of(5)]
    for (const cell of [0, 1, 2, 3]) {
      const there = many.filter(({ id }) => cellOf(four, id) === cell)
      expect(there.length).toBeGreaterThan(60)
    }
    const moved = many.filter(({ id }) => cellOf(four, id) !== cellOf(five, id))
    expect(moved.length).toBeLessThan(130)
    expect(moved.every(({ id }) => cellOf(five, id) === 4)).toBe(true)
  })

  test.each<readonly [string, CatalogOperation]>([
    ['the number of cells', { op: 'set', key: 'cells', value: 5 }],
    ['its fleet', { ...put, entry: agent('agent-red', { fleet: 'x2' }) }],
  ])('is refused where %s would place an agent otherwise', (_, operation) => {
    expect(applyCatalogChange(placed, [operation]).refused).toMatchObject({
      code: 'cells_fixed',
      at: 'principals/agent-red',
    })
  })
})

describe('in a realm of two cells', () => {
  test('each agent gets its verdict in its own cell, and a refusal in any other', async () => {
    const at = await stand()
    for (const cell of [0, 1]) {
      const verdict = await (await clientIn(at, cell)).ask({ tool: 'look' })
      expect(verdict.outcome).toBe('allow')
      expect(verdict.name).toMatch(new RegExp(`^main-c${cell}\\.1\\.verdict\\.`))
    }
    const [first] = at.on
    const stranger = await connect({
      as: agentIn(first ?? at.control, 1),
      ...(first !== undefined && { runtime: first.runtime }),
    })
    const refused = await stranger.ask({ tool: 'look' })
    expect(refused.outcome).toBe('deny')
    expect(refused.reasons).toMatchObject([{ code: 'other_cell', params: { cell: 1 } }])
  })

  test('a suspension that is signed in the control log stops an agent in its cell', async () => {
    const at = await stand()
    const bot = await clientIn(at, 1)
    const there = at.on[1]?.runtime.follower
    await changeCatalog(at.control.runtime, {
      op: 'suspend',
      id: agentIn(at.on[1] ?? at.control, 1),
    })
    await until(() => there?.state.catalogRevision === 2)
    const verdict = await bot.ask({ tool: 'look' })
    expect(verdict.reasons.map(({ code }) => code)).toEqual(['agent_suspended'])
  })

  test('what agents of both lack is asked once, answered once, and known in both', async () => {
    const at = await stand()
    const asked = [0, 1].map(async (cell) => {
      const bot = await clientIn(at, cell)
      return bot.ask({ tool: 'look', concepts: ['moon'], onGap: 'learn' })
    })
    const { follower } = at.control.runtime
    await until(() => [...follower.state.learning.open.values()][0]?.met.length === 2)
    const [open] = [...follower.state.learning.open.values()]
    if (open === undefined) throw new Error('a question is open')
    await at.control.bot.rule({
      proposal: open.id,
      ruling: 'modified',
      candidate: filling(open.data.template),
      confirmer: 'root',
      privateKey: keys.root,
    })
    const verdicts = await Promise.all(asked)
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['allow', 'allow'])
    await until(() => at.control.runtime.follower.state.graphRevision === 2)
    const [control, ...cells] = [at.control, ...at.on].map(sharedIn)
    expect(cells).toEqual([control, control])
    expect(thought).toHaveLength(1)

    const reports = await Promise.all(
      at.cells.logs.map((log, index) => replayed(log, realmOfCell({ of: realm, index }))),
    )
    for (const report of reports) {
      expect(report).toMatchObject({ differences: 0, first: null, unchecked: 0 })
    }
    // The question was bound by one of them, and that the other met it by the other.
    expect(reports.map(({ given }) => given)).toEqual([1, 1])
    expect(await replayed(at.control.log, realm)).toMatchObject({ differences: 0, given: 2 })
  })

  test('who demands a revision that is shared is answered when it has come', async () => {
    const at = await stand()
    const open = at.cells.cut(1)
    await changeCatalog(at.control.runtime, { op: 'unsuspend', id: 'stopped' })
    const late = await clientIn(at, 1)
    const revisions: number[] = []
    const asked = late.ask({ tool: 'look', freshAt: 'c2' }).then(({ outcome }) => {
      revisions.push(at.on[1]?.runtime.follower.state.catalogRevision ?? 0)
      return outcome
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(revisions).toEqual([])
    open()
    expect([await asked, revisions]).toEqual(['allow', [2]])
    const beyond = await late.ask({ tool: 'look', freshAt: 'c3' })
    expect(beyond.reasons.map(({ code }) => code)).toEqual(['malformed_message'])
  })

  test('a cell that what is shared reaches late comes to the same', async () => {
    const at = await stand()
    const open = at.cells.cut(1)
    const operation = { op: 'unsuspend', id: 'stopped' } as const
    await changeCatalog(at.control.runtime, operation)
    const late = await clientIn(at, 1)
    const verdict = await late.ask({ tool: 'look' })
    expect(verdict.outcome).toBe('allow')
    expect(at.on.map(({ runtime }) => runtime.follower.state.catalogRevision)).toEqual([2, 1])
    open()
    await until(() => at.on[1]?.runtime.follower.state.catalogRevision === 2)
    const report = await replayed(at.cells.logs[1] ?? at.control.log, 'main-c1')
    expect(report).toMatchObject({ differences: 0, first: null })
  })
})
