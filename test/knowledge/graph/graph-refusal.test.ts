// What no change set may do: each is refused whole, by name, with the operation that is to be
// fixed.
import { describe, expect, test } from 'vitest'
import type { GraphOperation } from '#schemas/graph'
import { applyChange } from '#knowledge/graph/graph-change'
import { graphToFile } from '#knowledge/graph/graph'
import { emptyGraph } from '#knowledge/graph/revision'
import { find } from '#knowledge/graph/revision'
import {
  add,
  describeLevel,
  message,
  refusal,
  relate,
  seeded,
} from '../../support/samples/graph-changes.ts'

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
      { ...edge, target: 'unknown' },
    ]
    for (const each of wrong) expect(refusal(applyChange(graph, [each])).code).toBe('edge_unknown')
    expect(applyChange(graph, [edge])).toHaveProperty('graph')
  })

  test('target_dangling: the target is in neither the graph nor the set, and is named', () => {
    const change = applyChange(graph, [add('disk'), relate('file', 0, 'INCLUDES', 'sector')])
    expect(refusal(change)).toEqual({ code: 'target_dangling', at: 1 })
    expect(message(change)).toContain('`sector`')
  })

  test('target_dangling: a primitive goes while others relate to it, and they are named', () => {
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

  test('policy_without_effect: it asks no one and calls nothing, and is named', () => {
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
