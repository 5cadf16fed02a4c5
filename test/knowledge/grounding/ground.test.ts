// What grounding finds missing, in which order, and what it does not look at.
import { describe, expect, test } from 'vitest'
import { applyChange } from '#knowledge/graph/graph-change'
import { graphFromFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import { parseGraphFile } from '#authoring/changes/seed-file'
import { ground } from '#knowledge/grounding/ground'
import { profiles } from '#knowledge/grounding/survey'
import { graphOf } from '../../support/samples/graph-builder.ts'
import { gapsOf, toThing, written } from './ground-asked.ts'

describe.each(profiles)('in the %s profile', (profile) => {
  const gaps = (graph: Graph, asked: string, minDepth?: number): readonly string[] =>
    gapsOf(graph, { asked, minDepth, profile })

  test('nothing asked is nothing grounded, and nothing missing', () => {
    expect(ground(graphOf('file 0'), { concepts: [], profile, minDepth: 3 })).toEqual({
      grounded: false,
      resolved: [],
      gaps: [],
      pathway: [],
      policies: [],
      visible: [],
      gated: [],
    })
  })

  test('what is unknown is missing, and resolves to what was typed', () => {
    const answer = ground(graphOf('file 0'), { concepts: ['File', 'Missing'], profile })
    expect(answer.resolved).toEqual(['file', 'Missing'])
    expect(answer.gaps).toEqual([{ kind: 'EXISTENCE', primitive: 'Missing' }])
    expect(answer.visible).toEqual([{ name: 'file', level: 0 }])
  })

  test('a concept alone is grounded whatever is written of it, even nothing', () => {
    const graph = graphOf('empty', 'dormant 3', 'full 0-4')
    for (const name of ['empty', 'dormant', 'full']) expect(gaps(graph, name)).toEqual([])
    expect(ground(graph, { concepts: ['dormant'], profile }).visible).toEqual([
      { name: 'dormant', level: null },
    ])
  })

  test('a least depth of 0 finds what is known by name only, and 1 what only exists', () => {
    const graph = graphOf('empty', 'there 0')
    expect(gaps(graph, 'empty', 0)).toEqual(['DEPTH empty 0/null'])
    expect(gaps(graph, 'there', 0)).toEqual([])
    expect(gaps(graph, 'there', 1)).toEqual(['DEPTH there 1/0'])
  })

  test('a level above a hole does not count', () => {
    expect(gaps(graphOf('holed 0,1,3'), 'holed', 1)).toEqual([])
    expect(gaps(graphOf('holed 0,1,3'), 'holed', 2)).toEqual(['DEPTH holed 2/1'])
  })

  test('a least depth is asked of the concepts and not of what they pull in', () => {
    const graph = graphOf('read 0-3', 'file 0', 'read@1 REQUIRES file@0')
    expect(gaps(graph, 'read', 3)).toEqual([])
    expect(gaps(graph, 'read file', 3)).toEqual(['DEPTH file 3/0'])
  })

  test('a least depth raises what edges ask, and never lowers it', () => {
    const graph = graphOf('act 0,3', 'thing 0', 'act@3 REQUIRES thing@0')
    for (const minDepth of [undefined, 0, 1, 3]) {
      expect(gaps(graph, 'act', minDepth)).toEqual(['DEPTH act 3/0'])
    }
    expect(gaps(graph, 'act', 4)).toEqual(['DEPTH act 4/0'])
  })

  test('the deepest of several gated edges is what is asked', () => {
    const graph = graphOf('act 0,2,4', 'x 0', 'act@2 REQUIRES x@0', 'act@4 REQUIRES x@0')
    expect(gaps(graph, 'act')).toEqual(['DEPTH act 4/0'])
  })

  test('a gated edge pulls its target in, counts for nothing and joins nothing', () => {
    const graph = graphOf('act 0,2', 'thing 0', 'act@2 REQUIRES thing@1')
    const answer = ground(graph, { concepts: ['act', 'thing'], profile })
    const edge = {
      source: 'act',
      target: 'thing',
      type: 'REQUIRES',
      sourceDepth: 2,
      targetDepth: 1,
    }
    expect(answer.gated).toEqual([edge])
    expect(answer.pathway).toEqual([])
    expect(written(answer.gaps)).toEqual(['DEPTH act 2/0', 'REACHABILITY thing'])
  })

  test('visible edges ask their target to be known as deeply as the deepest of them asks', () => {
    const graph = graphOf(
      'act 0-2',
      'thing 0',
      'act@1 REQUIRES thing@1',
      'act@2 APPLIES_TO thing@3',
      'act@2 APPLIES_TO thing@2',
    )
    expect(gaps(graph, 'act')).toEqual(['RELATIONAL act>thing 3/0'])
  })

  test('APPLIES_TO and INCLUDES pull nothing in, but count once both ends are there', () => {
    const graph = graphOf(
      'act 0-2',
      'thing 0',
      'act@2 APPLIES_TO thing@1',
      'thing@0 INCLUDES act@0',
    )
    expect(gaps(graph, 'act')).toEqual([])
    expect(gaps(graph, 'thing')).toEqual([])
    expect(gaps(graph, 'act thing')).toEqual(['RELATIONAL act>thing 1/0'])
  })

  test('circles of APPLIES_TO and INCLUDES, and edges to oneself, are edges like any other', () => {
    const graph = graphOf(
      'a 0,1',
      'b 0,1',
      'a@0 INCLUDES b@1',
      'b@0 APPLIES_TO a@1',
      'b@1 INCLUDES b@2',
    )
    expect(gaps(graph, 'a b')).toEqual(['RELATIONAL b>b 2/1'])
  })

  test('two concepts hang together through what both rest on', () => {
    const graph = graphOf(
      'a 0',
      'b 0',
      'ground 0',
      'a@0 REQUIRES ground@0',
      'b@0 REQUIRES ground@0',
    )
    expect(gaps(graph, 'a b')).toEqual([])
  })

  test('of parts that do not hang together the larger one holds, and on a tie the first', () => {
    const graph = graphOf('lone 0', 'act 0', 'thing 0', 'other 0', 'act@0 REQUIRES thing@0')
    expect(gaps(graph, 'lone act')).toEqual(['REACHABILITY lone'])
    expect(gaps(graph, 'act lone')).toEqual(['REACHABILITY lone'])
    expect(gaps(graph, 'lone other')).toEqual(['REACHABILITY other'])
    expect(gaps(graph, 'other lone')).toEqual(['REACHABILITY lone'])
    expect(gaps(graph, 'lone act other thing')).toEqual(['REACHABILITY lone', 'REACHABILITY other'])
  })

  test('an unknown concept is out of no one’s reach, and hides no one who is', () => {
    const graph = graphOf('a 0', 'b 0')
    expect(gaps(graph, 'a missing')).toEqual(['EXISTENCE missing'])
    expect(gaps(graph, 'missing a b')).toEqual(['EXISTENCE missing', 'REACHABILITY b'])
  })

  test('gaps come as EXISTENCE, DEPTH, RELATIONAL, REACHABILITY, and within each as stored', () => {
    const graph = graphOf(
      'late 0',
      'b 0,3',
      'a 0,2',
      'deep 0',
      'a@2 REQUIRES deep@0',
      'b@3 REQUIRES deep@0',
      'a@0 REQUIRES deep@2',
      'b@0 REQUIRES deep@1',
    )
    expect(gaps(graph, 'missing late a b', 1)).toEqual([
      'EXISTENCE missing',
      'DEPTH b 3/0',
      'DEPTH a 2/0',
      'DEPTH late 1/0',
      'RELATIONAL b>deep 1/0',
      'RELATIONAL a>deep 2/0',
      'REACHABILITY late',
    ])
  })

  test('parallel edges are all on the pathway', () => {
    const graph = graphOf(
      'a 0-1',
      'b 0',
      'a@0 REQUIRES b@0',
      'a@0 REQUIRES b@0',
      'a@1 INCLUDES b@0',
    )
    expect(ground(graph, { concepts: ['a'], profile }).pathway).toHaveLength(3)
  })

  test('names that objects inherit are neither known nor in the way', () => {
    const graph = graphOf('constructor 0', '__proto__ 0', '__proto__@0 REQUIRES constructor@1')
    expect(gaps(graph, '__proto__')).toEqual(['RELATIONAL __proto__>constructor 1/0'])
    expect(gaps(graph, 'toString valueOf')).toEqual(['EXISTENCE toString', 'EXISTENCE valueOf'])
  })

  test('ten thousand concepts are judged as they are', () => {
    const concepts = Array.from(
      { length: 10_000 },
      (_, index) => `${index % 2 ? 'a' : 'missing'} ${index}`,
    )
    const answer = ground(graphOf('file 0'), { concepts, profile })
    expect(answer.gaps).toHaveLength(10_000)
    expect(answer.resolved).toEqual(concepts)
  })

  test('the policies of what was asked about come in stored order', () => {
    const graph = graphFromFile(
      parseGraphFile({
        primitives: [
          { name: 'b', depths: [{ level: 0, relata: [toThing('APPLIES_TO', 'p1', 'p2')] }] },
          { name: 'a', depths: [{ level: 0, relata: [toThing('APPLIES_TO', 'p3')] }] },
          { name: 'c', depths: [{ level: 0, relata: [toThing('REQUIRES', 'p4')] }] },
          { name: 'thing', depths: [{ level: 0 }] },
        ],
      }),
    )
    const policiesFor = (...concepts: readonly string[]): readonly string[] =>
      ground(graph, { concepts, profile }).policies.map(
        (each) => `${each.source} ${each.policy.name}`,
      )
    expect(policiesFor('a', 'thing', 'b')).toEqual(['b p1', 'b p2', 'a p3'])
    expect(policiesFor('a')).toEqual([])
    expect(policiesFor('c')).toEqual([])
    expect(policiesFor('c', 'b')).toEqual(['b p1', 'b p2'])
  })

  test('a rename is seen at once, and by older revisions never', () => {
    const before = graphOf('a 0', 'b 0', 'a@0 REQUIRES b@1')
    const change = applyChange(before, [{ op: 'rename', name: 'b', to: 'c' }])
    const after = 'graph' in change ? change.graph : expect.fail(change.refused.message)
    expect(gaps(after, 'a')).toEqual(['RELATIONAL a>c 1/0'])
    expect(gaps(before, 'a')).toEqual(['RELATIONAL a>b 1/0'])
  })
})
