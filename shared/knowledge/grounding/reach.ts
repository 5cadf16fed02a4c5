// Which primitives a grounding looks at: what the concepts pull in, and of that, what an unbroken
// path leads to. Both cost what they find, never the size of the graph.
import { recordAt, type Graph } from '../graph/revision.ts'
import { addId, emptySet, hasId, type IdSet } from './id-set.ts'

/**
 * The roots and everything they pull in, however deep the edges hang; `pulled` will hold the same.
 */
export function pulledBy(graph: Graph, roots: readonly number[], pulled: IdSet): number[] {
  emptySet(pulled, graph.records.length)
  const ids = begunWith(roots, pulled)
  // The list is its own queue: what is found is looked at in turn, each id once.
  for (const id of ids) {
    for (const target of recordAt(graph, id).pulls) if (addId(pulled, target)) ids.push(target)
  }
  return ids
}

// A list that grows from none has room for many: nearly always a copy is all of it.
function begunWith(roots: readonly number[], set: IdSet): number[] {
  const ids = roots.slice()
  let count = 0
  for (const root of roots) {
    if (!addId(set, root)) continue
    ids[count] = root
    count += 1
  }
  ids.length = count
  return ids
}

/** The roots and everything pulled in that a directed path of visible edges leads to. */
export function frontierOf(
  graph: Graph,
  roots: readonly number[],
  sets: { readonly pulled: IdSet; readonly frontier: IdSet },
): number[] {
  const { pulled, frontier } = sets
  emptySet(frontier, graph.records.length)
  const ids = begunWith(roots, frontier)
  for (const id of ids) {
    const record = recordAt(graph, id)
    for (const edge of record.edges) {
      if (edge.sourceDepth > record.strict || !hasId(pulled, edge.target)) continue
      if (addId(frontier, edge.target)) ids.push(edge.target)
    }
  }
  return ids
}
