// Change sets on the graph: refused whole and by name, or applied whole.
import { describe, expect, test } from 'vitest'
import type { GraphFile, GraphOperation, Policy, Relatum } from '#schemas/graph'
import { applyChange, operationsFromFile } from '#core/graph/change'
import { emptyGraph, graphFromFile, graphToFile, type Graph } from '#core/graph/graph'
import { find } from '#core/graph/revision'

describe('a change set is refused whole', () => {
  const graph = seeded(['file', 'REQUIRES path'], ['path'], ['user'])

  test('and leaves the graph as it was, though only its last operation is wrong', () => {
    const before = graphToFile(graph)
    const change = applyChange(graph, [add('disk'), describeLevel('file', 1), add('FILE')])
    expect(refusal(change)).toEqual({ code: 'name_taken', at: 2 })
    expect(graphToFile(graph)).toEqual(before)
    expect(find(graph, 'disk')).toBeUndefined()
  })

  test.each([
    ['file', 'the same name'],
    ['FiLe', 'another case'],
    ['FILE', 'upper case'],
  ])('name_taken: %s (%s)', (name) => {
    expect(refusal(applyChange(graph, [add(name)]))).toEqual({ code: 'name_taken', at: 0 })
  })

  test('name_taken: one name composed in two ways', () => {
    const change = applyChange(emptyGraph, [add('caf\u00e9'), add('CAFE\u0301')])
    expect(refusal(change)).toEqual({ code: 'name_taken', at: 1 })
  })

  test('name_taken: a rename to the name of another', () => {
    const change = applyChange(graph, [{ op: 'rename', name: 'user', to: 'Path' }])
    expect(refusal(change)).toEqual({ code: 'name_taken', at: 0 })
  })

  test.each<GraphOperation>([
    { op: 'rename', name: 'disk', to: 'drive' },
    { op: 'remove', name: 'disk' },
    describeLevel('disk', 0),
    { op: 'erase', name: 'disk', level: 0 },
    relate('disk', 0, 'REQUIRES', 'path'),
    { op: 'unrelate', name: 'disk', level: 0, type: 'REQUIRES', target: 'path' },
  ])('name_unknown: $op of what is not there', (operation) => {
    expect(refusal(applyChange(graph, [operation]))).toEqual({ code: 'name_unknown', at: 0 })
  })

  test.each<GraphOperation>([
    { op: 'erase', name: 'file', level: 3 },
    relate('file', 3, 'REQUIRES', 'path'),
    { op: 'unrelate', name: 'file', level: 3, type: 'REQUIRES', target: 'path' },
  ])('level_unknown: $op on a level that is not described', (operation) => {
    expect(refusal(applyChange(graph, [operation]))).toEqual({ code: 'level_unknown', at: 0 })
  })

  test('edge_unknown: an edge of another type, target or level', () => {
    const edge = {
      op: 'unrelate',
      name: 'file',
      level: 0,
      type: 'REQUIRES',
      target: 'path',
    } as const
    const wrong = [
      { ...edge, type: 'DEPENDS_ON' as const },
      { ...edge, target: 'user' },
      { ...edge, target: 'nobody' },
    ]
    for (const each of wrong) expect(refusal(applyChange(graph, [each])).code).toBe('edge_unknown')
    expect(applyChange(graph, [edge])).toHaveProperty('graph')
  })

  test('target_dangling: the target is in neither the graph nor the set, and is named', () => {
    const change = applyChange(graph, [add('disk'), relate('file', 0, 'INCLUDES', 'sector')])
    expect(refusal(change)).toEqual({ code: 'target_dangling', at: 1 })
    expect(message(change)).toContain('`sector`')
  })

  test('target_dangling: a primitive is removed while others relate to it, and they are named', () => {
    const change = applyChange(graph, [add('disk'), { op: 'remove', name: 'path' }])
    expect(refusal(change)).toEqual({ code: 'target_dangling', at: 1 })
    expect(message(change)).toContain('`file`')
  })

  test('target_dangling: a name that the set renames away is no target any more', () => {
    const rename: GraphOperation = { op: 'rename', name: 'user', to: 'account' }
    const change = applyChange(graph, [rename, relate('file', 0, 'APPLIES_TO', 'user')])
    expect(refusal(change)).toEqual({ code: 'target_dangling', at: 1 })
  })

  test('target_dangling: who takes the name of a removed primitive does not take its edges', () => {
    const change = applyChange(graph, [
      { op: 'remove', name: 'path' },
      { op: 'rename', name: 'user', to: 'path' },
    ])
    expect(refusal(change)).toEqual({ code: 'target_dangling', at: 0 })
  })

  test.each(['REQUIRES', 'CONSTRAINED_BY', 'DEPENDS_ON'] as const)(
    'cycle_transitive: %s back to where it came from, and the circle is named',
    (type) => {
      const longer = seeded(['a', 'REQUIRES b'], ['b', 'DEPENDS_ON c'], ['c'])
      const change = applyChange(longer, [add('d'), relate('c', 0, type, 'a')])
      expect(refusal(change)).toEqual({ code: 'cycle_transitive', at: 1 })
      expect(message(change)).toMatch(/`c` → `a` → `b` → `c`/)
    },
  )

  test('cycle_transitive: a primitive that needs itself', () => {
    const change = applyChange(graph, [relate('user', 0, 'REQUIRES', 'USER')])
    expect(refusal(change)).toEqual({ code: 'cycle_transitive', at: 0 })
  })

  test('cycle_transitive: a circle within the set, closed by its last edge', () => {
    const change = applyChange(graph, [
      relate('path', 0, 'REQUIRES', 'user'),
      relate('user', 0, 'REQUIRES', 'file'),
      add('disk'),
    ])
    expect(refusal(change)).toEqual({ code: 'cycle_transitive', at: 1 })
  })

  test('policy_without_effect: it asks nobody and calls nothing, and is named', () => {
    const change = applyChange(graph, [
      relate('file', 0, 'APPLIES_TO', 'path', { requiresConfirmation: false, callback: null }),
    ])
    expect(refusal(change)).toEqual({ code: 'policy_without_effect', at: 0 })
    expect(message(change)).toContain('`watch`')
  })

  test.each([
    { requiresConfirmation: true, callback: null },
    { requiresConfirmation: false, callback: 'isQuiet' },
  ])('unless a policy does one of the two: %j', (terms) => {
    const change = applyChange(graph, [relate('file', 0, 'APPLIES_TO', 'path', terms)])
    expect(change).toHaveProperty('graph')
  })
})

