// How what an intent is tied to is called where a graph's ids were swept: a sweep gives new ids to
// all that is there, and takes away nothing else.
import { assert } from '#record/fault'
import type { Edge } from '#knowledge/graph/record'
import { primitivesOf, type Graph } from '#knowledge/graph/revision'
import type { Judged } from './intent-writes.ts'

/** How ids and edges of one line are called in the next; what is not here was gone by then. */
export interface Renumbering {
  readonly ids: ReadonlyMap<number, number>
  readonly edges: ReadonlyMap<Edge, Edge>
}

/** Both are one graph, in the same order. */
export function renumbering(before: Graph, after: Graph): Renumbering {
  const ids = new Map<number, number>()
  const edges = new Map<Edge, Edge>()
  const records = primitivesOf(after)
  for (const [id, record] of primitivesOf(before)) {
    const same = records.next()
    assert(same.done !== true && same.value[1].folded === record.folded, 'a sweep keeps the order')
    const [to, { edges: now }] = same.value
    ids.set(id, to)
    for (const [place, edge] of record.edges.entries()) {
      const one = now[place]
      if (one !== undefined && edge.policies.length > 0) edges.set(edge, one)
    }
  }
  return { ids, edges }
}

export function renumbered(judged: Judged, { ids, edges }: Renumbering): Judged {
  const touched = judged.touched.flatMap(({ id, level }) => {
    const to = ids.get(id)
    return to === undefined ? [] : [{ id: to, level }]
  })
  const lacked = judged.lacked.flatMap((lack) => {
    if (lack.id === null) return [lack]
    const to = ids.get(lack.id)
    return to === undefined ? [] : [{ ...lack, id: to }]
  })
  const stopped = judged.stopped.flatMap((stop) => {
    const [source, edge] = [ids.get(stop.source), edges.get(stop.edge)]
    return source === undefined || edge === undefined ? [] : [{ ...stop, source, edge }]
  })
  return { ...judged, touched, lacked, stopped }
}
