// Which primitive a concept means, and when it means none.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { GraphOperation } from '#schemas/graph'
import { applyChange } from '#knowledge/graph/graph-change'
import { emptyGraph, type Graph } from '#knowledge/graph/revision'
import { ground } from '#knowledge/grounding/ground'
import { count } from '../../support/vitest/counts.ts'

describe('a concept is not resolved', () => {
  test.each([
    ['delete files', ['delete', 'file'], 'a part of it is a name'],
    ['delete', ['delete file'], 'it is a part of a name'],
    ['file delete', ['delete file'], 'its words stand in another order'],
    ['filed away', ['file'], 'it has more words'],
    ['fil', ['file'], 'it begins like a name'],
    ['document', ['file'], 'it means much the same'],
    ['', ['file', '_'], 'it has no words'],
    [' - ', ['_', '__'], 'it has nothing but what parts words'],
    ['file\u0000', ['file'], 'it is a name and something unseen'],
    ['fi le', ['file'], 'it is a name torn apart'],
  ])('%j among %j: %s', (concept, names) => {
    expect(resolve(names, concept)).toBeNull()
  })

  test('if it is a form of several, and all of them are named in stored order', () => {
    const graph = graphWith('tree', 'leave', 'leaf')
    expect(ground(graph, { concepts: ['leaves'], profile: 'strict' }).gaps).toEqual([
      { kind: 'EXISTENCE', primitive: 'leaves', candidates: ['leave', 'leaf'] },
    ])
  })

  test('and no candidates are named where there are none', () => {
    const [gap] = ground(graphWith('file'), { concepts: ['disk'], profile: 'strict' }).gaps
    expect(gap).toEqual({ kind: 'EXISTENCE', primitive: 'disk' })
    expect(Object.keys(gap ?? {})).toEqual(['kind', 'primitive'])
  })

  test('and of very many candidates the first sixteen are named', () => {
    const names = Array.from({ length: 40 }, (_, index) => `file${'_'.repeat(index)}`)
    const [gap] = ground(graphWith(...names), { concepts: ['files'], profile: 'strict' }).gaps
    expect(gap).toMatchObject({ kind: 'EXISTENCE', candidates: names.slice(0, 16) })
  })

  test('if it is longer than any name can be', () => {
    const graph = graphWith('file')
    const long = `${'-'.repeat(4096)}file`
    expect(ground(graph, { concepts: [long], profile: 'strict' }).grounded).toBe(false)
    expect(ground(graph, { concepts: [long.slice(4)], profile: 'strict' }).grounded).toBe(true)
  })
})

describe('a concept is resolved', () => {
  test.each([
    ['FILE', ['file']],
    ['caf\u00e9', ['CAFE\u0301']],
    ['STRASSE', ['straße']],
    ['constructor', ['constructor']],
  ])('by its name: %s is %j', (concept, [name = '']) => {
    expect(resolve([name], concept)).toBe(name)
  })

  test.each([
    ['files', 'file'],
    ['Files', 'file'],
    ['FILES', 'File'],
    [' file ', 'file'],
    ['reading', 'read'],
    ['deleted', 'delete'],
    ['written', 'write'],
    ['data', 'datum'],
    ['better', 'good'],
    ['operating_systems', 'operating_system'],
    ['operating system', 'operating_system'],
    ['Operating-Systems', 'operating_system'],
    ['cancelling orders', 'cancel_order'],
    ['constructors', 'constructor'],
    ['file', 'files'],
    ['reads', 'reading'],
    ['__proto__', 'proto'],
  ])('by its words: %s is %s', (concept, name) => {
    expect(resolve(['tree', name], concept)).toBe(name)
  })

  test('by its name before any other form', () => {
    expect(resolve(['leaf', 'leaves', 'leave'], 'Leaves')).toBe('leaves')
  })
})

describe('in a graph that changes', () => {
  test('each revision knows the names that it has and no others', () => {
    const before = graphWith('file', 'path')
    expect(resolvedIn(before, 'folders')).toBeNull()
    const after = changed(before, { op: 'rename', name: 'file', to: 'folder' })
    expect(resolvedIn(after, 'folders')).toBe('folder')
    expect(resolvedIn(after, 'files')).toBeNull()
    expect(resolvedIn(before, 'files')).toBe('file')
    expect(resolvedIn(before, 'folders')).toBeNull()
    const without = changed(after, { op: 'remove', name: 'folder' })
    expect(resolvedIn(without, 'folders')).toBeNull()
    expect(resolvedIn(changed(without, { op: 'add', name: 'Folder' }), 'folders')).toBe('Folder')
  })

  test('a name that is added later makes a form ambiguous', () => {
    const before = graphWith('leaf')
    expect(resolvedIn(before, 'leaves')).toBe('leaf')
    expect(resolvedIn(changed(before, { op: 'add', name: 'leave' }), 'leaves')).toBeNull()
    expect(resolvedIn(before, 'leaves')).toBe('leaf')
  })
})

test('whatever is asked is answered: with a name of the graph, or as it came', () => {
  const names = ['file', 'operating_system', 'constructor', '__proto__', 'leaf', 'leave']
  const graph = graphWith(...names)
  const endings = ['', 's', 'es', 'ed', 'ing', 'er', 'est', ' ', '_', '-', '\u0301']
  const made = fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...endings))
    .map((two) => two.join(''))
  const text = fc.oneof(made, fc.string({ unit: 'binary' }), fc.string())
  fc.assert(
    fc.property(text, (concept) => {
      const [resolved] = ground(graph, { concepts: [concept], profile: 'strict' }).resolved
      expect(resolved === concept || names.includes(resolved ?? '')).toBe(true)
    }),
    { numRuns: count(3_000, 800) },
  )
})

function graphWith(...names: readonly string[]): Graph {
  return changed(emptyGraph, ...names.map((name): GraphOperation => ({ op: 'add', name })))
}

function changed(graph: Graph, ...operations: readonly GraphOperation[]): Graph {
  const change = applyChange(graph, operations)
  return 'graph' in change ? change.graph : expect.fail(change.refused.message)
}

function resolve(names: readonly string[], concept: string): string | null {
  return resolvedIn(graphWith(...names), concept)
}

/** The primitive that is meant, or null. */
function resolvedIn(graph: Graph, concept: string): string | null {
  const { grounded, resolved } = ground(graph, { concepts: [concept], profile: 'strict' })
  return grounded ? (resolved[0] ?? null) : null
}
