// Seeds with callbacks, and seeds that are larger than a fact: what is refused, and how they are
// parted.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, beforeEach } from 'vitest'
import { graphToFile, graphFromFile, primitiveToFile } from '#knowledge/graph/graph'
import { applyChange } from '#knowledge/graph/graph-change'
import { emptyGraph, find, primitivesOf, recordAt, type Graph } from '#knowledge/graph/revision'
import { bytesOf, inSets } from '#record/change-sets'
import { graphDifference } from '#authoring/changes/seed-operations'
import { ground } from '#knowledge/grounding/ground'
import { entryBytesMax } from '#ports/log'
import { GraphFile, type GraphOperation, type Relatum } from '#schemas/graph'
import { emptyRuntime, erase, file, graph, seedOf, seedFolder } from './seed-folder.ts'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { graphOfLines, graphToLines, type ReadGraph } from '#authoring/changes/ndjson-file'
import { authored, withProvenance } from '#authoring/changes/provenance'
import { isPulling, type PrimitiveRecord } from '#knowledge/graph/record'
import { seedSteps } from '#knowledge/graph/seed-steps'
import { plannedImport } from '#authoring/graph-import'
import { graphPlan } from '#authoring/graph-plan'
import { importPieces } from '#authoring/changes/import-pieces'
import { beginKnowing } from '../support/samples/known-tool.ts'
import { run } from '../support/cli-runner.ts'
import { graphFile } from '../support/samples/graph-arbitraries.ts'
import { testRuntime } from '../support/runtime.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { count } from '../support/vitest/counts.ts'

describe('callbacks', () => {
  const checked = erase([{ name: 'p', requiresConfirmation: false, callback: 'allowed' }])

  test('that a policy names and no module exports are refused', async () => {
    const runtime = await emptyRuntime()
    const alone = await seedOf({ 'graph.json': graph(file, checked) })
    await expect(seedFolder(runtime, alone)).rejects.toThrow('there is no `callbacks.ts`')
    const module = 'export const other = () => ({ passed: true })'
    const folder = await seedOf({ 'graph.json': graph(file, checked), 'callbacks.ts': module })
    await expect(seedFolder(runtime, folder)).rejects.toThrow(
      'policy `p` on `erase` → `file` calls `allowed`, which `callbacks.ts` does not export',
    )
    expect(runtime.follower.state.position).toBe(0)
  })

  test('are kept beside the log and pinned by their digest', async () => {
    const runtime = await emptyRuntime()
    const module = 'export const allowed = (): { passed: boolean } => ({ passed: true })'
    const folder = await seedOf({ 'graph.json': graph(file, checked), 'callbacks.ts': module })
    const report = await seedFolder(runtime, folder)
    expect(report.catalog).toEqual({ principals: 1, callbacks: 1, rules: 1 })
    const { callbacks } = runtime.follower.state.catalog
    const kept = await readdir(join(runtime.folder, 'callbacks'))
    expect(kept).toEqual([`${callbacks?.replace('sha256:', '')}.ts`])
    const later = await seedOf({ 'graph.json': graph(file, checked) })
    expect((await seedFolder(runtime, later)).changes).toEqual([])
  })

  test('a new module must still have what the log’s other policies call', async () => {
    const runtime = await emptyRuntime()
    const module = 'export const allowed = () => ({ passed: true })'
    await seedFolder(
      runtime,
      await seedOf({ 'graph.json': graph(file, checked), 'callbacks.ts': module }),
    )
    const folder = await seedOf({ 'graph.json': graph(file), 'callbacks.ts': 'export const a = 1' })
    await expect(seedFolder(runtime, folder)).rejects.toMatchObject({ code: 'unknown_callback' })
  })
})

