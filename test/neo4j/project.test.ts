// The projector on a real Neo4j: whatever is done to the graph, and whatever happens while it is
// written, Neo4j holds what the log says, once.
import fc from 'fast-check'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#system/clock'
import { Fault } from '#record/fault'
import { graphToFile } from '#knowledge/graph/graph'
import type { Log } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import { runProjector } from '#neo4j/projector'
import { relationTypes, type GraphOperation } from '#schemas/graph'
import { add, describeLevel, relate } from '../support/samples/graph-changes.ts'
import { hasNeo4j } from '../support/servers/neo4j-server.ts'
import { drawnSets, hostile, taken } from './project-changes.ts'
import {
  check,
  codeOf,
  compared,
  dying,
  projectOnce,
  projectorOptions,
  testVenue,
} from './project-venue.ts'
import { changeGraph, testRuntime } from '../support/runtime.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { count } from '../support/vitest/counts.ts'
import { logOf } from '../support/wrapped-log.ts'

const clean = { differences: 0, first: [] }
const runtimes: Runtime[] = []

afterEach(async () => {
  for (const runtime of runtimes.splice(0)) await runtime.stop()
})

async function knowing(...operations: GraphOperation[]) {
  const { runtime, log } = await testRuntime({ stages: [] })
  runtimes.push(runtime)
  if (operations.length > 0) await changeGraph(runtime, ...operations)
  return { runtime, log }
}

