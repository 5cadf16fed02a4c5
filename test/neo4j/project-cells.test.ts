// A realm of two cells in one database: the graph from the control log, and the intents of each
// cell from its own, whatever comes first and wherever one stops.
import { describe, expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { realmOfCell } from '#record/names'
import { checkProjection } from '#neo4j/check'
import { rotate } from '#replay/eras/rotate'
import { runProjector, type FollowedLog } from '#neo4j/projector'
import { changeGraph } from '../support/runtime.ts'
import { add } from '../support/samples/graph-changes.ts'
import { bound } from '../support/scene.ts'
import { hasNeo4j } from '../support/servers/neo4j-server.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import { logOf } from '../support/wrapped-log.ts'
import { cutAt, root } from '../replay/eras/parts/live.ts'
import {
  agentOf,
  asked,
  check,
  checked,
  known,
  optionsOf,
  project,
  realm,
  same,
  shared,
  stand,
  type Wrap,
} from './project-cells-stand.ts'
import { codeOf, dying, projectorOptions, testVenue } from './project-venue.ts'

/** A log that ends with that before its first fact. */
async function* refusing(failure: Fault): AsyncGenerator<never> {
  yield await Promise.reject(failure)
}

const never = new AbortController().signal

describe.skipIf(!hasNeo4j)('the projection of two cells', () => {
  const { link } = testVenue()

  const rows = (cypher: string) => link.read((run) => run(cypher))

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
    await project(at, link, { rebuild: true })
    expect(await asked(at, 0, 'pay')).toBe('deny')
    expect(await asked(at, 1, 'scorch')).toBe('deny')
    await project(at, link)
    expect(await checked(at, link)).toMatchObject({ ...same, intents: 2 })
    await changeGraph(runtime, { op: 'rename', name: 'account', to: 'ledger' }, add('account'))
    await shared(at)
    // The other cell names the concept otherwise, and comes later.
    expect(await asked(at, 0, 'burn')).toBe('deny')
    await project(at, link)
    const many = Array.from({ length: 800 }, (_, index) => `n${index}`)
    for (let turn = 0; turn < 2; turn += 1) {
      await changeGraph(runtime, ...many.map(add))
      await changeGraph(runtime, ...many.map((name) => ({ op: 'remove' as const, name })))
      await shared(at)
      expect(await asked(at, turn, 'burn')).toBe('deny')
    }
    expect(runtime.follower.state.graph.records.length).toBeLessThan(1_500)
    await project(at, link)
    const stepwise = await everything()
    expect(await checked(at, link)).toMatchObject({ ...same, intents: 5 })
    await project(at, link, { rebuild: true })
    expect(await everything()).toEqual(stepwise)
    const { cells, digest } = await checked(at, link)
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
    await project(at, link, { rebuild: true })
    const found = await rows(`MATCH (i:Intent {address: '${address}'})
      RETURN i.cell AS cell, i.reasons[0] AS code ORDER BY cell`)
    expect(found).toEqual([
      { cell: 0, code: 'other_cell' },
      { cell: 1, code: 'policy_blocked' },
    ])
    expect(await checked(at, link)).toMatchObject(same)
  })

  test('what a late cell judged is tied to the graph as it is by then', async () => {
    const at = await stand()
    await project(at, link, { rebuild: true })
    const open = at.memory.cut(1)
    endWithTest(async () => open())
    const { runtime } = at.control
    await changeGraph(runtime, { op: 'rename', name: 'account', to: 'ledger' })
    await changeGraph(runtime, { op: 'remove', name: 'payout' })
    await changeGraph(runtime, ...known('payout'))
    await project(at, link)
    expect(await asked(at, 1, 'pay')).toBe('deny')
    await project(at, link)
    const ties = await rows(`MATCH (i:Intent)-[t:TOUCHED|STOPPED_BY]->(to)
      RETURN type(t) AS type, to.name AS name`)
    // What it touched has its name still, and is another primitive.
    expect(ties).toEqual([{ type: 'TOUCHED', name: 'ledger' }])
    expect(await checked(at, link)).toMatchObject(same)
    open()
    await shared(at)
    await project(at, link)
    expect(await checked(at, link)).toMatchObject(same)
  })

  test('killed before any statement each log goes on where it was', async () => {
    const at = await stand()
    await project(at, link, { rebuild: true })
    await changeGraph(at.control.runtime, ...known('later'))
    await shared(at)
    for (const cell of [0, 1, 0]) await asked(at, cell, 'pay')
    let statements = 0
    for (; statements < 40; statements += 1) {
      const code = await codeOf(project(at, dying(link, statements)))
      if (code === 'none') break
      expect(code).toBe('neo4j_query_refused')
      expect(await checked(at, link)).toMatchObject({ differences: 0, first: [] })
    }
    expect(statements).toBeGreaterThan(6)
    expect(await checked(at, link)).toMatchObject({ ...same, intents: 3 })
  })

  test('a rebuild that was killed shows readers nothing, and can be completed', async () => {
    const at = await stand()
    for (const cell of [0, 1]) await asked(at, cell, 'pay')
    for (const statements of [3, 12, 20]) {
      const killed = project(at, dying(link, statements), { rebuild: true })
      expect(await codeOf(killed)).toBe('neo4j_query_refused')
      expect(await check(at, link)).toMatchObject({ standing: 'incomplete' })
    }
    await project(at, link, { rebuild: true })
    expect(await checked(at, link)).toMatchObject({ ...same, intents: 2 })
  })

  test('a cell whose first eras are gone begins with their snapshot', async () => {
    const at = await stand()
    await asked(at, 0, 'burn')
    await asked(at, 1, 'pay')
    await project(at, link, { rebuild: true })
    const [first = expect.fail('there are two')] = at.on
    await rotate(first.runtime, root, null)
    await changeGraph(at.control.runtime, { op: 'rename', name: 'account', to: 'ledger' })
    await shared(at)
    await asked(at, 0, 'pay')
    const { position: seal } = await bound(first.log, 'main-c0.2.snapshot.1')
    const wrap: Wrap = (log, cell) => (cell === 0 ? cutAt(log, seal) : log)
    const late = check(at, link, { wrap })
    expect(await late).toMatchObject({ standing: 'cut_off', cell: 0 })
    expect(await codeOf(project(at, link, { wrap }))).toBe('projection_behind')
    await project(at, link)
    expect(await checked(at, link)).toMatchObject({ ...same, intents: 3 })
    // What was there before the log begins is passed over.
    const partial = { cells: [{ intents: 1 }, { from: 0, intents: 1 }] }
    expect(await checked(at, link, { wrap })).toMatchObject({ ...same, ...partial })
    await project(at, link, { rebuild: true, wrap })
    expect(await rows('MATCH (i:Intent) RETURN i.cell AS cell ORDER BY cell')).toHaveLength(2)
    expect(await checked(at, link, { wrap })).toMatchObject({ ...same, ...partial })
    expect(await checked(at, link)).toMatchObject({ ...same, ...partial })
  })

  test('where the log of one cell fails the others go on, and it is reported', async () => {
    const at = await stand()
    await project(at, link, { rebuild: true })
    const broken = new Fault('log_unavailable', 'the disk is gone')
    const follow = () => refusing(broken)
    const wrap: Wrap = (log, cell) => (cell === 0 ? log : { ...logOf(log), follow })
    const followed: FollowedLog[] = []
    const stopping = new AbortController()
    const onFold = (of: FollowedLog) => void followed.push(of)
    const running = runProjector(
      optionsOf(at, link, { once: false, wrap, onFold }),
      stopping.signal,
    )
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
    expect(await checked(at, link)).toMatchObject({
      standing: 'behind',
      differences: 0,
      intents: 1,
    })
    await project(at, link)
    expect(await checked(at, link)).toMatchObject({ ...same, intents: 2 })
  })

  test('goes on, and is checked, where another brings it further meanwhile', async () => {
    const at = await stand()
    await project(at, link, { rebuild: true })
    let left = 2
    const further = async (): Promise<void> => {
      if ((left -= 1) < 0) return
      await asked(at, 0, 'pay')
      await project(at, link)
    }
    // The end of the log is answered, and at once it is behind.
    const wrap: Wrap = (log) => {
      const head = async () => {
        const end = await log.head()
        await further()
        return end
      }
      return { ...logOf(log), head }
    }
    expect(await codeOf(project(at, link, { wrap }))).toBe('none')
    left = 1
    expect(await checked(at, link, { wrap })).toMatchObject({ differences: 0, first: [] })
    expect(await checked(at, link)).toMatchObject({ ...same, intents: 3 })
  })

  test('two at once write each intent once, and begin again where one rebuilds', async () => {
    const at = await stand()
    await project(at, link, { rebuild: true })
    const stopping = new AbortController()
    const running = [1, 2].map(() =>
      runProjector(optionsOf(at, link, { once: false }), stopping.signal),
    )
    for (let turn = 0; turn < 6; turn += 1) {
      await changeGraph(at.control.runtime, ...known(`n${turn}`))
      await asked(at, turn % 2, 'pay')
      if (turn === 3) await project(at, link, { rebuild: true })
    }
    await shared(at)
    while ((await checked(at, link)).standing !== 'same');
    stopping.abort()
    await Promise.all(running)
    expect(await checked(at, link)).toMatchObject({ ...same, intents: 6 })
  })

  test('one cell alone is projected as one log', async () => {
    const at = await stand()
    await asked(at, 1, 'pay')
    const log = at.memory.logs[1] ?? at.memory.control
    const options = projectorOptions(log, link, { realm: 'main-c1', once: true, rebuild: true })
    await runProjector({ ...options, replaces: realm }, never)
    const [held] = await rows('MATCH (i:Intent) RETURN i.cell AS cell, i.outcome AS outcome')
    expect(held).toEqual({ cell: null, outcome: 'deny' })
    const found = await checkProjection({ log, realm: 'main-c1', rootKey: null, link })
    expect(found).toMatchObject({ ...same, intents: 1 })
  })
})
