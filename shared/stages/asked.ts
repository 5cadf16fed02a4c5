// What an intent asks of the graph, and the answer: the same at grounding and again at release.
import type { Ground } from '#schemas/facts'
import { ground } from '#knowledge/grounding/ground'
import { effective } from '#rules/chain/effective'
import { capabilityOf, type View } from './view.ts'

const gapsMax = 256
const pathwayMax = 512

// The lists of an answer are the caller's own.
function atMost<T>(list: T[], countMax: number): T[] {
  return list.length > countMax ? list.slice(0, countMax) : list
}

/** Null where nothing has to be known. */
export function groundOf(view: View): Ground | null {
  const capability = capabilityOf(view)
  const { request } = view.opening
  if (capability === null || request === null) return null
  const { concepts, added, minDepth } = effective(capability, request)
  if (concepts.length === 0) return null
  const query = {
    concepts,
    added,
    profile: 'strict' as const,
    ...(minDepth !== undefined && { minDepth }),
  }
  const answer = ground(view.graph, query)
  const gapsOmitted = answer.gaps.length - gapsMax
  const pathwayOmitted = answer.pathway.length - pathwayMax
  return {
    concepts: [...concepts],
    gaps: atMost(answer.gaps, gapsMax),
    gated: atMost(answer.gated, pathwayMax),
    grounded: answer.grounded,
    pathway: atMost(answer.pathway, pathwayMax),
    policies: answer.policies,
    resolved: answer.resolved,
    visible: atMost(answer.visible, pathwayMax),
    // What is often absent comes last: an object is made sooner so.
    ...(added.length > 0 && { added: [...added] }),
    ...(minDepth !== undefined && { minDepth }),
    ...(gapsOmitted > 0 && { gapsOmitted }),
    ...(pathwayOmitted > 0 && { pathwayOmitted }),
  }
}
