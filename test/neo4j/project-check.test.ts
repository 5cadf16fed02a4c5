// What a check of the projection finds, what a rebuild fixes, and what is there for people to ask.
import { afterEach, describe, expect, test } from 'vitest'
import type { Runtime } from '#runtime/engine/runtime'
import { runProjector } from '#neo4j/projector'
import type { GraphOperation } from '#schemas/graph'
import { add, describeLevel, relate } from '../support/samples/graph-changes.ts'
import { cutAt, sealOf, turned } from '../replay/eras/parts/live.ts'
import { hasNeo4j } from '../support/servers/neo4j-server.ts'
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
import { bind, deletion, erase, judged, look, scene } from '../support/scene.ts'

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

  describe('once a hand has been in it', () => {
    const p = (name: string) => `MATCH (p:Primitive {key: '${name}'})`
    const parallel = `${p('alpha')}-[r:APPLIES_TO]->()`
    const tampered: readonly (readonly [string, string, object])[] = [
      [
        'a property of a level',
        `${p('alpha')}-->(l:Level) SET l.properties = '{}'`,
        differs('alpha'),
      ],
      ['a name', `${p('alpha')} SET p.name = 'Alpha'`, differs('alpha')],
      ['a property more', `${p('bravo')} SET p.levels = 1`, differs('bravo')],
      ['a ladder', `${p('bravo')} SET p.strict = 4`, differs('bravo')],
      ['provenance', `${p('bravo')} SET p.by = 'me'`, differs('bravo')],
      ['an edge that is missing', `${p('alpha')}-[r:REQUIRES]->() DELETE r`, differs('alpha')],
      ['an edge more', `${p('bravo')} CREATE (p)-[:INCLUDES]->(p)`, differs('bravo')],
      [
        'where an edge hangs',
        `${p('alpha')}-[r:REQUIRES]->() SET r.sourceDepth = 0`,
        differs('alpha'),
      ],
      ['a policy', `${parallel} WHERE r.policies <> '[]' SET r.policies = '[]'`, differs('alpha')],
      [
        'a policy as people see it',
        'MATCH (c:Policy) SET c.requiresConfirmation = false',
        differs('alpha'),
      ],
      ['the policy of another edge', 'MATCH (c:Policy) SET c.edge = 99', differs('alpha')],
      [
        'the order of parallel edges',
        `${parallel} WITH collect(r) AS rs, collect(r.order) AS os
         FOREACH (i IN [0, 1] | FOREACH (r IN [rs[i]] | SET r.order = os[1 - i]))`,
        differs('alpha'),
      ],
      [
        'a word',
        `${p('sent emails')}-[r:READS_AS]->(:Word {text: 'send'}) DELETE r`,
        differs('sent emails'),
      ],
      [
        'a primitive that is missing',
        `${p('bravo')} DETACH DELETE p`,
        { name: 'bravo', what: 'missing' },
      ],
      [
        'a primitive more',
        `CREATE (:Primitive {key: 'x', name: 'X', place: 1.5})`,
        { name: 'X', what: 'extra' },
      ],
      [
        'the stored order',
        `MATCH (a:Primitive {key: 'alpha'}), (b:Primitive {key: 'bravo'})
         WITH a, b, a.place AS one, b.place AS other
         REMOVE a.place, b.place WITH a, b, one, other SET a.place = other, b.place = one`,
        { name: 'alpha', what: 'out_of_order' },
      ],
      ['a primitive without a place', "CREATE (:Primitive {key: 'x'})", counted('Primitive', 3, 4)],
      ['a level of no one', 'CREATE (:Level {of: 9, level: 0})', counted('Level', 6, 7)],
      ['a word of no one', "CREATE (:Word {text: 'x'})", counted('Word', 6, 7)],
    ]

    test.each(tampered)('it is reported: %s', async (_, cypher, reported) => {
      const { log } = await projected(...small)
      expect(await check(log, link)).toMatchObject(clean)
      await byHand(cypher)
      const { standing, differences, first, digest } = await compared(log, link)
      expect(standing).toBe('differs')
      expect(first).toContainEqual(expect.objectContaining(reported))
      expect(differences).toBe(first.length)
      const isInDigest = first.some(({ of }) => of === 'primitive')
      expect(digest.here !== digest.there).toBe(isInDigest)
      await projectOnce(log, link, { rebuild: true })
      expect(await check(log, link)).toMatchObject(clean)
    })

    test('what cannot be written where it belongs is no more guessed', async () => {
      const { runtime, log } = await projected(...small)
      await byHand(`${p('bravo')} DETACH DELETE p`)
      await changeGraph(runtime, describeLevel('bravo', 2))
      expect(await codeOf(projectOnce(log, link))).toBe('projection_broken')
      expect(await check(log, link)).toMatchObject({ position: 2 })
    })
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
      expect(await running).toMatchObject({ reached: 4 })
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

  test('keeps which intents touched what with which verdict, and what they lacked', async () => {
    const capabilities = [
      look,
      { ...erase, cardinality: 'single' as const },
      { ...erase, id: 'burn', concepts: ['burn', 'delete', 'file'] },
    ]
    const on = await scene({ catalog: { capabilities }, graph: deletion() })
    await projectOnce(on.log, link, { rebuild: true })
    await judged(on, { intent: { tool: 'erase' }, ulid: 'done' })
    await judged(on, { intent: { tool: 'burn' }, ulid: 'burns' })
    await judged(on, { intent: { tool: 'erase', minDepth: 3 }, session: 'Ann`s', ulid: 'deep' })
    await changeGraph(on.runtime, { op: 'rename', name: 'file', to: 'Document' })
    await projectOnce(on.log, link)
    const touched = await rows(
      `MATCH (i:Intent)-[t:TOUCHED]->(p:Primitive)
       WITH i, p, t ORDER BY i.position, p.place
       RETURN i.address AS address, i.outcome AS outcome, i.reasons AS reasons, i.tool AS tool,
         collect(p.name + ' ' + t.level) AS touched`,
    )
    expect(touched).toHaveLength(3)
    expect(touched[0]).toEqual({
      address: 'bot.-.done',
      outcome: 'allow',
      reasons: [],
      tool: 'erase',
      touched: ['Document 1', 'delete 1'],
    })
    const lacked = await rows(
      `MATCH (i:Intent)-[l:LACKED]->(x)
       RETURN i.agent AS agent, i.reasons AS reasons, labels(x)[0] AS label, x.name AS name,
         l.kind AS kind, l.required AS required, l.current AS current ORDER BY i.position, name`,
    )
    const denied = { agent: 'bot', reasons: ['ungrounded'] }
    const deep = { ...denied, label: 'Primitive', kind: 'DEPTH', required: 3, current: 1 }
    expect(lacked).toEqual([
      {
        ...denied,
        label: 'Concept',
        name: 'burn',
        kind: 'EXISTENCE',
        required: null,
        current: null,
      },
      { ...deep, name: 'Document' },
      { ...deep, name: 'delete' },
    ])
    // Whole from the log it is the same.
    await projectOnce(on.log, link, { rebuild: true })
    expect(await rows('MATCH (:Intent)-[t:TOUCHED]->() RETURN count(t) AS n')).toEqual([{ n: 6 }])
    expect(await check(on.log, link)).toMatchObject(clean)
  })
})

function differs(name: string) {
  const texts = { here: expect.any(String), there: expect.any(String) }
  return { of: 'primitive', name, what: 'differs', ...texts }
}

function counted(name: string, here: number, there: number) {
  return { of: 'count', name, what: 'differs', here: String(here), there: String(there) }
}
