// Random changes of a graph and a catalog, as people make them: by single operations, and with the
// policy wizard. The same each time, so that what fails once fails again.
import type { Catalog } from '#rules/catalog/catalog'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { applyChange } from '#knowledge/graph/graph-change'
import { graphToFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import type { State } from '#state/state'
import type { Operations } from '#authoring/change-check'
import { Capability, type CatalogOperation } from '#schemas/catalog'
import { Policy, Relatum, type GraphOperation } from '#schemas/graph'
import { adding, edgesOf } from '#cli/rules/policy/edges'

export type Random = (max: number) => number

/** Mulberry32: small, and good enough for draws that follow one another. */
export function randomly(seed: number): Random {
  let seedNow = seed
  return (max) => {
    seedNow = (seedNow + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(seedNow ^ (seedNow >>> 15), seedNow | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * max)
  }
}

export function pick<T>(from: readonly T[], random: Random): T {
  const one = from[random(from.length)]
  if (one === undefined) throw new Error('there is nothing to pick')
  return one
}

/** Checks that policies may call: of the last one no one can know what it will say. */
export const module = `
export const holds = () => ({ passed: true })
export const fails = () => ({ passed: false, message: 'it never holds' })
export const outside = async () => ({ passed: true })
outside.recorded = true
`

const known = { level: 1, properties: { what: 'known' } }
const applies = (target: string) => ({ type: 'APPLIES_TO' as const, target, targetDepth: 1 })

/** What all changes begin with: it knows no moon. */
export const begun = {
  primitives: [
    { name: 'file', depths: [{ level: 0 }, known] },
    { name: 'disk', depths: [{ level: 0 }, known] },
    { name: 'delete', depths: [{ level: 0 }, { ...known, relata: [applies('file')] }] },
    { name: 'path', depths: [{ level: 0 }, { ...known, relata: [applies('disk')] }] },
  ],
}

const policies = [
  { name: 'ask' },
  { name: 'ask', confirmationMessage: 'Really {action}?' },
  { name: 'checked', callback: 'holds' },
  { name: 'checked', callback: 'fails' },
  { name: 'refused', callback: 'fails', requiresConfirmation: false },
  { name: 'harmless', callback: 'holds', requiresConfirmation: false },
  { name: 'outside', callback: 'outside', requiresConfirmation: false },
].map((policy) => Policy.parse(policy))

const levels = [0, 1, 1, 2] as const
const words = ['delete', 'delete', 'file', 'file', 'disk', 'path', 'moon']

const capability = (id: string, concepts: readonly string[], more: object = {}): Capability =>
  Capability.parse({ id, safetyClass: 'READ', argsSchema: { type: 'object' }, concepts, ...more })

export const capabilities = [
  capability('one', ['file']),
  capability('two', ['delete', 'file']),
  capability('three', ['disk', 'path']),
  capability('four', ['moon'], { safetyClass: 'WRITE' }),
]

/** The agent that asks for all of it. */
export const agent = 'held'

type Held = Pick<State, 'graph' | 'catalog'>

export interface Changed {
  readonly made: Operations
  readonly after: Held
}

/** A change that the log takes; most are refused, and tried again. */
export function changeOf({ graph, catalog }: Held, random: Random): Changed {
  for (;;) {
    if (random(6) === 0) {
      const operations = [catalogOperation(catalog, random)]
      const change = applyCatalogChange(catalog, operations)
      if (change.refused !== undefined) continue
      return { made: { kind: 'catalog', operations }, after: { graph, catalog: change.catalog } }
    }
    const operations = random(2) === 0 ? policyChange(graph, random) : [operationOf(graph, random)]
    const change = applyChange(graph, operations)
    if (operations.length === 0 || 'refused' in change) continue
    return { made: { kind: 'graph', operations }, after: { graph: change.graph, catalog } }
  }
}

/** An agent that is suspended is released on with the next change of the catalog. */
function catalogOperation(catalog: Catalog, random: Random): CatalogOperation {
  const suspended = catalog.principals.get(agent)?.suspended === true
  if (suspended) return { op: 'unsuspend', id: agent }
  const { id, concepts } = pick(capabilities, random)
  const collection = 'capabilities' as const
  switch (random(8)) {
    case 0:
      return { op: 'suspend', id: agent }
    case 1:
      return { op: 'set', key: 'learning', value: !catalog.learning }
    case 2:
      return { op: 'remove', collection, id }
    case 3:
      return { op: 'put', collection, entry: capability(id, [...concepts, pick(words, random)]) }
    case 4:
      return { op: 'put', collection, entry: capability(id, concepts, { minDepth: random(3) }) }
    case 5:
      return { op: 'put', collection, entry: capability(id, concepts, { safetyClass: 'WRITE' }) }
    default:
      return { op: 'put', collection, entry: capability(id, concepts) }
  }
}

/** A policy is put on an edge, or taken away. */
function policyChange(graph: Graph, random: Random): readonly GraphOperation[] {
  const edges = edgesOf(graph).filter(({ type }) => type === 'APPLIES_TO')
  if (edges.length === 0) return []
  const edge = pick(edges, random)
  const policy = pick(policies, random)
  const isRemoved = random(4) === 0
  const { source: name, level, type, target, targetDepth, policies: before } = edge
  const after = isRemoved
    ? before.filter((one) => one.name !== policy.name)
    : adding(before, policy, true)
  const relatum = Relatum.parse({ type, target, targetDepth, policies: after })
  return [
    { op: 'unrelate', name, level, type, target },
    { op: 'relate', name, level, relatum },
  ]
}

// What takes knowledge away is rare, or soon nothing would be known at all.
function operationOf(graph: Graph, random: Random): GraphOperation {
  const name = pick(words, random)
  const level = pick(levels, random)
  const kind = random(24)
  if (kind < 1) return { op: 'add', name }
  if (kind < 2) return { op: 'erase', name, level }
  if (kind < 4) return unrelating(graph, name)
  if (kind < 16) {
    const properties = kind === 4 ? {} : { what: `it is ${random(9)}` }
    return { op: 'describe', name, level, properties }
  }
  const type = pick(['APPLIES_TO', 'APPLIES_TO', 'REQUIRES'] as const, random)
  const target = pick(words, random)
  const edge = { type, target, targetDepth: pick(levels, random), policies: [] }
  return { op: 'relate', name, level, relatum: Relatum.parse(edge) }
}

function unrelating(graph: Graph, name: string): GraphOperation {
  const known = graphToFile(graph).primitives.find((one) => one.name === name)
  const tied = known?.depths.flatMap((depth) => {
    return depth.relata.map(({ type, target }) => ({ level: depth.level, type, target }))
  })
  const [edge] = tied ?? []
  return edge === undefined ? { op: 'add', name } : { op: 'unrelate', name, ...edge }
}
