// Change sets for tests, written short.
import { expect } from 'vitest'
import type { GraphFile, GraphOperation, Policy, Relatum } from '#schemas/graph'
import { applyChange } from '#knowledge/graph/graph-change'
import { graphFromFile, graphToFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'

export function add(name: string): GraphOperation {
  return { op: 'add', name }
}

export function describeLevel(name: string, level: number): GraphOperation {
  return { op: 'describe', name, level, properties: { description: `level ${level}` } }
}

type PolicyTerms = Pick<Policy, 'requiresConfirmation' | 'callback'>

export function relate(
  name: string,
  level: number,
  type: Relatum['type'],
  target: string,
  terms?: PolicyTerms,
): GraphOperation {
  return { op: 'relate', name, level, relatum: relatumTo(type, target, terms) }
}

export function relatumTo(type: Relatum['type'], target: string, terms?: PolicyTerms): Relatum {
  const rest = {
    name: 'watch',
    triggerCardinality: null,
    confirmationMessage: 'go on?',
    metadata: {},
  }
  const policies = terms === undefined ? [] : [{ ...rest, ...terms }]
  return { type, target, targetDepth: 0, metadata: {}, policies }
}

/** Primitives with level 0, and edges on it written as `TYPE target`. */
export function seeded(...primitives: readonly (readonly [string, ...string[]])[]): Graph {
  const types = ['REQUIRES', 'DEPENDS_ON'] as const
  return graphFromFile({
    primitives: primitives.map(([name, ...relata]) => {
      const written = relata.map((text) => {
        const type = types.find((each) => text.startsWith(each)) ?? expect.fail(text)
        return { type, target: text.slice(type.length + 1) }
      })
      return fileOf(name, 0, written)
    }),
  })
}

export function fileOf(
  name: string,
  level: number,
  relata: readonly Pick<Relatum, 'type' | 'target'>[],
): GraphFile['primitives'][0] {
  const rest = { targetDepth: 0, metadata: {}, policies: [] }
  return {
    name,
    depths: [{ level, properties: {}, relata: relata.map((each) => ({ ...each, ...rest })) }],
  }
}

export function applied(graph: Graph, operations: readonly GraphOperation[]): Graph {
  const change = applyChange(graph, operations)
  return 'graph' in change ? change.graph : expect.fail(change.refused.message)
}

export function refusal(change: ReturnType<typeof applyChange>): { code: string; at: number } {
  if ('graph' in change) return expect.fail('it was applied')
  const { code, at } = change.refused
  return { code, at }
}

export function message(change: ReturnType<typeof applyChange>): string {
  return 'refused' in change ? change.refused.message : ''
}

export function edges(graph: Graph, name: string): readonly string[] {
  const primitive = graphToFile(graph).primitives.find((each) => each.name === name)
  const relata = primitive?.depths.flatMap((depth) => depth.relata) ?? []
  return relata.map(({ type, target }) => `${type} ${target}`)
}