describe.skipIf(!hasNeo4j)('the projector', () => {
  const venue = testVenue()
  const { link } = venue

  const rows = (cypher: string) => link.read((run) => run(cypher))
  const checked = async (log: Log) => {
    const { digest, differences, first } = await compared(log, link)
    if (differences === 0) expect(digest.there).toBe(digest.here)
    return { differences, first }
  }

  describe('on an empty database', () => {
    beforeAll(() => venue.clear())

    test('refuses one that others use', async () => {
      await link.write((run) => run('CREATE (:Stray)'))
      const { log } = await knowing(add('alpha'))
      expect(await codeOf(projectOnce(log, link))).toBe('neo4j_not_empty')
      await link.write((run) => run('MATCH (n:Stray) DELETE n'))
    })

    test('makes constraints, writes the graph and records its position', async () => {
      const { log } = await knowing(add('alpha'), describeLevel('alpha', 0))
      const mark = await projectOnce(log, link)
      expect(mark).toMatchObject({ reached: 2, fact: 'main.1.graph.1', places: 1, orders: 0 })
      const [state] = await rows('MATCH (p:Projection) RETURN p {.*} AS p')
      const reported = { realm: 'main', position: 2, graphRevision: 1, catalogRevision: 1 }
      expect(state?.['p']).toMatchObject(reported)
      const constraints = await link.auto('SHOW CONSTRAINTS YIELD name RETURN count(*) AS count')
      expect(Number(constraints[0]?.['count'])).toBeGreaterThan(5)
      expect(await checked(log)).toEqual(clean)
    })

    test('refuses the database of another realm', async () => {
      const { log } = await knowing()
      expect(await codeOf(projectOnce(log, link, { realm: 'other' }))).toBe(
        'projection_of_other_realm',
      )
    })

    test('refuses a log that ends before the projection, and one that is another', async () => {
      const { log, runtime } = await knowing()
      expect(await codeOf(projectOnce(log, link))).toBe('projection_ahead')
      await changeGraph(runtime, add('another'))
      expect(await codeOf(projectOnce(log, link))).toBe('projection_strayed')
      expect(await check(log, link)).toMatchObject({ standing: 'other_log', position: 2 })
      await projectOnce(log, link, { rebuild: true })
      expect(await checked(log)).toEqual(clean)
    })
  })

  test('goes on where another brings it further meanwhile', async () => {
    const { log, runtime } = await knowing()
    await projectOnce(log, link, { rebuild: true })
    let left = 1
    const head = async () => {
      const end = await log.head()
      if (left === 1) await changeGraph(runtime, add('beta'))
      if ((left -= 1) === 0) await projectOnce(log, link)
      return end
    }
    expect(await codeOf(projectOnce({ ...logOf(log), head }, link))).toBe('none')
    expect(await checked(log)).toEqual(clean)
  })

  test('writes all change sets, some at a time', async () => {
    const together = fc.integer({ min: 1, max: 3 })
    await fc.assert(
      fc.asyncProperty(drawnSets, together, async (sets, atOnce) => {
        const { runtime, log } = await knowing()
        await projectOnce(log, link, { rebuild: true })
        for (const [index, set] of sets.entries()) {
          const operations = taken(runtime.follower.state.graph, set)
          if (operations.length > 0) await changeGraph(runtime, ...operations)
          if (index % atOnce === 0) await projectOnce(log, link)
        }
        await projectOnce(log, link)
        expect(await checked(log)).toEqual(clean)
        // Written at once it is the same, but for numbers that only order.
        await projectOnce(log, link, { rebuild: true })
        expect(await checked(log)).toEqual(clean)
        await runtime.stop()
      }),
      { numRuns: count(12, 4), seed: 5 },
    )
  })

  test('keeps place and order through sweeps of ids', async () => {
    const { runtime, log } = await knowing()
    await projectOnce(log, link, { rebuild: true })
    const many = Array.from({ length: 600 }, (_, index) => `n${index}`)
    for (let round = 0; round < 4; round += 1) {
      await changeGraph(runtime, ...many.flatMap((each) => [add(each), describeLevel(each, 0)]))
      await changeGraph(
        runtime,
        relate('n1', 0, 'REQUIRES', 'n0'),
        relate('n1', 0, 'REQUIRES', 'n2'),
      )
      await changeGraph(
        runtime,
        { op: 'unrelate', name: 'n1', level: 0, type: 'REQUIRES', target: 'n0' },
        { op: 'unrelate', name: 'n1', level: 0, type: 'REQUIRES', target: 'n2' },
        { op: 'rename', name: 'n1', to: `kept ${round}` },
        ...many.filter((each) => each !== 'n1').map((name) => ({ op: 'remove' as const, name })),
      )
      if (round % 2 === 0) await projectOnce(log, link)
    }
    expect(runtime.follower.state.graph.records.length).toBeLessThan(1_500)
    await projectOnce(log, link)
    expect(await checked(log)).toEqual(clean)
    const [kept] = await rows(
      'MATCH (p:Primitive) WITH p ORDER BY p.place RETURN collect(p.key) AS k',
    )
    expect(kept?.['k']).toEqual(['kept 0', 'kept 1', 'kept 2', 'kept 3'])
  })

  test('takes names and properties for data, whatever they contain', async () => {
    const operations = hostile.flatMap((each, index) => [
      add(each),
      { op: 'describe' as const, name: each, level: 0, properties: { [each]: each } },
      relate(each, 0, relationTypes[index % 5] ?? 'REQUIRES', hostile[0], {
        requiresConfirmation: true,
        callback: each,
      }),
    ])
    // What pulls in itself is no graph.
    const { log, runtime } = await knowing(...operations.slice(0, 2), ...operations.slice(3))
    await projectOnce(log, link, { rebuild: true })
    expect(await checked(log)).toEqual(clean)
    const [found] = await rows(
      'MATCH (p:Primitive) WITH p ORDER BY p.place RETURN collect(p.name) AS n',
    )
    expect(found?.['n']).toEqual(
      graphToFile(runtime.follower.state.graph).primitives.map((each) => each.name),
    )
  })

  test('killed before any statement it goes on where it was', async () => {
    const { runtime, log } = await knowing(
      ...['a', 'b', 'c'].flatMap((each) => [add(each), describeLevel(each, 0)]),
      relate('a', 0, 'APPLIES_TO', 'b', { requiresConfirmation: true, callback: null }),
    )
    await projectOnce(log, link, { rebuild: true })
    await changeGraph(
      runtime,
      { op: 'unrelate', name: 'a', level: 0, type: 'APPLIES_TO', target: 'b' },
      relate('b', 0, 'REQUIRES', 'a'),
      relate('a', 0, 'APPLIES_TO', 'c', { requiresConfirmation: true, callback: null }),
      { op: 'rename', name: 'c', to: 'sea' },
      add('d'),
      describeLevel('d', 1),
      describeLevel('b', 0),
    )
    let statements = 0
    for (; statements < 50; statements += 1) {
      const code = await codeOf(projectOnce(log, dying(link, statements)))
      if (code === 'none') break
      expect(code).toBe('neo4j_query_refused')
      // Nothing of it is there, and the position shows it.
      expect(await check(log, link)).toMatchObject({ position: 2, ...clean })
    }
    expect(statements).toBeGreaterThan(8)
    expect(await check(log, link)).toMatchObject({ position: 3, ...clean })
  })

  test('goes on from a snapshot of the fold, but from none that is ahead of Neo4j', async () => {
    const folder = await temporaryFolder()
    const { runtime, log } = await testRuntime({ stages: [], parts: { snapshots: { folder } } })
    runtimes.push(runtime)
    const begun: number[] = []
    const read: Log['read'] = (range, names) => {
      // A look at a single fact folds nothing; of what a snapshot holds, only who may do what is
      // folded, and always.
      const { from, to } = range
      const isOne = from === undefined || to === undefined || from === to
      if (names === undefined && !isOne) begun.push(from)
      return log.read(range, names)
    }
    const received = { ...logOf(log), read }
    const snapshots = { folder, clock: systemClock }
    await changeGraph(runtime, add('alpha'), describeLevel('alpha', 0))
    await projectOnce(log, link, { rebuild: true })
    await changeGraph(runtime, relate('alpha', 0, 'INCLUDES', 'alpha'))
    await runtime.snapshots?.write()
    await changeGraph(runtime, { op: 'rename', name: 'alpha', to: 'omega' })
    await projectOnce(received, link, { snapshots })
    expect(begun).toEqual([1])
    await changeGraph(runtime, add('bravo'), relate('omega', 0, 'INCLUDES', 'bravo'))
    await projectOnce(received, link, { snapshots })
    expect(begun).toEqual([1, 4])
    expect(await checked(log)).toEqual(clean)
  })

  test('two at once write each change set once', async () => {
    const { runtime, log } = await knowing()
    await projectOnce(log, link, { rebuild: true })
    const stopping = new AbortController()
    const running = [1, 2].map(() => runProjector(projectorOptions(log, link), stopping.signal))
    await changeGraph(runtime, add('hub'))
    for (let index = 0; index < 40; index += 1) {
      const name = `n${index}`
      await changeGraph(runtime, add(name), describeLevel(name, 0))
      await changeGraph(runtime, relate(name, 0, 'DEPENDS_ON', 'hub'))
    }
    const { position } = await log.head()
    while ((await check(log, link)).position < position);
    stopping.abort()
    await Promise.all(running)
    expect(await checked(log)).toEqual(clean)
    await projectOnce(log, link)
    expect(await check(log, link)).toMatchObject({ position, ...clean })
  })

  test('Neo4j out of reach is waited out, and reported once', async () => {
    const { runtime, log } = await knowing(add('alpha'))
    await projectOnce(log, link, { rebuild: true })
    const said: string[] = []
    const note = (_: unknown, text?: string) => void said.push(text ?? '')
    const logger = { debug: note, info: note, warn: note, error: note }
    let outages = 3
    const away = new Fault('neo4j_unreachable', 'no Neo4j answers')
    const write: typeof link.write = (work) => {
      outages -= 1
      return outages >= 0 ? Promise.reject(away) : link.write(work)
    }
    const broken = { read: link.read.bind(link), auto: link.auto.bind(link), write }
    const timer = { after: (ms: number, run: () => void) => later(ms, run) }
    const stopping = new AbortController()
    const options = projectorOptions(log, broken, { logger, timer })
    const running = runProjector(options, stopping.signal)
    await changeGraph(runtime, add('meanwhile'))
    while ((await check(log, link)).position < 3);
    stopping.abort()
    await running
    expect(said.filter((text) => text === 'neo4j out of reach')).toHaveLength(1)
    expect(said.filter((text) => text === 'neo4j reached again')).toHaveLength(1)
    expect(await codeOf(projectOnce(log, { ...broken, read: () => Promise.reject(away) }))).toBe(
      'neo4j_unreachable',
    )
  })

  test('asked to stop while Neo4j is away, it ends', async () => {
    const { log } = await knowing()
    const stopping = new AbortController()
    const away = new Fault('neo4j_unreachable', 'no Neo4j answers')
    const open = () => {
      stopping.abort()
      return Promise.reject(away)
    }
    const options = { ...projectorOptions(log, link), open }
    expect(await runProjector(options, stopping.signal)).toBe(null)
  })
})

/** A timer that does not wait as long as it is asked to. */
function later(ms: number, run: () => void): () => void {
  const timeout = setTimeout(run, Math.min(ms, 5))
  return () => clearTimeout(timeout)
}