describe('a change set is applied', () => {
  const graph = seeded(['file', 'REQUIRES path'], ['path'])

  test('though it mentions a primitive before it adds it', () => {
    const after = applied(graph, [
      relate('file', 0, 'REQUIRES', 'Disk'),
      add('disk'),
      describeLevel('disk', 0),
    ])
    expect(edges(after, 'file')).toEqual(['REQUIRES path', 'REQUIRES disk'])
  })

  test('though a circle or a loose end exists halfway', () => {
    const unrelate = {
      op: 'unrelate',
      name: 'file',
      level: 0,
      type: 'REQUIRES',
      target: 'path',
    } as const
    const turned = applied(graph, [relate('path', 0, 'REQUIRES', 'file'), unrelate])
    expect(edges(turned, 'path')).toEqual(['REQUIRES file'])
    const gone = applied(graph, [{ op: 'remove', name: 'path' }, unrelate])
    expect(gone.size).toBe(1)
  })

  test('and a removed name that is added again has its place and the edges to it, and nothing else', () => {
    const described = applied(graph, [describeLevel('path', 3)])
    const anew = applied(described, [{ op: 'remove', name: 'path' }, add('Path')])
    expect(graphToFile(anew).primitives).toEqual([
      fileOf('file', 0, [{ type: 'REQUIRES', target: 'Path' }]),
      { name: 'Path', depths: [] },
    ])
  })

  test('a rename keeps the place and all edges', () => {
    const after = applied(graph, [{ op: 'rename', name: 'path', to: 'route' }])
    expect(edges(after, 'file')).toEqual(['REQUIRES route'])
    expect(find(after, 'path')).toBeUndefined()
    expect(applied(after, [add('path')]).size).toBe(3)
  })

  test('a rename may change nothing but the case', () => {
    const after = applied(graph, [{ op: 'rename', name: 'path', to: 'PATH' }])
    expect(edges(after, 'file')).toEqual(['REQUIRES PATH'])
  })

  test('describing a level again replaces what it says and keeps its edges', () => {
    const after = applied(graph, [{ op: 'describe', name: 'file', level: 0, properties: { a: 1 } }])
    expect(find(after, 'file')?.levels).toMatchObject([{ level: 0, properties: { a: 1 } }])
    expect(edges(after, 'file')).toEqual(['REQUIRES path'])
  })

  test('levels stand in order, in whatever order they are described', () => {
    const after = applied(graph, [describeLevel('path', 4), describeLevel('path', 2)])
    expect(find(after, 'path')?.levels.map((each) => each.level)).toEqual([0, 2, 4])
  })

  test('erasing a level takes its edges with it, so that their target may go', () => {
    const erased = applied(graph, [{ op: 'erase', name: 'file', level: 0 }])
    expect(applied(erased, [{ op: 'remove', name: 'path' }]).size).toBe(1)
  })

  test('two edges alike are two edges, and one unrelate takes both', () => {
    const edge = relate('file', 0, 'REQUIRES', 'path')
    const three = applied(graph, [edge, edge])
    expect(edges(three, 'file')).toHaveLength(3)
    const none = applied(three, [
      { op: 'unrelate', name: 'file', level: 0, type: 'REQUIRES', target: 'path' },
    ])
    expect(edges(none, 'file')).toEqual([])
  })

  test('what relates to itself may be removed, and APPLIES_TO and INCLUDES may run in circles', () => {
    const circle = applied(graph, [
      relate('path', 0, 'INCLUDES', 'file'),
      relate('file', 0, 'APPLIES_TO', 'file'),
    ])
    const alone = applied(circle, [
      { op: 'erase', name: 'path', level: 0 },
      { op: 'remove', name: 'file' },
    ])
    expect(alone.size).toBe(1)
  })

  test('who wrote a primitive, a level and an edge stays with each', () => {
    const provenance = { source: 'authored', by: 'ada', at: '2026-01-01T00:00:00Z' } as const
    const after = applied(emptyGraph, [
      { op: 'add', name: 'a', provenance },
      { op: 'describe', name: 'a', level: 0, properties: {}, provenance },
      { op: 'relate', name: 'a', level: 0, relatum: relatumTo('INCLUDES', 'a'), provenance },
    ])
    const record = find(after, 'a')
    expect(record?.provenance).toEqual(provenance)
    expect(record?.levels[0]?.provenance).toEqual(provenance)
    expect(record?.edges[0]?.provenance).toEqual(provenance)
  })

  test('names that objects inherit are names like any other', () => {
    const after = applied(emptyGraph, [
      ...['__proto__', 'constructor', 'toString'].map(add),
      describeLevel('__proto__', 0),
      relate('__proto__', 0, 'REQUIRES', 'constructor'),
    ])
    expect(edges(after, '__proto__')).toEqual(['REQUIRES constructor'])
    expect(find(after, 'valueOf')).toBeUndefined()
  })
})

