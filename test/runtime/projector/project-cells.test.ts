// A realm of two cells in one database: the graph from the control log, and the intents of each
// cell from its own, whatever comes first and wherever one stops.
import { afterEach, describe, expect, test } from 'vitest'
import { cellOf } from '#core/catalog/cells'
import { Fault } from '#core/kernel/fault'
import { realmOfCell } from '#core/kernel/names'
import type { Log } from '#ports/log'
import { checkCells } from '#runtime/projector/check-cells'
import {
  runCellsProjector,
  type CellsProjectorOptions,
  type FollowedLog,
} from '#runtime/projector/cells'
import { checkProjection, type Compared } from '#runtime/projector/check'
import { runProjector } from '#runtime/projector/projector'
import { connect } from '#services/client/connect'
import { memoryCells, type MemoryCells } from '../../support/memory-cells.ts'
import { add, describeLevel, relate } from '../../support/samples/graph-changes.ts'
import { bound, look } from '../../support/scene.ts'
import { hasNeo4j, neo4jStartMsMax } from '../../support/servers/neo4j-server.ts'
import { changeGraph, testRuntime, type TestRuntime } from '../../support/runtime.ts'
import { logOf } from '../../support/wrapped-log.ts'
import { codeOf, dying, projectorOptions, testVenue } from './project-venue.ts'

const realm = 'main'
const fleets = ['red', 'blue', 'green', 'white', 'black']
const agents = fleets.map((fleet) => ({ id: `agent-${fleet}`, attributes: { fleet } }))
const known = (name: string) => [add(name), describeLevel(name, 0), describeLevel(name, 1)]
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
const same = { standing: 'same', differences: 0, first: [] }

interface Stand {
  readonly memory: MemoryCells
  readonly control: TestRuntime
  readonly on: readonly TestRuntime[]
}

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function stand(): Promise<Stand> {
  const memory = memoryCells(realm, 2)
  ends.push(() => memory.close())
  const control = await testRuntime({ ...setup, log: memory.control, stages: [] })
  ends.push(() => control.runtime.stop())
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
    ends.push(() => began.runtime.stop())
    on.push(began)
  }
  return { memory, control, on }
}

function agentOf({ control }: Stand, cell: number): string {
  const { catalog } = control.runtime.follower.state
  return agents.find(({ id }) => cellOf(catalog, id) === cell)?.id ?? expect.fail('there is one')
}

/** Asks in that cell, and gives the outcome. */
async function asked(at: Stand, cell: number, tool: string): Promise<string> {
  const { runtime } = at.on[cell] ?? at.control
  const client = await connect({ as: agentOf(at, cell), runtime })
  return (await client.ask({ tool })).outcome
}

/** Until each cell has what the control log has. */
async function shared({ control, on }: Stand): Promise<void> {
  const { graphRevision } = control.runtime.follower.state
  for (const { log, runtime } of on) {
    const { position } = await bound(log, `main.1.graph.${graphRevision}`)
    await runtime.follower.reached(position)
  }
}

/** A log that ends with that before its first fact. */
async function* refusing(failure: Fault): AsyncGenerator<never> {
  yield await Promise.reject(failure)
}

const never = new AbortController().signal

