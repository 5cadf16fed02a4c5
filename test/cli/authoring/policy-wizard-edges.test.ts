// The edges that policies hang on: which there are, and which names and policies are taken there.
import { expect, test } from 'vitest'
import { graphFromFile } from '#knowledge/graph/graph'
import { GraphFile, Policy } from '#schemas/graph'
import { adding, edgesOf } from '#cli/rules/policy/edges'

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