describe('a long history', () => {
  test('leaves a graph no larger than what is there', () => {
    let graph = seeded(['file', 'REQUIRES path'], ['path'])
    for (let round = 0; round < 5000; round += 1) {
      graph = applied(graph, [add(`passing ${round}`), { op: 'remove', name: `passing ${round}` }])
      const name = round === 0 ? 'file' : `file ${round - 1}`
      graph = applied(graph, [{ op: 'rename', name, to: `file ${round}` }])
    }
    expect(graph.size).toBe(2)
    expect(graph.records.length).toBeLessThan(1100)
    expect(graph.names.hints.length).toBeLessThan(1100)
    expect(edges(graph, 'file 4999')).toEqual(['REQUIRES path'])
    expect(find(graph, 'file 4998')).toBeUndefined()
  })

  test('that branches keeps each branch to itself', () => {
    const base = seeded(['file'])
    const one = applied(base, [add('disk')])
    const other = applied(base, [add('tape'), { op: 'rename', name: 'file', to: 'disk' }])
    expect(graphToFile(one).primitives.map((each) => each.name)).toEqual(['file', 'disk'])
    expect(graphToFile(other).primitives.map((each) => each.name)).toEqual(['disk', 'tape'])
    expect(find(one, 'tape')).toBeUndefined()
    expect(find(base, 'disk')).toBeUndefined()
  })

  test('a chain longer than any call stack is searched for circles', () => {
    const count = 50_000
    const names = Array.from({ length: count }, (_, index) => `link ${index}`)
    const chain = applied(emptyGraph, [
      ...names.map(add),
      ...names.map((name) => describeLevel(name, 0)),
      ...names.slice(1).map((name, index) => relate(name, 0, 'REQUIRES', `link ${index}`)),
    ])
    const closing = applyChange(chain, [relate('link 0', 0, 'DEPENDS_ON', `link ${count - 1}`)])
    expect(refusal(closing)).toEqual({ code: 'cycle_transitive', at: 0 })
  })
})

