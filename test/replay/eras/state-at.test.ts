// What was known at a moment of a log's history is what a whole fold up to there knows, however few
// facts are read for it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryLog } from '#log/memory/log'
import { catalogToFile } from '#rules/catalog/catalog-file'
import { Fault } from '#record/fault'
import { graphToFile } from '#knowledge/graph/graph'
import { find } from '#knowledge/graph/revision'
import type { Fact, Log, LogReader, Range } from '#ports/log'
import { stateAt, type KnownAt, type Moment } from '#replay/eras/state-at'
import { factsOf, foldAll } from './parts/fold.ts'
import { cutAt, sealOf, turned } from './parts/live.ts'
import { changeCatalog, changeGraph } from '../../support/runtime.ts'
import { proposed, teach } from '../../support/learning-scene.ts'
import { answer, bound, deletion, erase, judged, look } from '../../support/scene.ts'
import { reviewed, say, scene, type Scene } from '../../support/scene.ts'

const setup = {
  catalog: { capabilities: [look, erase] },
  graph: deletion({ name: 'ask' }),
}
const intent = { tool: 'look' }
const add = (name: string) => ({ op: 'add' as const, name })

type Readable = LogReader

function at(log: Readable, moment: Moment, of?: 'graph' | 'catalog') {
  return stateAt({ log, realm: 'main', rootKey: null }, moment, of ?? 'graph')
}

/** The code of the fault, or a failure where there is none. */
function codeOf(known: Promise<KnownAt>): Promise<string> {
  return known.then(
    () => expect.fail('it was answered'),
    (error: unknown) => (error instanceof Fault ? error.code : expect.fail(String(error))),
  )
}

function plain(known: KnownAt): unknown {
  const { position, appendedAt, catalog, catalogRevision, graph, graphRevision } = known
  const files = { graph: graphToFile(graph), catalog: catalogToFile(catalog) }
  return { position, appendedAt, catalogRevision, graphRevision, ...files }
}

async function expectAsFolded(log: Log): Promise<void> {
  const facts = await factsOf(log)
  for (const { position } of facts) {
    const folded = foldAll(facts.slice(0, position))
    expect(plain(await at(log, { at: 'position', position }))).toEqual(plain(folded))
  }
}

/** The log, and which facts are read of it. */
function counted(log: Log): { readonly log: Readable; readonly read: string[] } {
  const read: string[] = []
  const reading = async function* (range: Range, names?: readonly string[]): AsyncGenerator<Fact> {
    for await (const fact of log.read(range, names)) {
      read.push(fact.name)
      yield fact
    }
  }
  return { log: { get: (name) => log.get(name), head: () => log.head(), read: reading }, read }
}

async function changing(): Promise<Scene> {
  const on = await scene(setup)
  for (const name of ['moon', 'tide']) {
    on.time.pass(1_000)
    await judged(on, { intent })
    await changeGraph(on.runtime, add(name))
  }
  on.time.pass(1_000)
  await changeCatalog(on.runtime, { op: 'suspend', id: 'bot' })
  await judged(on, { intent })
  return on
}

