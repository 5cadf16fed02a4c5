// What an intent asks of the graph, and the answer: the same at grounding and again at release.
import type { Ground } from '#schemas/facts'
import { ground } from '#knowledge/grounding/ground'
import { effective } from '#rules/chain/effective'
import { capabilityOf, type View } from './view.ts'

const gapsMax = 256
const pathwayMax = 512

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
  const omitted = {
    gaps: answer.gaps.length - gapsMax,
    pathway: answer.pathway.length - pathwayMax,
  }
  return {
    ...(added.length > 0 && { added: [...added] }),
    concepts: [...concepts],
    gaps: answer.gaps.slice(0, gapsMax),
    ...(omitted.gaps > 0 && { gapsOmitted: omitted.gaps }),
    gated: answer.gated.slice(0, pathwayMax),
    grounded: answer.grounded,
    ...(minDepth !== undefined && { minDepth }),
    pathway: answer.pathway.slice(0, pathwayMax),
    ...(omitted.pathway > 0 && { pathwayOmitted: omitted.pathway }),
    policies: [...answer.policies],
    resolved: [...answer.resolved],
    visible: answer.visible.slice(0, pathwayMax),
  }
}
