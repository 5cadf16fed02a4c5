// A graph in which everything is written that can be written of a primitive, and graphs as texts
// that say all of it.
import { expect } from 'vitest'
import type { GraphOperation, Policy, Provenance } from '#schemas/graph'
import { applyChange } from '#knowledge/graph/graph-change'
import { plainPrimitives, type PlainPrimitive } from '#knowledge/graph/copy'
import { emptyGraph, type Graph } from '#knowledge/graph/revision'

const ada: Provenance = { source: 'authored', by: 'ada', at: '2026-01-01T00:00:00.000Z' }
const learned: Provenance = { ...ada, source: 'learned', intent: 'agent.session.1' }
const policy: Policy = {
  name: 'ask "first"',
  requiresConfirmation: true,
  triggerCardinality: 'multiple',
  callback: null,
  confirmationMessage: 'Really {action}?',
  metadata: { z: [1, 0.5, null], a: { deep: true } },
}

/** `owner` comes in only through `disk`, and `aside` is only related to. */
export const written: readonly GraphOperation[] = [
  ...['owner', 'disk', 'file', 'read', 'aside'].map((name): GraphOperation => {
    return { op: 'add', name, provenance: ada }
  }),
  { op: 'describe', name: 'disk', level: 3, properties: { '2': 'b', '1': 'a', z: 1e21, a: [] } },
  { op: 'describe', name: 'file', level: 0, properties: {}, provenance: learned },
  { op: 'describe', name: 'read', level: 0, properties: {} },
  { op: 'describe', name: 'read', level: 2, properties: { text: 'ẞ\n"\\ 🧾' }, provenance: ada },
  relation('read', 2, { type: 'APPLIES_TO', target: 'file', policies: [policy] }),
  relation('read', 0, { type: 'REQUIRES', target: 'file' }, learned),
  relation('read', 2, { type: 'APPLIES_TO', target: 'file', policies: [policy, policy] }),
  relation('read', 2, { type: 'INCLUDES', target: 'aside' }),
  relation('file', 0, { type: 'DEPENDS_ON', target: 'disk' }, ada),
  relation('disk', 3, { type: 'CONSTRAINED_BY', target: 'owner' }),
  relation('disk', 3, { type: 'INCLUDES', target: 'read' }),
]

type Relatum = Extract<GraphOperation, { readonly op: 'relate' }>['relatum']

function relation(
  name: string,
  level: number,
  relatum: Pick<Relatum, 'type' | 'target'> & Partial<Relatum>,
  provenance?: Provenance,
): GraphOperation {
  const whole = { targetDepth: 1, metadata: { of: name }, policies: [], ...relatum }
  const said = { op: 'relate', name, level, relatum: whole } as const
  return provenance === undefined ? said : { ...said, provenance }
}

export function graphOfOperations(operations: readonly GraphOperation[]): Graph {
  const change = applyChange(emptyGraph, operations)
  return 'graph' in change ? change.graph : expect.fail(change.refused.message)
}

/** In stored order. */
export function namesOf(graph: Graph): readonly string[] {
  return [...plainPrimitives(graph)].map(({ name }) => name)
}

/** Every primitive by its name, its edges with the names of what they lead to. */
export function wholeOnes(graph: Graph): ReadonlyMap<string, PlainPrimitive> {
  const all = [...plainPrimitives(graph)]
  const named = all.map(({ levels, ...primitive }) => ({
    ...primitive,
    levels: levels.map(({ relata, ...level }) => ({
      ...level,
      relata: relata.map((edge) => ({ ...edge, name: all[edge.target]?.name, target: 0 })),
    })),
  }))
  return new Map(named.map((primitive) => [primitive.name, primitive]))
}

export function textOf(graph: Graph): string {
  return JSON.stringify([...wholeOnes(graph).values()])
}
