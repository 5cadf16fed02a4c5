// The policies that a verdict's reasons name, found in the graph that it was given at, so that a
// projection can tie the intent to them.
import type { Edge } from '#knowledge/graph/record'
import { pageAt } from '#knowledge/graph/pages'
import { findId, recordAt, type Graph } from '#knowledge/graph/revision'
import type { Reason, ReasonCode } from '#schemas/reasons'
import type { RelationType } from '#schemas/graph'

/** A policy that refused, as it stood then. */
export interface Stop {
  /** The id of the primitive whose edge it is. */
  readonly source: number
  /** An edge is one object in all graphs of a line. */
  readonly edge: Edge
  readonly nth: number
  readonly code: ReasonCode
}

export interface StopRow {
  readonly key: string
  readonly target: string
  readonly type: RelationType
  readonly level: number
  /** Which of the edges of this source, level, type and target, in stored order. */
  readonly alike: number
  /** Which of the edge's policies. */
  readonly nth: number
  readonly code: ReasonCode
}

interface Named {
  readonly policy: string
  readonly source: string
  readonly target: string
}

/** The policy that a reason is about; null where it is about none. */
function namedIn({ params }: Reason): Named | null {
  const { policy, source, target } = params
  if (policy === undefined || source === undefined || target === undefined) return null
  return { policy, source, target }
}

/** Each policy once, in the order of the reasons. */
export function stoppedText(reasons: readonly Reason[]): readonly string[] {
  const texts = reasons.flatMap((reason) => {
    const named = namedIn(reason)
    return named === null ? [] : [`${named.policy} on ${named.source} → ${named.target}`]
  })
  return [...new Set(texts)]
}

/** Where edges are parallel, each that has a policy of that name. */
export function stopsIn(graph: Graph, reasons: readonly Reason[]): readonly Stop[] {
  const stops = new Map<string, Stop>()
  for (const reason of reasons) {
    const named = namedIn(reason)
    const source = named === null ? undefined : findId(graph, named.source)
    if (named === null || source === undefined) continue
    const target = findId(graph, named.target)
    const { code } = reason
    for (const [place, edge] of recordAt(graph, source).edges.entries()) {
      if (edge.target !== target) continue
      for (const [nth, { name }] of edge.policies.entries()) {
        if (name !== named.policy) continue
        stops.set(`${source} ${place} ${nth} ${code}`, { source, edge, nth, code })
      }
    }
  }
  return [...stops.values()]
}

/** Null where the edge has gone since, or was written again with other policies. */
export function stopRow(graph: Graph, { source, edge, nth, code }: Stop): StopRow | null {
  const record = pageAt(graph.records, source)
  if (record === undefined || !record.edges.includes(edge)) return null
  const { type, sourceDepth: level, target } = edge
  const siblings = record.edges.filter((each) => {
    return each.type === type && each.sourceDepth === level && each.target === target
  })
  const alike = siblings.indexOf(edge)
  const to = recordAt(graph, target).folded
  return { key: record.folded, target: to, type, level, alike, nth, code }
}
