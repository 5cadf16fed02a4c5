// Groundings for tests, asked and answered in short form.
import type { Gap } from '#schemas/graph'
import type { Graph } from '#knowledge/graph/revision'
import { ground } from '#knowledge/grounding/ground'
import type { Profile } from '#knowledge/grounding/survey'

export function gapsOf(
  graph: Graph,
  query: {
    readonly asked: string
    readonly minDepth?: number | undefined
    readonly profile: Profile
  },
): readonly string[] {
  const { asked, minDepth, profile } = query
  return written(ground(graph, { concepts: asked.split(' '), minDepth, profile }).gaps)
}

export function written(gaps: readonly Gap[]): readonly string[] {
  return gaps.map((gap) => {
    if (gap.kind === 'RELATIONAL') {
      return `RELATIONAL ${gap.source}>${gap.target} ${gap.required}/${gap.current}`
    }
    const depth = gap.kind === 'DEPTH' ? ` ${gap.required}/${gap.current}` : ''
    return `${gap.kind} ${gap.primitive}${depth}`
  })
}

export function toThing(type: string, ...policies: readonly string[]): object {
  return { type, target: 'thing', targetDepth: 0, policies: policies.map((name) => ({ name })) }
}