describe('a graph that is larger than a fact', () => {
  const text = 'x'.repeat(2_000)
  const chain = (length: number) =>
    GraphFile.parse({
      primitives: Array.from({ length }, (_, index) => ({
        name: `p${index}`,
        depths: [
          { level: 0 },
          {
            level: 1,
            properties: { text },
            relata: [
              { type: 'APPLIES_TO', target: 'p0', targetDepth: 1, policies: [{ name: 'ask' }] },
              ...(index + 1 < length
                ? [{ type: 'REQUIRES', target: `p${index + 1}`, targetDepth: 1 }]
                : []),
            ],
          },
        ],
      })),
    })

  // Parted sets come in the order of need, and edges with the later of their ends.
  const unordered = ({ primitives }: GraphFile) =>
    new Map(
      primitives.map(({ name, depths }) => [
        name,
        depths.map((depth) => ({ ...depth, relata: new Set(depth.relata) })),
      ]),
    )

  test('comes in several change sets, each of which fits and holds by itself', async () => {
    const runtime = await emptyRuntime()
    const file = chain(300)
    const folder = await seedOf({ 'graph.json': file })
    const report = await seedFolder(runtime, folder)
    const sets = report.changes.filter(({ kind }) => kind === 'graph')
    expect(sets.map(({ revision }) => revision)).toEqual([1, 2, 3, 4])
    for await (const fact of runtime.log.read({})) {
      expect(fact.bytes.length).toBeLessThan(entryBytesMax)
    }
    const { graph: after } = runtime.follower.state
    expect(unordered(graphToFile(after))).toEqual(unordered(file))
    expect((await seedFolder(runtime, folder)).changes).toEqual([])
  })

  test('is never known without its policies where the sets are parted', () => {
    const { pieces } = graphDifference(emptyGraph, chain(40), 'needed_first')
    const sets = inSets(pieces, ({ operation }) => bytesOf(operation), 20_000)
    expect(sets.length).toBeGreaterThan(4)
    let graph = emptyGraph
    for (const steps of sets) {
      const applied = applyChange(
        graph,
        steps.map(({ operation }) => operation),
      )
      if ('refused' in applied) throw new Error(applied.refused.message)
      graph = applied.graph
      const answer = ground(graph, { concepts: ['p7', 'p0'], profile: 'strict' })
      // The edge with the policy leads from p7 to p0, which comes last of all.
      expect(answer.grounded).toBe(answer.policies.some(({ source }) => source === 'p7'))
    }
    expect(ground(graph, { concepts: ['p7', 'p0'], profile: 'strict' }).grounded).toBe(true)
  })

  test('is refused where one thing alone is too large', async () => {
    const runtime = await emptyRuntime()
    const large = { name: 'x', depths: [{ level: 0, properties: { text: 'x'.repeat(300_000) } }] }
    const folder = await seedOf({ 'graph.json': graph(large) })
    await expect(seedFolder(runtime, folder)).rejects.toMatchObject({ code: 'change_too_large' })
  })
})

// Graphs as files: what is exported comes in again as it was, what is brought in is what the file
// says, and a file that is wrong anywhere changes nothing at all.

const plain = (file: GraphFile): ReadGraph => ({ file, provenances: new Map(), lines: null })
const applied = (graph: Graph, operations: readonly GraphOperation[]): Graph => {
  const change = applyChange(graph, operations)
  if ('refused' in change) throw new Error(change.refused.message)
  return change.graph
}
const asLines = async (graph: Graph): Promise<ReadGraph> => {
  const values = JSON.parse(JSON.stringify([...graphToLines(graph)]))
  return graphOfLines(
    Readable.from(values.map((value: unknown, line: number) => ({ value, line }))),
  )
}

describe('an empty graph', () => {
  test('becomes the one that the lines were written from, with who wrote what of it', async () => {
    await fc.assert(
      fc.asyncProperty(graphFile, async (file) => {
        const operations = seedSteps(file).map(({ operation }, index) =>
          index % 3 === 0 ? operation : withProvenance(operation, authored(`p${index % 4}`, index)),
        )
        const graph = applied(emptyGraph, operations)
        const read = await asLines(graph)
        const { sets } = graphPlan(emptyGraph, {
          by: 'me',
          pieces: (order) => importPieces(emptyGraph, read, order),
        })
        const again = sets.reduce(applied, emptyGraph)
        expect([...graphToLines(again)]).toEqual([...graphToLines(graph)])
      }),
      { numRuns: count(200, 20) },
    )
  })

  // The other way round, what is needed comes last in the file.
  const anyOrder = fc.tuple(graphFile, fc.boolean()).map(([{ primitives }, turned]) => ({
    primitives: turned ? primitives.toReversed() : primitives,
  }))
  const partedGraphs = (file: GraphFile, operationsMax: number): readonly Graph[] => {
    const pieces = importPieces(emptyGraph, plain(file), 'needed_first')
    const graphs: Graph[] = [emptyGraph]
    for (const steps of inSets(pieces, () => 1, operationsMax)) {
      const operations = steps.map(({ operation }) => operation)
      graphs.push(applied(graphs.at(-1) ?? emptyGraph, operations))
    }
    return graphs
  }

  test('becomes it however the file is parted', () => {
    fc.assert(
      fc.property(anyOrder, fc.integer({ min: 1, max: 20 }), (file, operationsMax) => {
        const graph = partedGraphs(file, operationsMax).at(-1) ?? emptyGraph
        expect(graphToFile(graph)).toEqual(graphToFile(graphFromFile(file)))
      }),
      { numRuns: count(200, 20) },
    )
  })

  test('knows nothing of a primitive before it knows all of it, and all that it needs', () => {
    const asks = ({ type, policies }: Relatum) => isPulling(type) || policies.length > 0
    const asking = (graph: Graph, record: PrimitiveRecord) =>
      primitiveToFile(graph, record).depths.map(({ relata, ...depth }) => {
        return { ...depth, relata: relata.filter(asks) }
      })
    fc.assert(
      fc.property(anyOrder, fc.integer({ min: 1, max: 40 }), (file, operationsMax) => {
        const whole = graphFromFile(file)
        for (const graph of partedGraphs(file, operationsMax)) {
          for (const [, record] of primitivesOf(graph)) {
            if (record.classic === -1) continue
            const final = find(whole, record.name)
            if (final === undefined) throw new Error(`\`${record.name}\` came from nowhere`)
            expect(asking(graph, record)).toEqual(asking(whole, final))
            const needed = record.pulls.map((id) => recordAt(graph, id))
            for (const { name, classic } of needed) {
              expect(classic).toBe(find(whole, name)?.classic)
            }
          }
        }
      }),
      { numRuns: count(200, 20) },
    )
  })
})

