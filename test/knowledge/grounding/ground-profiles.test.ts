// In what the two profiles differ: repeats, empty levels, and how far is looked.
import { describe, expect, test } from 'vitest'
import { graphFromFile } from '#knowledge/graph/graph'
import { parseGraphFile } from '#authoring/changes/seed-file'
import { ground } from '#knowledge/grounding/ground'
import { profiles } from '#knowledge/grounding/survey'
import { graphOf } from '../../support/samples/graph-builder.ts'
import { gapsOf, toThing, written } from './ground-asked.ts'

describe('what is asked twice', () => {
  const graph = graphOf('a 0', 'b 0')

  test('is one in strict, in whatever case, but resolves as often as it is asked', () => {
    const concepts = ['Missing', 'a', 'MISSING', 'A', 'b', 'B']
    const answer = ground(graph, { concepts, profile: 'strict' })
    expect(answer.resolved).toEqual(['Missing', 'a', 'MISSING', 'a', 'b', 'b'])
    expect(written(answer.gaps)).toEqual(['EXISTENCE Missing', 'REACHABILITY b'])
  })

  test('is twice missing in classic, but too shallow only once', () => {
    const asked = { asked: 'missing a Missing b B', minDepth: 1, profile: 'classic' as const }
    expect(gapsOf(graph, asked)).toEqual([
      'EXISTENCE missing',
      'EXISTENCE Missing',
      'DEPTH a 1/0',
      'DEPTH b 1/0',
      'REACHABILITY b',
      'REACHABILITY b',
    ])
  })

  test('is one concept, so nothing can be out of reach', () => {
    for (const profile of profiles) expect(gapsOf(graph, { asked: 'a A a', profile })).toEqual([])
  })
})

describe('the profiles differ', () => {
  test('an empty level counts in classic, and in strict only if something hangs on it', () => {
    const graph = graphOf('hollow 0,1~', 'holding 0,1~', 'x 0', 'holding@1 INCLUDES x@0')
    const at = { minDepth: 1 }
    expect(gapsOf(graph, { asked: 'hollow', profile: 'classic', ...at })).toEqual([])
    expect(gapsOf(graph, { asked: 'hollow', profile: 'strict', ...at })).toEqual([
      'DEPTH hollow 1/0',
    ])
    expect(gapsOf(graph, { asked: 'holding', profile: 'strict', ...at })).toEqual([])
  })

  test('existence needs no words in either', () => {
    for (const profile of profiles) {
      expect(gapsOf(graphOf('there 0'), { asked: 'there', minDepth: 0, profile })).toEqual([])
    }
  })

  // The gated edge of `act` is all that leads to `far`, and no one asked about `far`.
  const graph = graphOf(
    'act 0,2',
    'far 0,3',
    'end 0',
    'act@2 REQUIRES far@0',
    'far@3 REQUIRES end@0',
    'far@0 INCLUDES end@4',
  )

  test('classic judges all that is pulled in, strict only what an unbroken path leads to', () => {
    expect(gapsOf(graph, { asked: 'act', profile: 'classic' })).toEqual([
      'DEPTH act 2/0',
      'DEPTH far 3/0',
      'RELATIONAL far>end 4/0',
    ])
    expect(gapsOf(graph, { asked: 'act', profile: 'strict' })).toEqual(['DEPTH act 2/0'])
    expect(ground(graph, { concepts: ['act'], profile: 'strict' }).visible).toEqual([
      { name: 'act', level: 0 },
    ])
  })

  test('strict goes along edges of all types, but only to what is pulled in', () => {
    const mixed = graphOf(
      'a 0',
      'b 0,2',
      'c 0',
      'a@0 INCLUDES b@0',
      'a@0 REQUIRES c@0',
      'b@2 REQUIRES c@0',
    )
    expect(gapsOf(mixed, { asked: 'a', profile: 'strict' })).toEqual([])
    const joined = graphOf(
      'a 0',
      'c 0',
      'b 0,2',
      'a@0 INCLUDES b@0',
      'c@0 REQUIRES b@0',
      'b@2 INCLUDES a@0',
    )
    expect(gapsOf(joined, { asked: 'a c', profile: 'strict' })).toEqual(['DEPTH b 2/0'])
  })

  test('policies of gated edges are seen in classic only, where the answer is no anyway', () => {
    const gated = graphFromFile(
      parseGraphFile({
        primitives: [
          { name: 'a', depths: [{ level: 0 }, { level: 2, relata: [toThing('APPLIES_TO', 'p')] }] },
          { name: 'thing', depths: [{ level: 0 }] },
        ],
      }),
    )
    const asked = { concepts: ['a', 'thing'] }
    expect(ground(gated, { ...asked, profile: 'classic' }).policies).toHaveLength(1)
    expect(ground(gated, { ...asked, profile: 'strict' }).policies).toEqual([])
  })
})
