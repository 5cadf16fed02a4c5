// What calls of the catalog's capabilities bring in: which primitives they ask about, which edges
// with policies they would see, and which of them cannot be grounded. What agents add of their own
// is not known here.
import type { Capability } from '#schemas/catalog'
import type { Gap } from '#schemas/graph'
import type { Catalog } from '#rules/catalog/catalog'
import { ground } from '#knowledge/grounding/ground'
import { hasId, newIdSet } from '#knowledge/grounding/id-set'
import { frontierOf, pulledBy } from '#knowledge/grounding/reach'
import { resolve } from '#knowledge/grounding/resolve'
import { listed, quoted } from '#record/quote'
import type { Fixes, Flaw } from './flaw.ts'
import type { Edge } from '#knowledge/graph/record'
import { recordAt, type Graph } from '#knowledge/graph/revision'

export interface Calls {
  /** Those that name concepts. */
  readonly capabilities: readonly Capability[]
  /** The ids of the primitives that their concepts mean. */
  readonly asked: ReadonlySet<number>
  /** By edge with policies: the capabilities that bring both its ends in. */
  readonly byEdge: ReadonlyMap<Edge, readonly Capability[]>
  /** What of their concepts is not known. */
  readonly flaws: readonly Flaw[]
}

const sets = { pulled: newIdSet(), frontier: newIdSet() }

export function callsOf(graph: Graph, catalog: Catalog, fixes: Fixes): Calls {
  const all = [...catalog.capabilities.values()]
  const capabilities = all.filter(({ concepts }) => concepts.length > 0)
  const asked = new Set<number>()
  const byEdge = new Map<Edge, Capability[]>()
  const flaws: Flaw[] = []
  for (const capability of capabilities) {
    const roots = rootsOf(graph, capability)
    for (const root of roots) asked.add(root)
    for (const edge of governedBy(graph, roots)) {
      const others = byEdge.get(edge)
      if (others === undefined) byEdge.set(edge, [capability])
      else others.push(capability)
    }
    flaws.push(...flawsOf(graph, capability, fixes))
  }
  return { capabilities, asked, byEdge, flaws }
}

function rootsOf(graph: Graph, { concepts }: Capability): readonly number[] {
  const ids = concepts.map((concept) => resolve(graph, concept))
  return [...new Set(ids.flatMap((found) => ('id' in found ? [found.id] : [])))]
}

/** The edges with policies of which a strict grounding of these looks at both ends. */
function governedBy(graph: Graph, roots: readonly number[]): readonly Edge[] {
  pulledBy(graph, roots, sets.pulled)
  return frontierOf(graph, roots, sets).flatMap((id) => {
    const { edges } = recordAt(graph, id)
    return edges.filter(({ policies, target }) => policies.length > 0 && hasId(sets.pulled, target))
  })
}

function flawsOf(graph: Graph, capability: Capability, fixes: Fixes): readonly Flaw[] {
  const { id, concepts, minDepth } = capability
  const where = { capability: id }
  const answer = ground(graph, { concepts, minDepth, profile: 'strict' })
  const unknown = answer.gaps.filter((gap) => gap.kind === 'EXISTENCE')
  const others = answer.gaps.filter((gap) => gap.kind !== 'EXISTENCE')
  const known = { ...answer, concepts, gaps: others }
  return [
    ...unknown.map((gap): Flaw => ({ code: 'concept_unknown', where, ...unknownText(id, gap) })),
    ...fixes(graph, known).map(({ text }): Flaw => {
      const what = `no call of ${quoted(id)} is grounded`
      return { code: 'capability_ungrounded', where, what, fix: text }
    }),
  ]
}

function unknownText(
  id: string,
  { primitive, candidates = [] }: Extract<Gap, { readonly kind: 'EXISTENCE' }>,
): Pick<Flaw, 'what' | 'fix'> {
  const what = `${quoted(id)} names the concept ${quoted(primitive)}`
  if (candidates.length === 0) {
    const fix = 'add it to the graph, or name what is there'
    return { what: `${what}, which is not in the graph`, fix }
  }
  const fix = 'name the one that is meant'
  return { what: `${what}, which may mean ${listed(candidates, 'or')}`, fix }
}