describe('a graph that is there', () => {
  const importing = async (before: GraphFile, file: GraphFile, exact: boolean) => {
    const { runtime } = await testRuntime({ stages: [] })
    await runtime.stop()
    const graph = graphFromFile(before)
    const state = { ...runtime.follower.state, graph }
    const follower = Object.assign(Object.create(runtime.follower), { state })
    const planned = await plannedImport({ follower, folder: null }, plain(file), {
      by: 'me',
      exact,
    })
    return {
      planned,
      after: planned.sets.map(({ operations }) => operations).reduce(applied, graph),
    }
  }
  // How edges of different targets are ordered among themselves is not said by what differs.
  const unordered = ({ primitives }: GraphFile) =>
    new Map(
      primitives.map(({ name, depths }) => [
        name,
        depths.map(({ relata, ...depth }) => ({ ...depth, relata: new Set(relata) })),
      ]),
    )

  test('becomes exactly the file, and importing that again changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(graphFile, graphFile, async (before, file) => {
        const { after } = await importing(before, file, true)
        expect(unordered(graphToFile(after))).toEqual(unordered(file))
        const again = await importing(graphToFile(after), file, true)
        expect(again.planned.sets).toEqual([])
      }),
      { numRuns: count(100, 15) },
    )
  })

  test('keeps what the file lacks unless it is to be exact', async () => {
    await fc.assert(
      fc.asyncProperty(graphFile, graphFile, async (before, file) => {
        const { primitives } = file
        const others = {
          primitives: primitives.map((each) => ({ ...each, name: `x ${each.name}`, depths: [] })),
        }
        const { after, planned } = await importing(before, others, false)
        const stored = graphToFile(after).primitives
        expect(stored.slice(0, before.primitives.length)).toEqual(
          graphToFile(graphFromFile(before)).primitives,
        )
        expect(planned.leftAlone.primitives).toBe(before.primitives.length)
      }),
      { numRuns: 30 },
    )
  })
})