test('a seed becomes operations that make it: adds, then levels, then edges', () => {
  const file = graphToFile(seeded(['file', 'REQUIRES path'], ['path']))
  const operations = operationsFromFile(file)
  expect(operations.map(({ op }) => op)).toEqual(['add', 'add', 'describe', 'describe', 'relate'])
  expect(graphToFile(applied(emptyGraph, operations))).toEqual(file)
})

function add(name: string): GraphOperation {
  return { op: 'add', name }
}

function describeLevel(name: string, level: number): GraphOperation {
  return { op: 'describe', name, level, properties: { description: `level ${level}` } }
}

type PolicyTerms = Pick<Policy, 'requiresConfirmation' | 'callback'>

function relate(
  name: string,
  level: number,
  type: Relatum['type'],
  target: string,
  terms?: PolicyTerms,
): GraphOperation {
  return { op: 'relate', name, level, relatum: relatumTo(type, target, terms) }
}

function relatumTo(type: Relatum['type'], target: string, terms?: PolicyTerms): Relatum {
  const rest = {
    name: 'watch',
    triggerCardinality: null,
    confirmationMessage: 'go on?',
    metadata: {},
  }
  const policies = terms === undefined ? [] : [{ ...rest, ...terms }]
  return { type, target, targetDepth: 0, metadata: {}, policies }
}

/** Primitives with level 0, and edges on it written as `TYPE target`. */
function seeded(...primitives: readonly (readonly [string, ...string[]])[]): Graph {
  const types = ['REQUIRES', 'DEPENDS_ON'] as const
  return graphFromFile({
    primitives: primitives.map(([name, ...relata]) => {
      const written = relata.map((text) => {
        const type = types.find((each) => text.startsWith(each)) ?? expect.fail(text)
        return { type, target: text.slice(type.length + 1) }
      })
      return fileOf(name, 0, written)
    }),
  })
}

function fileOf(
  name: string,
  level: number,
  relata: readonly Pick<Relatum, 'type' | 'target'>[],
): GraphFile['primitives'][0] {
  const rest = { targetDepth: 0, metadata: {}, policies: [] }
  return {
    name,
    depths: [{ level, properties: {}, relata: relata.map((each) => ({ ...each, ...rest })) }],
  }
}

function applied(graph: Graph, operations: readonly GraphOperation[]): Graph {
  const change = applyChange(graph, operations)
  return 'graph' in change ? change.graph : expect.fail(change.refused.message)
}

function refusal(change: ReturnType<typeof applyChange>): { code: string; at: number } {
  if ('graph' in change) return expect.fail('it was applied')
  const { code, at } = change.refused
  return { code, at }
}

function message(change: ReturnType<typeof applyChange>): string {
  return 'refused' in change ? change.refused.message : ''
}

function edges(graph: Graph, name: string): readonly string[] {
  const primitive = graphToFile(graph).primitives.find((each) => each.name === name)
  const relata = primitive?.depths.flatMap((depth) => depth.relata) ?? []
  return relata.map(({ type, target }) => `${type} ${target}`)
}