describe('a moment that the log does not have is refused', () => {
  test('beyond its end, and not at its end', async () => {
    const { log } = await changing()
    const { position } = await log.head()
    expect(await codeOf(at(log, { at: 'position', position: position + 1 }))).toBe(
      'position_unknown',
    )
    expect(await at(log, { at: 'position', position })).toMatchObject({ position })
  })

  test('before its first fact, and not at the time of that', async () => {
    const { log } = await changing()
    const [first] = await factsOf(log)
    const time = first?.appendedAt ?? 0
    expect(await codeOf(at(log, { at: 'time', time: time - 1 }))).toBe('time_before_log')
    expect(await at(log, { at: 'time', time })).toMatchObject({ catalogRevision: 1 })
  })

  test('a revision that no one made, one that was void, and not the ones beside it', async () => {
    const on = await changing()
    await on.log.append({ name: 'main.1.graph.4', bytes: Buffer.from('junk') })
    await changeGraph(on.runtime, add('sand'))
    for (const revision of [4, 6, 99]) {
      expect(await codeOf(at(on.log, { at: 'revision', revision }))).toBe('revision_unknown')
    }
    for (const revision of [0, 1, 3, 5]) {
      const then = await at(on.log, { at: 'revision', revision })
      expect(then.graphRevision).toBe(revision)
    }
    expect((await at(on.log, { at: 'revision', revision: 5 })).graph.size).toBe(5)
    const catalog = await at(on.log, { at: 'revision', revision: 2 }, 'catalog')
    expect(catalog.catalog.principals.get('bot')?.suspended).toBe(true)
  })

  test('any time of an empty log', async () => {
    const log = memoryLog()
    expect(await codeOf(at(log, { at: 'time', time: 0 }))).toBe('log_empty')
    expect(await at(log, { at: 'end' })).toMatchObject({ position: 0, graphRevision: 0 })
  })

  test('before the snapshot that a log begins with, and not at it', async () => {
    const on = await changing()
    await turned(on)
    await changeGraph(on.runtime, add('sand'))
    const seal = await sealOf(on, 2)
    const cut = cutAt(on.log, seal)
    const facts = await factsOf(on.log)
    const before = facts.find(({ position }) => position === seal - 1)
    expect(await codeOf(at(cut, { at: 'position', position: seal - 1 }))).toBe('position_gone')
    expect(await codeOf(at(cut, { at: 'revision', revision: 2 }))).toBe('revision_unknown')
    const time = (before?.appendedAt ?? 0) - 1
    expect(await codeOf(at(cut, { at: 'time', time }))).toBe('time_before_log')
    for (const position of [seal, seal + 1, facts.length]) {
      const whole = plain(await at(on.log, { at: 'position', position }))
      expect(plain(await at(cut, { at: 'position', position }))).toEqual(whole)
    }
    expect(await at(cut, { at: 'revision', revision: 3 })).toMatchObject({ graphRevision: 3 })
    expect(await at(cut, { at: 'revision', revision: 4 })).toMatchObject({ graphRevision: 4 })
  })
})

test('at every position it is what the whole fold knows there, its position and time with it', async () => {
  const on = await changing()
  await expectAsFolded(on.log)
})

test('what people added is known as soon as the graph has it, and not before', async () => {
  const on = await scene({ ...setup, catalog: { ...setup.catalog, learning: true } })
  const concepts = ['delete', 'file', 'moon']
  await say(on.log, { intent: { tool: 'look', concepts, onGap: 'learn' } })
  await teach(on, await proposed(on))
  const { position } = await bound(on.log, 'main.1.graph.2')
  const moon = async (there: number) =>
    find((await at(on.log, { at: 'position', position: there })).graph, 'moon')
  expect(await moon(position - 1)).toBeUndefined()
  expect((await moon(position))?.levels[0]?.provenance).toMatchObject({
    by: 'root',
    source: 'conversational',
  })
  await on.watch.settled(on.log)
  await expectAsFolded(on.log)
})

test('across eras it is so too', async () => {
  const on = await scene(setup)
  const address = await reviewed(on, { intent: { tool: 'erase' } })
  await turned(on)
  await changeGraph(on.runtime, add('sand'))
  await answer(on, address)
  await turned(on)
  await changeCatalog(on.runtime, { op: 'suspend', id: 'bot' })
  await expectAsFolded(on.log)
})

test('a time means the last fact that was there by then', async () => {
  const { log } = await changing()
  const facts = await factsOf(log)
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 5_000 }), async (after) => {
      const time = (facts[0]?.appendedAt ?? 0) + after
      const last = facts.findLast(({ appendedAt }) => appendedAt <= time)
      const { position, appendedAt } = await at(log, { at: 'time', time })
      expect({ position, appendedAt }).toEqual({
        position: last?.position,
        appendedAt: last?.appendedAt,
      })
    }),
    { numRuns: 50 },
  )
})

test('in the first era it reads few facts, and junk that looks like a next one costs only time', async () => {
  const on = await changing()
  for (let nth = 0; nth < 40; nth += 1) await judged(on, { as: 'honest', intent })
  const { position } = await on.log.head()
  const few = counted(on.log)
  const known = await at(few.log, { at: 'end' })
  expect(known).toMatchObject({ position, graphRevision: 3, catalogRevision: 2 })
  expect(few.read.filter((name) => name.includes('.verdict.')).length).toBeLessThan(2)
  expect(few.read.length).toBeLessThan(10)
  await on.log.append({ name: 'main.2.snapshot.1', bytes: Buffer.from('junk') })
  const all = counted(on.log)
  expect(plain(await at(all.log, { at: 'position', position }))).toEqual(plain(known))
  expect(all.read.length).toBeLessThan(10)
  expect(plain(await at(all.log, { at: 'end' }))).toMatchObject({ position: position + 1 })
  expect(all.read.length).toBeGreaterThan(position)
})
