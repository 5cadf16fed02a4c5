// A policy is put on one edge: the others, alike or not, stay as they are, and so does what is
// known of who wrote them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyChange } from '#knowledge/graph/graph-change'
import { graphFromFile, graphToFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import { find } from '#knowledge/graph/revision'
import { GraphFile, Policy, type GraphOperation, type Provenance } from '#schemas/graph'
import { adding, edgesOf, withPolicies } from '#cli/rules/policy/edges'

const relatum = (target: string, targetDepth: number, ...policies: readonly string[]) => ({
  type: 'APPLIES_TO' as const,
  target,
  targetDepth,
  metadata: { since: targetDepth },
  policies: policies.map((name) => ({ name })),
})
const file = GraphFile.parse({
  primitives: [
    { name: 'file', depths: [{ level: 0 }, { level: 1, properties: { is: 'a text' } }] },
    {
      name: 'delete',
      depths: [
        { level: 0 },
        { level: 1, relata: [relatum('file', 0, 'one'), relatum('file', 1, 'two')] },
        { level: 3, relata: [relatum('file', 1), { ...relatum('file', 1), type: 'REQUIRES' }] },
      ],
    },
  ],
})
const graph = graphFromFile(file)
const policy = Policy.parse({ name: 'new' })

function applied(to: Graph, operations: readonly GraphOperation[]): Graph {
  const change = applyChange(to, operations)
  if ('graph' in change) return change.graph
  throw new Error(change.refused.message)
}

function edgeAt(index: number, of = graph) {
  const edge = edgesOf(of, 'delete')[index]
  if (edge === undefined) throw new Error('there are four edges')
  return edge
}

const namesOf = (of: Graph) =>
  edgesOf(of).map(({ policies }) => policies.map(({ name }) => name).join(' '))

test('of two edges alike only the one that is meant gets it', () => {
  const add = (index: number) =>
    applied(
      graph,
      withPolicies(graph, edgeAt(index), (policies) => adding(policies, policy, false)),
    )
  expect(namesOf(add(0))).toEqual(['one new', 'two', '', ''])
  expect(namesOf(add(1))).toEqual(['one', 'two new', '', ''])
  expect(namesOf(add(2))).toEqual(['one', 'two', 'new', ''])
})

test('what is put on and taken away again leaves the graph as it was', () => {
  const edge = edgeAt(1)
  const put = applied(
    graph,
    withPolicies(graph, edge, (policies) => adding(policies, policy, false)),
  )
  const without = withPolicies(put, edge, (policies) =>
    policies.filter(({ name }) => name !== 'new'),
  )
  expect(graphToFile(applied(put, without))).toEqual(file)
})

test('every edge keeps its place, whatever is alike and comes before or after it', () => {
  const level = fc.array(
    fc.record({
      type: fc.constantFrom('APPLIES_TO', 'REQUIRES'),
      target: fc.constantFrom('file', 'disk', 'mail'),
      targetDepth: fc.constantFrom(0, 1),
    }),
    { minLength: 1, maxLength: 8 },
  )
  const placesOf = (of: Graph) => edgesOf(of).map((edge) => ({ ...edge, policies: [] }))
  fc.assert(
    fc.property(level, fc.nat(), (relata, nth) => {
      const before = graphFromFile(
        GraphFile.parse({
          primitives: [
            { name: 'file', depths: [{ level: 0 }] },
            { name: 'disk', depths: [{ level: 0 }] },
            { name: 'mail', depths: [{ level: 0 }] },
            { name: 'delete', depths: [{ level: 0, relata }] },
          ],
        }),
      )
      const at = nth % relata.length
      const operations = withPolicies(before, edgeAt(at, before), () => [policy])
      const after = applied(before, operations)
      expect(placesOf(after)).toEqual(placesOf(before))
      expect(namesOf(after)).toEqual(relata.map((_, index) => (index === at ? 'new' : '')))
    }),
  )
})

test('who related the two stays known', () => {
  const provenance: Provenance = {
    source: 'learned',
    by: 'small',
    at: '2026-01-01T00:00:00.000Z',
    intent: 'bot.-.u1',
  }
  const learned = applied(graph, [
    { op: 'unrelate', name: 'delete', level: 3, type: 'APPLIES_TO', target: 'file' },
    {
      op: 'relate',
      name: 'delete',
      level: 3,
      relatum: { ...relatum('file', 1), policies: [] },
      provenance,
    },
  ])
  const operations = withPolicies(learned, edgeAt(3, learned), (policies) => [...policies, policy])
  const edges = find(applied(learned, operations), 'delete')?.edges ?? []
  expect(edges[3]).toMatchObject({ provenance, policies: [{ name: 'new' }] })
})

test('an edge that someone took away meanwhile is not brought back', () => {
  const gone = applied(graph, [
    { op: 'unrelate', name: 'delete', level: 3, type: 'APPLIES_TO', target: 'file' },
  ])
  const put = () => withPolicies(gone, edgeAt(2), (policies) => [...policies, policy])
  expect(put).toThrow(expect.objectContaining({ code: 'edge_unknown' }))
})

test('a name is taken on its own edge only, and replaced in its place', () => {
  const [one, two] = edgesOf(graph, 'delete')
  const named = Policy.parse({ name: 'one', confirmationMessage: 'New?' })
  const taken = () => adding(one?.policies ?? [], named, false)
  expect(taken).toThrow(expect.objectContaining({ code: 'policy_taken' }))
  expect(adding(two?.policies ?? [], named, false)).toHaveLength(2)
  expect(adding([...(one?.policies ?? []), policy], named, true)).toEqual([named, policy])
})

test('it explains why no policy on an edge would fire', () => {
  const [, , deep, required] = edgesOf(graph, 'delete')
  expect(edgesOf(graph, 'delete').map(({ silent }) => silent === null)).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(deep?.silent).toContain('known down to D1 only')
  expect(required?.silent).toContain('not an APPLIES_TO edge')
})

test('a source is found however it is cased, and an unknown one has no edges', () => {
  expect(edgesOf(graph, 'DELETE')).toHaveLength(4)
  expect(edgesOf(graph, 'erase')).toEqual([])
})
