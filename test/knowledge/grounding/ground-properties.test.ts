// What holds of every grounding, on random graphs.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Gap, GraphFile } from '#schemas/graph'
import { graphFromFile, graphToFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import { applyChange, operationsFromFile } from '#knowledge/graph/graph-change'
import type { GraphView } from '#ports/graph-view'
import { ground, type GroundingAnswer, type GroundingQuery } from '#knowledge/grounding/ground'
import {
  concepts,
  graphFile,
  graphNames,
  minDepth,
  profile,
} from '../../support/samples/graph-arbitraries.ts'
import { plainGround } from './ground-plain.ts'
import { count } from '../../support/vitest/counts.ts'

const query: fc.Arbitrary<GroundingQuery> = fc.record({ concepts, minDepth, profile })
const runs = { numRuns: count(2_000, 500) }

describe('grounding', () => {
  test('answers to the byte as the written rules do', () => {
    fc.assert(
      fc.property(graphFile, query, (file, asked) => {
        const answer = ground(graphFromFile(file), asked)
        expect(JSON.stringify(answer)).toBe(JSON.stringify(plainGround(file, asked)))
      }),
      runs,
    )
  })

  test('answers to the byte the same from the least that a view must gather', async () => {
    await fc.assert(
      fc.asyncProperty(graphFile, query, async (file, asked) => {
        const whole = ground(graphFromFile(file), asked)
        const { graph } = await leastView(file).gather(asked.concepts)
        expect(JSON.stringify(ground(graph, asked))).toBe(JSON.stringify(whole))
      }),
      runs,
    )
  })

  test('only adds to gaps, or deepens them, as the least depth rises', () => {
    fc.assert(
      fc.property(graphFile, query, fc.nat(4), fc.nat(4), (file, asked, one, other) => {
        const graph = graphFromFile(file)
        const lower = ground(graph, { ...asked, minDepth: Math.min(one, other) })
        const higher = ground(graph, { ...asked, minDepth: Math.max(one, other) })
        for (const gap of lower.gaps)
          expect(higher.gaps.some((each) => covers(each, gap))).toBe(true)
        expect(higher.pathway).toEqual(lower.pathway)
      }),
      runs,
    )
  })

  test('sees and counts the same in whatever order the concepts come', () => {
    fc.assert(
      fc.property(graphFile, query, fc.nat(), (file, asked, turn) => {
        const graph = graphFromFile(file)
        const at = asked.concepts.length === 0 ? 0 : turn % asked.concepts.length
        const turned = [...asked.concepts.slice(at), ...asked.concepts.slice(0, at)]
        const one = ground(graph, asked)
        const other = ground(graph, { ...asked, concepts: turned })
        expect(whatIsThere(other)).toEqual(whatIsThere(one))
        expect(other.grounded).toBe(one.grounded)
      }),
      runs,
    )
  })

  test('is grounded exactly if something was asked and nothing is missing', () => {
    fc.assert(
      fc.property(graphFile, query, (file, asked) => {
        const { grounded, gaps, resolved } = ground(graphFromFile(file), asked)
        expect(grounded).toBe(asked.concepts.length > 0 && gaps.length === 0)
        expect(resolved).toHaveLength(asked.concepts.length)
      }),
      runs,
    )
  })

  test('leaves nothing behind that another call could notice', () => {
    fc.assert(
      fc.property(graphFile, graphFile, query, query, (file, otherFile, asked, otherAsked) => {
        const graph = graphFromFile(file)
        const before = JSON.stringify(ground(graph, asked))
        ground(graphFromFile(otherFile), otherAsked)
        ground(graph, otherAsked)
        expect(JSON.stringify(ground(graph, asked))).toBe(before)
      }),
      runs,
    )
  })
})

describe('a graph', () => {
  test('comes back from its file as it was', () => {
    fc.assert(
      fc.property(graphFile, (file) => {
        expect(graphToFile(graphFromFile(file))).toEqual(file)
      }),
      runs,
    )
  })

  test('is the same whether its seed is applied at once or one operation after the other', () => {
    fc.assert(
      fc.property(graphFile, query, (file, asked) => {
        let graph: Graph = graphFromFile({ primitives: [] })
        for (const operation of operationsFromFile(file)) {
          const change = applyChange(graph, [operation])
          graph = 'graph' in change ? change.graph : expect.fail(change.refused.message)
        }
        expect(graphToFile(graph)).toEqual(file)
        expect(ground(graph, asked)).toEqual(ground(graphFromFile(file), asked))
      }),
      { numRuns: count(300, 100) },
    )
  })
})

function whatIsThere(answer: GroundingAnswer): unknown {
  const { visible, pathway, gated, policies, gaps } = answer
  const known = gaps.filter((gap) => gap.kind === 'DEPTH' || gap.kind === 'RELATIONAL')
  return { visible, pathway, gated, policies, known }
}

function covers(higher: Gap, lower: Gap): boolean {
  if (!('required' in higher) || !('required' in lower)) {
    return JSON.stringify(higher) === JSON.stringify(lower)
  }
  const alike =
    JSON.stringify({ ...higher, required: 0 }) === JSON.stringify({ ...lower, required: 0 })
  return alike && higher.required >= lower.required
}

/** A view that keeps back all that the port lets it keep back. */
function leastView(file: GraphFile): GraphView {
  const gather: GraphView['gather'] = async (asked) => {
    return { graph: graphFromFile(gathered(file, asked)), revision: 1, position: 1 }
  }
  return { gather }
}

/** What is pulled in, whole, and the bare names of what that relates to besides. */
function gathered(file: GraphFile, asked: readonly string[]): GraphFile {
  const keys = new Set(asked.map((each) => each.toLowerCase()))
  const roots = graphNames.filter((name) => keys.has(name.toLowerCase()))
  const whole = new Set<string>(roots)
  const named = new Set<string>(roots)
  for (const name of whole) {
    for (const { type, target } of relataOf(file, name)) {
      named.add(target)
      if (type !== 'APPLIES_TO' && type !== 'INCLUDES') whole.add(target)
    }
  }
  const primitives = file.primitives
    .filter(({ name }) => named.has(name))
    .map((each) => (whole.has(each.name) ? each : { name: each.name, depths: [] }))
  return { primitives }
}

function relataOf(
  file: GraphFile,
  name: string,
): GraphFile['primitives'][0]['depths'][0]['relata'] {
  const primitive = file.primitives.find((each) => each.name === name)
  return primitive?.depths.flatMap((depth) => depth.relata) ?? []
}
