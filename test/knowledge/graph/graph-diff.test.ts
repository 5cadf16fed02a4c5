// What changed in a graph: reported by primitive, and as the operations that turn the
// one into the other.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { GraphFile, GraphOperation, Provenance } from '#schemas/graph'
import { applyChange } from '#knowledge/graph/graph-change'
import { differenceOf } from '#knowledge/graph/graph-difference'
import { graphFromFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import { plainPrimitives } from '#knowledge/graph/copy'
import { emptyGraph } from '#knowledge/graph/revision'
import { operationsBetween } from '#knowledge/graph/graph-operations'
import { graphFile, graphNames } from '../../support/samples/graph-arbitraries.ts'
import {
  add,
  applied,
  describeLevel,
  fileOf,
  relate,
  seeded,
} from '../../support/samples/graph-changes.ts'
import { count } from '../../support/vitest/counts.ts'

const knows = (name: string): GraphFile['primitives'][0] => ({
  name,
  depths: [{ level: 1, properties: { what: name }, relata: [] }],
})

function changes(before: Graph, after: Graph): readonly unknown[] {
  return differenceOf(before, after).map(({ change, name, renamedFrom, levels }) => ({
    [change]: renamedFrom === null ? name : `${renamedFrom} → ${name}`,
    ...(levels.length > 0 && { levels: levels.map(({ level }) => level) }),
  }))
}

describe('primitives', () => {
  test('that are alike make no difference, in whatever order they stand', () => {
    const file = [knows('sun'), knows('moon')]
    const one = graphFromFile({ primitives: file })
    const other = graphFromFile({ primitives: file.toReversed() })
    expect(differenceOf(one, other)).toEqual([])
    expect(operationsBetween(one, other)).toEqual([])
  })

  test('are added and removed with their levels and edges', () => {
    const sun = graphFromFile({ primitives: [knows('sun')] })
    const moon = graphFromFile({ primitives: [knows('moon')] })
    expect(differenceOf(emptyGraph, sun)).toMatchObject([
      {
        change: 'added',
        name: 'sun',
        levels: [{ level: 1, properties: [{ key: 'what', after: 'sun' }] }],
      },
    ])
    expect(changes(sun, moon)).toEqual([
      { removed: 'sun', levels: [1] },
      { added: 'moon', levels: [1] },
    ])
  })

  test('are renamed where exactly one has the content that exactly one had', () => {
    const before = graphFromFile({ primitives: [knows('sun'), fileOf('day', 0, [needs('sun')])] })
    const after = applied(before, [{ op: 'rename', name: 'sun', to: 'star' }])
    expect(changes(before, after)).toEqual([{ changed: 'sun → star' }])
    expect(operationsBetween(before, after)).toEqual([{ op: 'rename', name: 'sun', to: 'star' }])
    const twins = applied(after, [
      add('twin'),
      { op: 'describe', name: 'twin', level: 1, properties: { what: 'sun' } },
    ])
    expect(changes(before, twins)).toEqual([
      { removed: 'sun', levels: [1] },
      { changed: 'day', levels: [0] },
      { added: 'star', levels: [1] },
      { added: 'twin', levels: [1] },
    ])
  })

  test('are not taken for renamed where they have no content', () => {
    expect(changes(seeded(['sun']), seeded(['star']))).toEqual([
      { removed: 'sun', levels: [0] },
      { added: 'star', levels: [0] },
    ])
  })

  test('are renamed together, even where they relate to each other and themselves', () => {
    const itself = { type: 'APPLIES_TO' as const, target: 'one' }
    const before = graphFromFile({
      primitives: [
        fileOf('one', 0, [itself]),
        fileOf('two', 0, [needs('one')]),
        fileOf('three', 0, [needs('two')]),
      ],
    })
    const renames = ['one', 'two', 'three'].map((name) => {
      return { op: 'rename' as const, name, to: `${name} of them` }
    })
    expect(operationsBetween(before, applied(before, renames))).toEqual(renames)
  })

  test('that are only cased another way are renamed, and nothing else of them changed', () => {
    const before = graphFromFile({ primitives: [knows('sun')] })
    const after = applied(before, [{ op: 'rename', name: 'sun', to: 'Sun' }])
    expect(changes(before, after)).toEqual([{ changed: 'sun → Sun' }])
  })
})

describe('levels', () => {
  const before = seeded(['sun'], ['day', 'REQUIRES sun'])

  test('list which properties changed, and which are new or gone', () => {
    const say = (properties: Record<string, string>): GraphOperation => {
      return { op: 'describe', name: 'sun', level: 0, properties }
    }
    const was = applied(before, [say({ kept: 'a', other: 'b', gone: 'c' })])
    const is = applied(was, [say({ new: 'd', other: 'B', kept: 'a' })])
    expect(differenceOf(was, is)[0]?.levels[0]?.properties).toEqual([
      { key: 'other', before: 'b', after: 'B' },
      { key: 'gone', before: 'c' },
      { key: 'new', after: 'd' },
    ])
  })

  test('list which edges were added or removed, and whose terms changed', () => {
    const after = applied(before, [
      { op: 'unrelate', name: 'day', level: 0, type: 'REQUIRES', target: 'sun' },
      relate('day', 0, 'REQUIRES', 'sun', { requiresConfirmation: true, callback: null }),
      relate('day', 0, 'INCLUDES', 'sun'),
    ])
    expect(differenceOf(before, after)).toMatchObject([
      {
        name: 'day',
        levels: [
          {
            change: 'changed',
            edges: [
              {
                type: 'REQUIRES',
                before: { policies: [] },
                after: { policies: [{ name: 'watch' }] },
              },
              { type: 'INCLUDES', before: null, after: { targetDepth: 0 } },
            ],
          },
        ],
      },
    ])
  })

  test('that someone writes again are reported, and their content is not', () => {
    const again: GraphOperation = { op: 'describe', name: 'sun', level: 0, properties: {} }
    const after = applied(before, [{ ...again, provenance: by('olga') }])
    expect(differenceOf(before, after)).toEqual([
      {
        change: 'changed',
        name: 'sun',
        renamedFrom: null,
        levels: [
          { change: 'changed', level: 0, provenance: by('olga'), properties: [], edges: [] },
        ],
      },
    ])
  })

  test('are erased and written alone, and edges that stay are not written again', () => {
    const after = applied(before, [describeLevel('day', 1), relate('day', 0, 'INCLUDES', 'sun')])
    const ops = (one: Graph, other: Graph) => operationsBetween(one, other).map(({ op }) => op)
    expect(ops(before, after)).toEqual(['describe', 'relate'])
    expect(ops(after, before)).toEqual(['unrelate', 'erase'])
  })
})

test('edges come to stand in the order of the other graph, however many are like each other', () => {
  const things = ['sun', 'moon', 'star', 'sand'].map((each) => add(each))
  const level = describeLevel('sun', 0)
  const graph = (...targets: readonly string[]): Graph => {
    const edges = targets.map((target) => relate('sun', 0, 'INCLUDES', target))
    return applied(emptyGraph, [...things, level, ...edges])
  }
  const orders = [
    ['moon', 'star', 'sand', 'moon'],
    ['moon', 'star', 'sun'],
    ['star', 'moon', 'moon'],
    ['moon', 'moon', 'star'],
    [],
  ]
  for (const one of orders) {
    for (const other of orders) {
      const turned = applied(graph(...one), operationsBetween(graph(...one), graph(...other)))
      expect(contentOf(turned)).toEqual(contentOf(graph(...other)))
    }
  }
})

const stamps = fc.constantFrom(undefined, by('olga'), by('piet'))
const edits = fc.array(
  fc.oneof(
    fc.record({ op: fc.constant('add' as const), name: name(), provenance: stamps }),
    fc.record({ op: fc.constant('remove' as const), name: name() }),
    fc.record({ op: fc.constant('rename' as const), name: name(), to: name() }),
    fc.record({
      op: fc.constant('describe' as const),
      name: name(),
      level: fc.nat(4),
      properties: fc.dictionary(fc.constantFrom('a', 'b'), fc.nat(2)),
      provenance: stamps,
    }),
    fc.record({ op: fc.constant('erase' as const), name: name(), level: fc.nat(4) }),
    fc.tuple(name(), fc.nat(4), name()).map(([source, level, target]) => {
      return { op: 'unrelate' as const, name: source, level, type: 'APPLIES_TO' as const, target }
    }),
    fc.tuple(name(), fc.nat(4), name()).map(([source, level, target]) => {
      return relate(source, level, 'APPLIES_TO', target)
    }),
  ),
  { maxLength: 12 },
)

test('applied to the one graph, the operations make the other, and then no changes', () => {
  let renamed = 0
  fc.assert(
    fc.property(graphFile, graphFile, edits, fc.boolean(), (one, other, how, related) => {
      const before = graphFromFile(one)
      const after = edited(related ? before : graphFromFile(other), how)
      const operations = operationsBetween(before, after)
      renamed += operations.filter(({ op }) => op === 'rename').length
      const turned = applied(before, operations)
      expect(contentOf(turned)).toEqual(contentOf(after))
      expect(differenceOf(turned, after)).toEqual([])
      expect(operationsBetween(turned, after)).toEqual([])
      const isSame = JSON.stringify(contentOf(before)) === JSON.stringify(contentOf(after))
      expect(operations.length === 0).toBe(isSame)
      const isAlike = unordered(contentOf(before)) === unordered(contentOf(after))
      expect(differenceOf(before, after).length === 0).toBe(isAlike)
    }),
    { numRuns: count(500, 250) },
  )
  expect(renamed).toBeGreaterThan(count(3, 0))
})

/** As many of the edits as can be made. */
function edited(graph: Graph, operations: readonly GraphOperation[]): Graph {
  return operations.reduce((now, operation) => {
    const change = applyChange(now, [operation])
    return 'graph' in change ? change.graph : now
  }, graph)
}

/** The content of each, in the order of names; who added a primitive stays as it was. */
function contentOf(graph: Graph): readonly unknown[] {
  const all = [...plainPrimitives(graph)]
  return all
    .map(({ name: own, levels }) => [
      own,
      levels.map(({ relata, ...level }) => [
        level,
        relata.map((edge) => ({ ...edge, target: all[edge.target]?.name })),
      ]),
    ])
    .toSorted((a, b) => (JSON.stringify(a[0]) < JSON.stringify(b[0]) ? -1 : 1))
}

/** The same as text, with edges in whatever order. */
function unordered(content: readonly unknown[]): string {
  return JSON.stringify(content, (_, value: unknown) => {
    return Array.isArray(value) && isEdge(value[0])
      ? value.map((each) => JSON.stringify(each)).toSorted()
      : value
  })
}

function isEdge(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'targetDepth' in value
}

function name(): fc.Arbitrary<string> {
  return fc.constantFrom(...graphNames, 'zulu', 'yankee')
}

function by(who: string): Provenance {
  return { source: 'authored', by: who, at: '2026-01-01T00:00:00Z' }
}

function needs(target: string) {
  return { type: 'REQUIRES' as const, target }
}
