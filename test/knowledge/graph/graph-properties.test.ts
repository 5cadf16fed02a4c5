// What holds of every change set, on random graphs and random operations.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { relationTypes, type GraphFile, type GraphOperation, type Policy } from '#schemas/graph'
import { applyChange } from '#knowledge/graph/graph-change'
import { graphFromFile, graphToFile } from '#knowledge/graph/graph'
import { find, primitivesOf } from '#knowledge/graph/revision'
import { ground } from '#knowledge/grounding/ground'
import { count } from '../../support/vitest/counts.ts'
import { graphFile, graphNames, profile } from '../../support/samples/graph-arbitraries.ts'
import { plainChange } from './graph-plain.ts'

const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...graphNames.slice(0, 3)) },
  { weight: 2, arbitrary: fc.constantFrom(...graphNames.slice(3, 5), 'ALPHA', 'fresh', 'Fresh') },
)
const level = fc.nat(4)
const type = fc.constantFrom(...relationTypes)
const inert: Policy = {
  name: 'inert',
  requiresConfirmation: false,
  triggerCardinality: null,
  callback: null,
  confirmationMessage: 'go on?',
  metadata: {},
}
const policies = fc.nat(9).map((drawn): Policy[] => (drawn === 0 ? [inert] : []))
const relatum = fc.record({
  type,
  target: name,
  targetDepth: level,
  metadata: fc.constant({}),
  policies,
})
const properties = fc.constantFrom({}, { description: 'said' })

const operation: fc.Arbitrary<GraphOperation> = fc.oneof(
  fc.record({ op: fc.constant('add' as const), name }),
  fc.record({ op: fc.constant('rename' as const), name, to: name }),
  fc.record({ op: fc.constant('remove' as const), name }),
  fc.record({ op: fc.constant('describe' as const), name, level, properties }),
  fc.record({ op: fc.constant('erase' as const), name, level }),
  { weight: 3, arbitrary: fc.record({ op: fc.constant('relate' as const), name, level, relatum }) },
  fc.record({ op: fc.constant('unrelate' as const), name, level, type, target: name }),
)
const operations = fc.array(operation, { maxLength: 6 })
const small = graphFile.map(({ primitives }): GraphFile => {
  const kept = primitives.slice(0, 5)
  const names = new Set(kept.map((primitive) => primitive.name))
  return {
    primitives: kept.map((primitive) => ({
      ...primitive,
      depths: primitive.depths.map((depth) => ({
        ...depth,
        relata: depth.relata.filter(({ target }) => names.has(target)),
      })),
    })),
  }
})

test('a change set applies its operations, or is refused for their reason', () => {
  const outcomes = new Map<string, number>()
  fc.assert(
    fc.property(small, operations, (file, set) => {
      const change = applyChange(graphFromFile(file), set)
      const expected = plainChange(file, set)
      const got = 'graph' in change ? graphToFile(change.graph) : change.refused.code
      expect(got).toEqual(expected)
      const outcome = typeof expected === 'string' ? expected : 'applied'
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }),
    { numRuns: count(10_000, 2_000) },
  )
  // The draws must reach every way to refuse, or the property would hold for want of cases.
  const codes = ['applied', 'name_taken', 'name_unknown', 'level_unknown', 'edge_unknown']
  for (const code of [...codes, 'policy_without_effect', 'target_dangling', 'cycle_transitive']) {
    expect(outcomes.get(code) ?? 0, code).toBeGreaterThan(10)
  }
})

test('a graph is never changed by what is made of it', () => {
  fc.assert(
    fc.property(small, operations, operations, (file, one, other) => {
      const graph = graphFromFile(file)
      const first = applyChange(graph, one)
      applyChange(graph, other)
      expect(graphToFile(graph)).toEqual(file)
      if ('graph' in first) expect(graphToFile(first.graph)).toEqual(plainChange(file, one))
    }),
    { numRuns: count(2_000, 500) },
  )
})

test('a chain of change sets leaves the graph that its file would make again', () => {
  fc.assert(
    fc.property(small, fc.array(operations, { maxLength: 12 }), profile, (file, sets, asked) => {
      let graph = graphFromFile(file)
      for (const set of sets) {
        const change = applyChange(graph, set)
        if ('graph' in change) graph = change.graph
      }
      const again = graphFromFile(graphToFile(graph))
      expect(graph.size).toBe(again.size)
      for (const [, record] of primitivesOf(graph)) {
        const twin = find(again, record.name)
        expect(twin?.inbound).toBe(record.inbound)
        const query = { concepts: [record.name, 'alpha'], profile: asked }
        expect(ground(graph, query)).toEqual(ground(again, query))
      }
    }),
    { numRuns: 1000 },
  )
})
