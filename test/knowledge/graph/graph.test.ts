// What a change set makes of a graph, and what a long history leaves of it.
import { describe, expect, test } from 'vitest'
import { applyChange, operationsFromFile } from '#knowledge/graph/graph-change'
import { graphToFile } from '#knowledge/graph/graph'
import { emptyGraph } from '#knowledge/graph/revision'
import { find } from '#knowledge/graph/revision'
import {
  add,
  applied,
  describeLevel,
  edges,
  fileOf,
  refusal,
  relate,
  relatumTo,
  seeded,
} from '../../support/samples/graph-changes.ts'

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

  test('and a removed name that is added again has its place and the edges to it', () => {
    const described = applied(graph, [describeLevel('path', 3)])
    const again = applied(described, [{ op: 'remove', name: 'path' }, add('Path')])
    expect(graphToFile(again).primitives).toEqual([
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

  test('describing a level again replaces its properties and keeps its edges', () => {
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

  test('what relates to itself may go, and APPLIES_TO and INCLUDES may run in circles', () => {
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