describe.skipIf(!hasNeo4j)('the projection of two cells', { timeout: neo4jStartMsMax }, () => {
  const { link } = testVenue()

  const rows = (cypher: string) => link.read((run) => run(cypher))
  const byHand = (cypher: string) => link.write((run) => run(cypher))

  function optionsOf(
    { memory }: Stand,
    { wrap, ...more }: Partial<CellsProjectorOptions> & { readonly wrap?: Wrap } = {},
    to = link,
  ): CellsProjectorOptions {
    const cells = memory.logs.map((log, cell) => {
      return { cell, realm: realmOfCell({ of: realm, index: cell }), log: wrap?.(log, cell) ?? log }
    })
    const { onFold: _, ...options } = projectorOptions(memory.control, to, { once: true })
    return { ...options, cells, ...more }
  }

  type Wrap = (log: Log, cell: number) => Log

  const project = (at: Stand, more: Parameters<typeof optionsOf>[1] = {}, to = link) =>
    runCellsProjector(optionsOf(at, more, to), never)

  async function checked(at: Stand): Promise<Compared> {
    const { log, cells } = optionsOf(at)
    const found = await checkCells({ log, realm, rootKey: null, link, cells })
    return 'differences' in found ? found : expect.fail(`nothing was compared: ${found.standing}`)
  }

  /** All of it, but for numbers that only order. */
  const everything = () =>
    rows(`MATCH (n) OPTIONAL MATCH (n)-[r]->(to)
      WITH labels(n) AS labels,
        n{.*, place: 0, of: 0, edge: 0, places: 0, orders: 0, from: 0} AS node,
        collect(CASE WHEN r IS NULL THEN null ELSE type(r) + ' ' +
          coalesce(to.key, to.text, to.name, to.of, '') + ' ' + coalesce(r.kind, '') END) AS ties
      WITH labels, node, COLLECT { UNWIND ties AS tie RETURN tie ORDER BY tie } AS ties
      RETURN labels, node, ties
      ORDER BY labels[0], node.cell, node.position, node.key, node.text, node.level, node.nth`)

  test('is the same step by step, all at once, and in whichever order', async () => {
    const at = await stand()
    const { runtime } = at.control
    await project(at, { rebuild: true })
    expect(await asked(at, 0, 'pay')).toBe('deny')
    expect(await asked(at, 1, 'scorch')).toBe('deny')
    await project(at)
    expect(await checked(at)).toMatchObject({ ...same, intents: 2 })
    await changeGraph(runtime, { op: 'rename', name: 'account', to: 'ledger' }, add('account'))
    await shared(at)
    // The other cell names the concept otherwise, and comes later.
    expect(await asked(at, 0, 'burn')).toBe('deny')
    await project(at)
    const many = Array.from({ length: 800 }, (_, index) => `n${index}`)
    for (let turn = 0; turn < 2; turn += 1) {
      await changeGraph(runtime, ...many.map(add))
      await changeGraph(runtime, ...many.map((name) => ({ op: 'remove' as const, name })))
      await shared(at)
      expect(await asked(at, turn, 'burn')).toBe('deny')
    }
    expect(runtime.follower.state.graph.records.length).toBeLessThan(1_500)
    await project(at)
    const stepwise = await everything()
    expect(await checked(at)).toMatchObject({ ...same, intents: 5 })
    await project(at, { rebuild: true })
    expect(await everything()).toEqual(stepwise)
    const { cells, digest } = await checked(at)
    expect(digest.there).toBe(digest.here)
    expect(cells).toMatchObject([
      { cell: 0, from: 0, intents: 3 },
      { cell: 1, from: 0, intents: 2 },
    ])
    const [touched] = await rows(`MATCH (i:Intent {cell: 0})-[:TOUCHED]->(p:Primitive)
      WHERE i.tool = 'pay' WITH p.name AS name ORDER BY name RETURN collect(name) AS names`)
    expect(touched?.['names']).toEqual(['ledger', 'payout'])
    const [concept] = await rows('MATCH (c:Concept) RETURN collect(c.name) AS names')
    expect(concept?.['names']).toEqual(['Burn'])
  })

  test('keeps two intents of one address apart, each with its cell', async () => {
    const at = await stand()
    const agent = agentOf(at, 1)
    const address = `${agent}.-.same`
    for (const [cell, { log }] of at.on.entries()) {
      const message = {
        id: 'MSG-same',
        protocol: 'VLP/1.1',
        type: 'query',
        timestamp: '2026-01-01T00:00:00Z',
        sender: agent,
        content: 'may I',
        confidence: 0.5,
        payload: { intent: { tool: 'pay' } },
      }
      const of = realmOfCell({ of: realm, index: cell })
      const bytes = Buffer.from(JSON.stringify(message))
      await log.append({ name: `${of}.1.vlp.${address}`, bytes })
      await bound(log, `${of}.1.verdict.${address}`)
    }
    await project(at, { rebuild: true })
    const found = await rows(`MATCH (i:Intent {address: '${address}'})
      RETURN i.cell AS cell, i.reasons[0] AS code ORDER BY cell`)
    expect(found).toEqual([
      { cell: 0, code: 'other_cell' },
      { cell: 1, code: 'policy_blocked' },
    ])
    expect(await checked(at)).toMatchObject(same)
  })

  test('what a late cell judged is tied to the graph as it is by then', async () => {
    const at = await stand()
    await project(at, { rebuild: true })
    const open = at.memory.cut(1)
    ends.push(async () => open())
    const { runtime } = at.control
    await changeGraph(runtime, { op: 'rename', name: 'account', to: 'ledger' })
    await changeGraph(runtime, { op: 'remove', name: 'payout' })
    await changeGraph(runtime, ...known('payout'))
    await project(at)
    expect(await asked(at, 1, 'pay')).toBe('deny')
    await project(at)
    const ties = await rows(`MATCH (i:Intent)-[t:TOUCHED|STOPPED_BY]->(to)
      RETURN type(t) AS type, to.name AS name`)
    // What it touched has its name still, and is another primitive.
    expect(ties).toEqual([{ type: 'TOUCHED', name: 'ledger' }])
    expect(await checked(at)).toMatchObject(same)
    open()
    await shared(at)
    await project(at)
    expect(await checked(at)).toMatchObject(same)
  })

  test('killed before any statement each log goes on where it was', async () => {
    const at = await stand()
    await project(at, { rebuild: true })
    await changeGraph(at.control.runtime, ...known('later'))
    await shared(at)
    for (const cell of [0, 1, 0]) await asked(at, cell, 'pay')
    let statements = 0
    for (; statements < 40; statements += 1) {
      const code = await codeOf(project(at, {}, dying(link, statements)))
      if (code === 'none') break
      expect(code).toBe('neo4j_query_refused')
      expect(await checked(at)).toMatchObject({ differences: 0, first: [] })
    }
    expect(statements).toBeGreaterThan(6)
    expect(await checked(at)).toMatchObject({ ...same, intents: 3 })
  })

  test('a rebuild that was killed shows readers nothing, and can be completed', async () => {
    const at = await stand()
    for (const cell of [0, 1]) await asked(at, cell, 'pay')
    const { log, cells } = optionsOf(at)
    for (const statements of [3, 12, 20]) {
      const killed = project(at, { rebuild: true }, dying(link, statements))
      expect(await codeOf(killed)).toBe('neo4j_query_refused')
      const check = checkCells({ log, realm, rootKey: null, link, cells })
      expect(await check).toMatchObject({ standing: 'incomplete' })
    }
    await project(at, { rebuild: true })
    expect(await checked(at)).toMatchObject({ ...same, intents: 2 })
  })

  test('where the log of one cell fails the others go on, and it is reported', async () => {
    const at = await stand()
    await project(at, { rebuild: true })
    const broken = new Fault('log_unavailable', 'the disk is gone')
    const follow = () => refusing(broken)
    const wrap: Wrap = (log, cell) => (cell === 0 ? log : { ...logOf(log), follow })
    const followed: FollowedLog[] = []
    const stopping = new AbortController()
    const onFold = (of: FollowedLog) => void followed.push(of)
    const running = runCellsProjector(optionsOf(at, { once: false, wrap, onFold }), stopping.signal)
    const ended = codeOf(running)
    await changeGraph(at.control.runtime, ...known('later'))
    await shared(at)
    await asked(at, 1, 'pay')
    await asked(at, 0, 'pay')
    const there = async () => (await rows('MATCH (i:Intent) RETURN i.cell AS cell'))[0]?.['cell']
    while ((await there()) !== 0);
    while (followed.length < 3) await new Promise((resolve) => setTimeout(resolve, 1))
    const failures = followed.map((each) => [each.realm, each.failure()])
    expect(Object.fromEntries(failures)).toEqual({
      main: null,
      'main-c0': null,
      'main-c1': 'log_unavailable',
    })
    stopping.abort()
    expect(await ended).toBe('log_unavailable')
    await expect(running).rejects.toThrow('main-c1: ')
    expect(await checked(at)).toMatchObject({ standing: 'behind', differences: 0, intents: 1 })
    await project(at)
    expect(await checked(at)).toMatchObject({ ...same, intents: 2 })
  })

  test('two at once write each intent once, and begin again where one rebuilds', async () => {
    const at = await stand()
    await project(at, { rebuild: true })
    const stopping = new AbortController()
    const running = [1, 2].map(() =>
      runCellsProjector(optionsOf(at, { once: false }), stopping.signal),
    )
    for (let turn = 0; turn < 6; turn += 1) {
      await changeGraph(at.control.runtime, ...known(`n${turn}`))
      await asked(at, turn % 2, 'pay')
      if (turn === 3) await project(at, { rebuild: true })
    }
    await shared(at)
    while ((await checked(at)).standing !== 'same');
    stopping.abort()
    await Promise.all(running)
    expect(await checked(at)).toMatchObject({ ...same, intents: 6 })
  })

  const intent = 'MATCH (i:Intent {cell: 1})'
  const tampered: readonly (readonly [string, string, object])[] = [
    ['an outcome', `${intent} SET i.outcome = 'allow'`, { of: 'intent', cell: 1, what: 'differs' }],
    ['an intent gone', `${intent} DETACH DELETE i`, { of: 'intent', cell: 1, what: 'missing' }],
    [
      'an intent moved',
      `${intent} SET i.cell = 0, i.position = 99`,
      { of: 'intent', cell: 0, what: 'extra' },
    ],
    ['an intent of no cell', `${intent} REMOVE i.cell`, { of: 'intent', what: 'missing' }],
    ['a tie', `${intent}-[t:TOUCHED]->() DELETE t`, { of: 'intent', cell: 1, what: 'differs' }],
    ['an intent more', 'CREATE (:Intent {cell: 7, position: 1})', { of: 'count', name: 'Intent' }],
    ['a cell more', 'CREATE (:Cell {cell: 2, realm: "x", from: 0, reached: 0})', { of: 'count' }],
    [
      'what a cell says',
      'MATCH (c:Cell {cell: 1}) SET c.position = 1',
      { of: 'mark', name: 'Cell 1' },
    ],
    ['a constraint', 'DROP CONSTRAINT cell_number', { of: 'schema', name: 'cell_number' }],
    ['a primitive', 'MATCH (p:Primitive {key: "payout"}) SET p.strict = 4', { of: 'primitive' }],
  ]

  test.each(tampered)('a check finds, and a rebuild undoes: %s', async (_, cypher, reported) => {
    const at = await stand()
    await project(at, { rebuild: true })
    for (const cell of [0, 1]) await asked(at, cell, 'pay')
    await project(at)
    expect(await checked(at)).toMatchObject(same)
    if (cypher.startsWith('DROP')) await link.auto(cypher)
    else await byHand(cypher)
    const { standing, first } = await checked(at)
    expect(standing).toBe('differs')
    expect(first).toContainEqual(expect.objectContaining(reported))
    await project(at, { rebuild: true })
    expect(await checked(at)).toMatchObject(same)
  })

  test('a cell that is not there, or is another, is found and demands a rebuild', async () => {
    const at = await stand()
    await project(at, { rebuild: true })
    const { log, cells } = optionsOf(at)
    const check = () => checkCells({ log, realm, rootKey: null, link, cells })
    await byHand("MATCH (c:Cell {cell: 0}) SET c.realm = 'x-c0'")
    expect(await check()).toMatchObject({ standing: 'broken', cell: 0 })
    expect(await codeOf(project(at))).toBe('projection_broken')
    await byHand('MATCH (c:Cell {cell: 0}) DELETE c')
    expect(await check()).toMatchObject({ standing: 'broken', cell: 0 })
    expect(await codeOf(project(at))).toBe('projection_broken')
    await project(at, { rebuild: true })
    await byHand("MATCH (c:Cell {cell: 1}) SET c.digest = 'sha256:0', c.reached = c.reached - 1")
    expect(await check()).toMatchObject({ standing: 'other_log', cell: 1 })
    expect(await codeOf(project(at))).toBe('projection_strayed')
    await project(at, { rebuild: true })
    expect(await checked(at)).toMatchObject(same)
  })

  test('one cell alone is projected as one log', async () => {
    const at = await stand()
    await asked(at, 1, 'pay')
    const log = at.memory.logs[1] ?? at.memory.control
    const options = projectorOptions(log, link, { realm: 'main-c1', once: true, rebuild: true })
    await runProjector({ ...options, replaces: realm }, never)
    const [found] = await rows('MATCH (i:Intent) RETURN i.cell AS cell, i.outcome AS outcome')
    expect(found).toEqual({ cell: null, outcome: 'deny' })
    const check = await checkProjection({ log, realm: 'main-c1', rootKey: null, link })
    expect(check).toMatchObject({ ...same, intents: 1 })
  })
})
