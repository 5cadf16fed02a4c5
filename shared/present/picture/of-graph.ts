// Pictures of what the graph says, no matter who asks: of all of it, of some primitives, or of what
// lies around one.
import { assert } from '#record/fault'
import { primitivesOf, recordAt, type Graph } from '#knowledge/graph/revision'
import { refuseLarge, type Picture, type PictureEdge, type PictureNode } from './picture.ts'

/** These primitives and the edges between them. Throws a Fault where they are too many. */
export function pictureOf(graph: Graph, ids: ReadonlySet<number>): Picture {
  const places = new Map([...ids].toSorted((a, b) => a - b).map((id, place) => [id, place]))
  refuseLarge(ids.size, edgesAmong(graph, ids))
  const nodes = [...places.keys()].map((id): PictureNode => {
    const { name, strict } = recordAt(graph, id)
    return { name, level: strict < 0 ? null : strict, notes: [], state: 'plain' }
  })
  const edges = [...places].flatMap(([id, source]) => {
    return recordAt(graph, id).edges.flatMap((edge): readonly PictureEdge[] => {
      const target = places.get(edge.target)
      if (target === undefined) return []
      const { type, sourceDepth, targetDepth } = edge
      const policies = edge.policies.map(({ name }) => name)
      const relation = { type, sourceDepth, targetDepth }
      return [{ source, target, relation, policies, state: 'plain' }]
    })
  })
  return { nodes, edges, omitted: 0 }
}

function edgesAmong(graph: Graph, ids: ReadonlySet<number>): number {
  let count = 0
  for (const id of ids) {
    for (const { target } of recordAt(graph, id).edges) if (ids.has(target)) count += 1
  }
  return count
}

/** Every id. */
export function wholeOf(graph: Graph): ReadonlySet<number> {
  return new Set([...primitivesOf(graph)].map(([id]) => id))
}

/** The ids that so many edges lead to from there, whichever way they point. */
export function neighbourhoodOf(graph: Graph, from: number, hops: number): ReadonlySet<number> {
  const inbound = sourcesByTarget(graph)
  const found = new Set([from])
  let edge: readonly number[] = [from]
  for (let hop = 0; hop < hops && edge.length > 0; hop += 1) {
    const next = edge.flatMap((id) => {
      const targets = recordAt(graph, id).edges.map(({ target }) => target)
      return [...targets, ...(inbound.get(id) ?? [])].filter((each) => !found.has(each))
    })
    for (const id of next) found.add(id)
    edge = [...new Set(next)]
  }
  assert(found.has(from), 'what lies around a primitive has it in the middle')
  return found
}

function sourcesByTarget(graph: Graph): ReadonlyMap<number, readonly number[]> {
  const sources = new Map<number, number[]>()
  for (const [id, { edges }] of primitivesOf(graph)) {
    for (const { target } of edges) {
      const known = sources.get(target)
      if (known === undefined) sources.set(target, [id])
      else known.push(id)
    }
  }
  return sources
}
