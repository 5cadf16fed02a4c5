// The edges that policies hang on, and one more policy among those of an edge.
import type { Level, Policy, RelationType } from '#schemas/graph'
import { Fault } from '#record/fault'
import type { Graph } from '#knowledge/graph/revision'
import type { Edge } from '#knowledge/graph/record'
import { find, primitivesOf, recordAt } from '#knowledge/graph/revision'

export interface PolicyEdge {
  readonly source: string
  readonly level: Level
  readonly type: RelationType
  readonly target: string
  readonly targetDepth: Level
  /** Which of the edges that are alike but for their target depth. */
  readonly at: number
  readonly policies: readonly Policy[]
  /** Why no policy on it fires as the graph stands, or null. */
  readonly silent: string | null
}

/** The edges of that source, or of all, in stored order. */
export function edgesOf(graph: Graph, source?: string): readonly PolicyEdge[] {
  const records =
    source === undefined
      ? [...primitivesOf(graph)].map(([, record]) => record)
      : [find(graph, source)].filter((record) => record !== undefined)
  return records.flatMap(({ name, edges, strict }) => {
    const seen = new Map<string, number>()
    return edges.map((edge): PolicyEdge => {
      const { type, sourceDepth: level, targetDepth, policies } = edge
      const alike = `${level} ${type} ${edge.target}`
      const at = seen.get(alike) ?? 0
      seen.set(alike, at + 1)
      const target = recordAt(graph, edge.target).name
      const silent = silence(edge, name, strict)
      return { source: name, level, type, target, targetDepth, at, policies, silent }
    })
  })
}

function silence({ type, sourceDepth }: Edge, source: string, reached: number): string | null {
  if (type !== 'APPLIES_TO') return 'it is not an APPLIES_TO edge'
  if (sourceDepth <= reached) return null
  const known = reached < 0 ? 'not known at all' : `known down to D${reached} only`
  return `\`${source}\` is ${known}, so no one sees the edge`
}

/** The policies with this one; one of its name is replaced only where that is meant. */
export function adding(
  policies: readonly Policy[],
  policy: Policy,
  replace: boolean,
): readonly Policy[] {
  const named = policies.some(({ name }) => name === policy.name)
  if (!named) return [...policies, policy]
  if (replace) return policies.map((each) => (each.name === policy.name ? policy : each))
  const message = `the edge has a policy \`${policy.name}\`: choose another name, or use --replace`
  throw new Fault('policy_taken', message)
}
