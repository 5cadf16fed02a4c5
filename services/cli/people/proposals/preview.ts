// What a candidate would do before anyone agrees to it: the last intents as if they were asked
// again today, and those that wait for it as if they went on. It binds nothing.
import type { Candidate } from '#schemas/learning'
import { applyChange } from '#knowledge/graph/graph-change'
import { operationsOfCandidate } from '#messages/learning/candidate'
import type { ShownRelease } from '#runtime/learning/releases'
import type { Waiting } from '#runtime/learning/held'
import type { Runtime } from '#runtime/engine/runtime'
import type { TodayReport } from '#replay/what-if/today'
import { previewChange } from '#cli/rules/editing/preview-change'

export interface Previewed {
  readonly candidate: Candidate
  /** So many of the last intents; none, and nothing is previewed. */
  readonly last: number
  readonly waiting: readonly Pick<Waiting, 'intent'>[]
  readonly releases: readonly ShownRelease[]
}

/** Null where none is wanted, or the graph does not take it. */
export async function previewOf(
  runtime: Runtime,
  { candidate, last, waiting, releases }: Previewed,
): Promise<TodayReport | null> {
  const { graph } = runtime.follower.state
  const change = applyChange(graph, operationsOfCandidate(graph, candidate, null))
  if ('refused' in change) return null
  const digests = new Map(releases.map(({ intent, digest }) => [intent, digest]))
  const held = waiting.map(({ intent }) => ({ intent, digest: digests.get(intent) ?? null }))
  return previewChange(runtime, { after: { graph: change.graph }, last, held })
}
