// What a check of the projection finds, what a rebuild fixes, and what is there for people to ask.
import { afterEach, describe, expect, test } from 'vitest'
import type { Runtime } from '#runtime/engine/runtime'
import { runProjector } from '#neo4j/projector'
import type { GraphOperation } from '#schemas/graph'
import { add, describeLevel, relate } from '../support/samples/graph-changes.ts'
import { cutAt, sealOf, turned } from '../replay/eras/parts/live.ts'
import { hasNeo4j } from '../support/servers/neo4j-server.ts'
import { check, codeOf, dying, projectOnce, projectorOptions, testVenue } from './project-venue.ts'
import { changeGraph, testRuntime } from '../support/runtime.ts'
import { bind, deletion, scene } from '../support/scene.ts'

const clean = { differences: 0, first: [] }
const runtimes: Runtime[] = []

afterEach(async () => {
  for (const runtime of runtimes.splice(0)) await runtime.stop()
})

const policy = { requiresConfirmation: true, callback: null }
const small: readonly GraphOperation[] = [
  ...['alpha', 'bravo', 'sent emails'].flatMap((each) => [
    add(each),
    describeLevel(each, 0),
    describeLevel(each, 1),
  ]),
  relate('alpha', 0, 'APPLIES_TO', 'bravo', policy),
  relate('alpha', 0, 'APPLIES_TO', 'bravo'),
  relate('alpha', 1, 'REQUIRES', 'sent emails'),
]

describe.skipIf(!hasNeo4j)('the projection', () => {
  const { link } = testVenue()

  const rows = (cypher: string) => link.read((run) => run(cypher))
  const byHand = (cypher: string) => link.write((run) => run(cypher))

  async function projected(...operations: readonly GraphOperation[]) {
    const { runtime, log } = await testRuntime({ stages: [] })
    runtimes.push(runtime)
    if (operations.length > 0) await changeGraph(runtime, ...operations)
    await projectOnce(log, link, { rebuild: true })
    return { runtime, log }
  }

  test('what cannot be written where it belongs is no more guessed', async () => {
    const { runtime, log } = await projected(...small)
    await byHand("MATCH (p:Primitive {key: 'bravo'}) DETACH DELETE p")
    await changeGraph(runtime, describeLevel('bravo', 2))
    expect(await codeOf(projectOnce(log, link))).toBe('projection_broken')
    expect(await check(log, link)).toMatchObject({ position: 2 })
  })

  test('void facts leave nothing, and are passed', async () => {
    const { runtime, log } = await projected(...small)
    await log.append({ name: 'main.1.graph.2', bytes: Buffer.from([0xff]) })
    const content = { revision: 3, by: 'olga', operations: [add('forged')] }
    await bind(log, 'graph', 'main.1.graph.3', content)
    await log.append({ name: 'main.1.verdict.bot.-.x', bytes: Buffer.from('{}') })
    const mark = await projectOnce(log, link)
    expect(mark).toMatchObject({ reached: 5, fact: 'main.1.verdict.bot.-.x' })
    expect(await check(log, link)).toMatchObject({ position: 5, ...clean })
    expect(await rows('MATCH (n) WHERE n:Intent OR n.key = "forged" RETURN n')).toEqual([])
    await changeGraph(runtime, add('after'))
    await projectOnce(log, link)
    expect(await check(log, link)).toMatchObject({ position: 6, ...clean })
  })

  test('what comes twice changes nothing', async () => {
    const { log } = await projected(...small)
    const state = () => rows('MATCH (n) RETURN count(n) AS n, collect(properties(n)) AS all')
    const before = await state()
    await projectOnce(log, link)
    expect(await state()).toEqual(before)
  })

  describe('while it is rebuilt', () => {
    const reported = async () =>
      (await rows('MATCH (p:Projection) RETURN p.position AS position'))[0]

    test('readers see no position, nor after it was killed; others wait', async () => {
      const { log } = await projected(...small)
      for (const statements of [2, 12]) {
        const killed = projectOnce(log, dying(link, statements), { rebuild: true })
        expect(await codeOf(killed)).toBe('neo4j_query_refused')
        expect(await reported()).toEqual({ position: null })
        expect(await codeOf(projectOnce(log, link))).toBe('projection_unfinished')
        expect(await check(log, link)).toMatchObject({ standing: 'incomplete', head: 2 })
      }
      await projectOnce(log, link, { rebuild: true })
      expect(await reported()).toEqual({ position: 2 })
      expect(await check(log, link)).toMatchObject(clean)
    })

    test('of two that rebuild it, the one that began last goes on', async () => {
      const { log } = await projected(...small)
      let writes = 0
      const write: typeof link.write = async (work) => {
        writes += 1
        if (writes === 3) await projectOnce(log, link, { rebuild: true })
        return link.write(work)
      }
      const first = { read: link.read.bind(link), auto: link.auto.bind(link), write }
      expect(await codeOf(projectOnce(log, first, { rebuild: true }))).toBe('projection_moved')
      expect(await reported()).toEqual({ position: 2 })
      expect(await check(log, link)).toMatchObject(clean)
    })

    test('a projector that runs beside it begins again', async () => {
      const { runtime, log } = await projected(...small)
      const stopping = new AbortController()
      const running = runProjector(projectorOptions(log, link), stopping.signal)
      await changeGraph(runtime, add('before'))
      await projectOnce(log, link, { rebuild: true })
      await changeGraph(runtime, add('after'))
      while ((await reported())?.['position'] !== 4);
      stopping.abort()
      expect(await running).toMatchObject({ control: { reached: 4 } })
      expect(await check(log, link)).toMatchObject(clean)
    })
  })

  test('where the first eras are gone it demands a rebuild, and begins with their snapshot', async () => {
    const on = await scene({ graph: deletion({ name: 'ask' }) })
    await projectOnce(on.log, link, { rebuild: true })
    await turned(on)
    await changeGraph(on.runtime, add('after'))
    const cut = cutAt(on.log, await sealOf(on, 2))
    expect(await codeOf(projectOnce(cut, link))).toBe('projection_behind')
    expect(await check(cut, link)).toMatchObject({ standing: 'cut_off' })
    await projectOnce(cut, link, { rebuild: true })
    expect(await check(cut, link)).toMatchObject(clean)
    // No one who has all of it could show the difference.
    await changeGraph(on.runtime, add('later'), relate('delete', 1, 'INCLUDES', 'later'))
    await projectOnce(on.log, link)
    expect(await check(on.log, link)).toMatchObject(clean)
    expect((await rows('MATCH (p:Projection) RETURN p.position AS position'))[0]).toEqual({
      position: (await on.log.head()).position,
    })
  })
})