describe('on the command line', () => {
  let cwd = ''
  const graph = (...args: string[]) => run(['graph', ...args], { cwd })
  const file = async (name: string, content: unknown): Promise<string> => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    await writeFile(join(cwd, name), text)
    return name
  }
  const revision = async () => {
    const { stdout } = await graph('export', 'now.json', '--json')
    const { revision: last, primitives } = JSON.parse(stdout)
    return `${last} with ${primitives}`
  }

  beforeEach(async () => {
    cwd = await temporaryFolder()
    await beginKnowing({ cwd })
  })

  test('a file with a mistake is refused with its place, and nothing of it comes in', async () => {
    const before = await revision()
    const refused = async (content: unknown, why: string): Promise<void> => {
      const { code, stderr } = await graph('import', await file('f', content))
      expect([code, stderr]).toEqual([1, expect.stringContaining(why)])
    }
    const sun = { name: 'sun', depths: [{ level: 0 }] }
    const lost = {
      name: 'moon',
      depths: [{ level: 0, relata: [{ type: 'REQUIRES', target: 'x', targetDepth: 0 }] }],
    }
    await refused('', 'it is not JSON')
    await refused({ primitives: [sun, { name: 'moon', depth: [] }] }, 'primitives[1]: unknown')
    await refused({ primitives: [sun, lost] }, '`f`: primitives[1].depths[0].relata[0]: `moon`')
    const lines = (...values: unknown[]) =>
      values.map((value) => JSON.stringify(value)).join('\n\n')
    await refused(lines(sun, { name: 'moon', depths: [{ level: 9 }] }), 'line 3 at depths/0/level')
    await refused(lines(sun, lost), '`f`: line 3 at depths[0].relata[0]: `moon` relates to `x`')
    await refused(lines(sun, sun), '`f`: line 3: `sun` stands at line 1 already')
    await refused(`${lines(sun)}\n{"name":`, 'line 2: it is not JSON')
    const wrong = { name: 'moon', depths: [{ level: 9 }] }
    await refused(lines(wrong, sun, wrong), 'line 5 at depths/0/level')
    await refused(`${lines(wrong)}\n{"name":`, 'line 2: it is not JSON')
    await refused(
      lines(sun, lost, { ...lost, name: 'star' }),
      'line 5 at depths[0].relata[0]: `star`',
    )
    const many = Array.from({ length: 30 }, () => wrong)
    await refused(lines(...many), 'expected number to be <=4; and 25 more')
    const calling = { name: 'p', callback: 'nobody_knows' }
    const edge = { type: 'APPLIES_TO', target: 'sun', targetDepth: 0, policies: [calling] }
    const calls = { name: 'moon', depths: [{ level: 0, relata: [edge] }] }
    await refused(lines(sun, calls), 'calls `nobody_knows`')
    expect(await revision()).toBe(before)
  })

  test('what goes is refused while something of the file still needs it', async () => {
    const content = {
      name: 'a',
      depths: [{ level: 0, relata: [{ type: 'REQUIRES', target: 'email', targetDepth: 0 }] }],
    }
    const name = await file('f', { primitives: [content] })
    const { code, stderr } = await graph('import', name, '--exact')
    expect([code, stderr]).toEqual([1, expect.stringContaining('`email` cannot be removed: `a`')])
    expect((await graph('import', name)).code).toBe(0)
  })

  test('both formats come in again as they were, by lines with who wrote them', async () => {
    const depth = { level: 1, properties: { is: 'hot' } }
    const edge = { type: 'INCLUDES', target: 'email', targetDepth: 0, metadata: { a: 1 } }
    for (const relata of [[], [edge]]) {
      const primitive = { name: 'sun', depths: [{ ...depth, relata }] }
      await graph('import', await file('sun', { primitives: [primitive] }))
    }
    const { stdout } = await graph('export', '--ndjson')
    expect((await graph('export', '--ndjson', 'g.ndjson')).stdout).toContain(
      'revision 3 is in g.nd',
    )
    expect(await readFile(join(cwd, 'g.ndjson'), 'utf8')).toBe(stdout)
    await graph('export', 'g.json')
    const emptied = await graph('import', await file('none', { primitives: [] }), '--exact')
    expect(emptied.stdout).toContain('`none` is in the graph: revision 4\n  remove ')
    expect(await revision()).toBe('4 with 0')
    expect((await graph('import', 'g.ndjson', '--dry-run')).stdout).toContain('nothing was changed')
    expect((await graph('import', 'g.ndjson')).code).toBe(0)
    expect((await graph('export', '--ndjson')).stdout).toBe(stdout)
    const same = await graph('import', 'g.json', '--exact')
    expect(same.stdout).toBe('up to date: the graph has everything in `g.json`\n')
  })

  test('is refused on a revision that is not the last', async () => {
    await graph('export', 'g.json')
    await graph('import', await file('sun', { primitives: [{ name: 'sun' }] }))
    const { stderr } = await graph('import', 'g.json', '--exact', '--base', '1')
    expect(stderr).toContain('the graph has changed since revision 1: revision 2 by you: add sun')
    const exact = await graph(
      'import',
      'g.json',
      '--exact',
      '--base',
      '2',
      '--note',
      'back',
      '--json',
    )
    expect(JSON.parse(exact.stdout)).toMatchObject({ revisions: [3], operations: { remove: 1 } })
  })

  test('what no single fact could hold comes as several revisions, and goes again', async () => {
    const text = 'x'.repeat(3_000)
    const primitives = Array.from({ length: 200 }, (_, index) => ({
      name: `p${index}`,
      depths: [
        {
          level: 0,
          properties: { text },
          // A ring of edges that pull nothing in: no one could go first with them.
          relata: [{ type: 'INCLUDES', target: `p${(index + 1) % 200}`, targetDepth: 0 }],
        },
      ],
    }))
    await graph('export', 'before.json')
    const large = await file(
      'large.ndjson',
      primitives.map((each) => JSON.stringify(each)).join('\n'),
    )
    const brought = await graph('import', large)
    expect(brought.stdout).toMatch(/revisions 2 to \d+, as \d change sets \(256 KiB each at most\)/)
    const counted = await revision()
    expect((await graph('import', large)).stdout).toContain('up to date')
    expect(await revision()).toBe(counted)
    expect((await graph('import', 'before.json', '--exact')).code).toBe(0)
    expect((await graph('import', 'before.json', '--exact')).stdout).toContain('up to date')
  })
})
