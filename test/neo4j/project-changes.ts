// Random change sets that a graph takes, with what is hard to project among them: names that change
// places, what goes and is redelivered within a set, edges alike, hostile names.
import fc from 'fast-check'
import { relationTypes, type GraphOperation, type Policy, type Provenance } from '#schemas/graph'
import { applyChange } from '#knowledge/graph/graph-change'
import { graphToFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'

export const hostile = [
  "'); MATCH (n) DETACH DELETE n //",
  '`Primitive`',
  '}) SET p.key = 1 //',
  'İstanbul ẞ \u0000 e\u0301',
  '$rows',
  '\\u0027 OR 1=1',
] as const

const names = ['alpha', 'Bravo', 'sent emails', '__proto__', hostile[0], hostile[3]] as const
const name = fc.constantFrom(...names)
const level = fc.constantFrom(0, 0, 0, 1, 2, 3, 4)
const type = fc.constantFrom(...relationTypes)
const properties = fc.constantFrom<Record<string, string | number>>(
  {},
  { b: 'said', a: 1 },
  { 'p.key': "x'})" },
)
const provenance = fc.constantFrom(
  undefined,
  { source: 'authored' as const, by: 'root', at: '2026-01-01T00:00:00.000Z' },
  { source: 'learned' as const, by: "'; //", at: '2026-01-02T00:00:00.000Z', intent: 'a.-.b' },
)

const policy: fc.Arbitrary<Policy> = fc.record({
  name,
  requiresConfirmation: fc.constant(true),
  triggerCardinality: fc.constantFrom(null, 'single' as const, 'multiple' as const),
  callback: fc.constantFrom(null, 'look'),
  confirmationMessage: fc.constantFrom('go on?', '`{action}`'),
  metadata: fc.constantFrom({}, { why: ['so'] }),
})

const relatum = fc.record({
  type,
  target: name,
  targetDepth: level,
  metadata: fc.constantFrom({}, { n: 1 }),
  policies: fc.array(policy, { maxLength: 2 }),
})

/** Which edge it is, only a graph shows. */
type Drawn = GraphOperation | { readonly op: 'unrelate an edge'; readonly nth: number }
type Unit = readonly Drawn[]

function stamped<T extends object>(operation: T, by: Provenance | undefined) {
  return by === undefined ? operation : { ...operation, provenance: by }
}

/** Operations that only make sense together. */
const unit: fc.Arbitrary<Unit> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(name, provenance)
      .map(([one, by]) => [stamped({ op: 'add' as const, name: one }, by)]),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(name, level, properties, provenance)
      .map(([one, at, said, by]) => [
        stamped({ op: 'describe' as const, name: one, level: at, properties: said }, by),
      ]),
  },
  {
    weight: 8,
    arbitrary: fc
      .tuple(name, level, relatum, provenance)
      .map(([one, at, to, by]) => [
        stamped({ op: 'relate' as const, name: one, level: at, relatum: to }, by),
      ]),
  },
  name.map((one) => [{ op: 'remove' as const, name: one }]),
  fc.tuple(name, level).map(([one, at]) => [{ op: 'erase' as const, name: one, level: at }]),
  { weight: 3, arbitrary: fc.nat(99).map((nth) => [{ op: 'unrelate an edge' as const, nth }]) },
  fc.tuple(name, name).map(([one, to]) => [{ op: 'rename' as const, name: one, to }]),
  fc.tuple(name, name).map(([one, other]) => [
    { op: 'rename' as const, name: one, to: 'in between' },
    { op: 'rename' as const, name: other, to: one },
    { op: 'rename' as const, name: 'in between', to: other },
  ]),
  name.map((one) => [
    { op: 'remove' as const, name: one },
    { op: 'add' as const, name: one },
  ]),
  fc.tuple(name, level, properties).map(([one, at, said]) => [
    { op: 'erase' as const, name: one, level: at },
    { op: 'describe' as const, name: one, level: at, properties: said },
  ]),
)

const everyone: Unit = names.flatMap((each) => [
  { op: 'add' as const, name: each },
  { op: 'describe' as const, name: each, level: 0, properties: {} },
])

/** The first set brings all names; what the graph refuses of the others is left out. */
export const drawnSets: fc.Arbitrary<readonly Unit[]> = fc
  .array(fc.array(unit, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 8 })
  .map((sets) => [everyone, ...sets.map((units) => units.flat())])

/** As much of the set as this graph takes. */
export function taken(graph: Graph, drawn: Unit): readonly GraphOperation[] {
  const edges = graphToFile(graph).primitives.flatMap(({ name: source, depths }) =>
    depths.flatMap(({ level: at, relata }) => relata.map((to) => ({ source, at, to }))),
  )
  const operations = drawn.flatMap((each): readonly GraphOperation[] => {
    if (each.op !== 'unrelate an edge') return [each]
    const edge = edges[each.nth % Math.max(1, edges.length)]
    if (edge === undefined) return []
    const { source, at, to } = edge
    return [{ op: 'unrelate', name: source, level: at, type: to.type, target: to.target }]
  })
  return accepted(graph, operations)
}

function accepted(graph: Graph, operations: readonly GraphOperation[]): readonly GraphOperation[] {
  const whole = applyChange(graph, operations)
  if ('graph' in whole) return operations
  const { at } = whole.refused
  return accepted(
    graph,
    operations.filter((_, index) => index !== at),
  )
}
