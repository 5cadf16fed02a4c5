// Graphs as files: what is exported comes in again as it was, what is brought in is what the file
// says, and a file that is wrong anywhere changes nothing at all.
import { Readable } from 'node:stream'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { applyChange } from '#knowledge/graph/graph-change'
import { graphFromFile, graphToFile, primitiveToFile } from '#knowledge/graph/graph'
import { graphOfLines, graphToLines, type ReadGraph } from '#authoring/changes/ndjson-file'
import { authored, withProvenance } from '#authoring/changes/provenance'
import { isPulling, type PrimitiveRecord } from '#knowledge/graph/record'
import { emptyGraph, find, primitivesOf, recordAt, type Graph } from '#knowledge/graph/revision'
import { seedSteps } from '#knowledge/graph/seed-steps'
import { inSets } from '#record/change-sets'
import { plannedImport } from '#authoring/graph-import'
import { graphPlan } from '#authoring/graph-plan'
import { importPieces } from '#authoring/changes/import-pieces'
import type { GraphFile, GraphOperation, Relatum } from '#schemas/graph'
import { beginKnowing } from '../support/samples/known-tool.ts'
import { run } from '../support/cli-runner.ts'
import { graphFile } from '../support/samples/graph-arbitraries.ts'
import { testRuntime } from '../support/runtime.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { count } from '../support/vitest/counts.ts'

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
      { numRuns: count(200, 50) },
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
      { numRuns: count(200, 50) },
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
      { numRuns: count(200, 50) },
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
      { numRuns: count(100, 30) },
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
