// What a candidate would do before anyone agrees to it: the last intents as if they were asked
// again today, and those that wait for it as if they went on. It binds nothing.
import type { Candidate } from '#schemas/learning'
import { applyChange } from '#knowledge/graph/graph-change'
import { operationsOfCandidate } from '#messages/learning/candidate'
import type { Runtime } from '#runtime/engine/runtime'
import type { TodayReport } from '#replay/what-if/today'
import type { ReleasedHeld } from '#schemas/console/turned'
import { seedFolderName } from '#authoring/seed-files'
import type { Graph } from '#knowledge/graph/revision'
import { indentedLines, type Line } from '#cli/terminal/line'
import { lettingLines, lettingOf, type Letting } from '#cli/rules/test/letting'
import { previewChange } from '#cli/rules/editing/preview-change'

export interface Previewed {
  /** Null where none is meant. */
  readonly candidate: Candidate | null
  /** So many of the last intents; none, and nothing is previewed. */
  readonly last: number
  readonly waiting: readonly { readonly intent: string }[]
  readonly releases: readonly ReleasedHeld[]
}

/** Null where none is wanted, or the graph does not take it. */
export async function previewOf(
  runtime: Runtime,
  { candidate, last, waiting, releases }: Previewed,
): Promise<TodayReport | null> {
  const graph = graphWith(runtime.follower.state.graph, candidate)
  if (graph === null) return null
  const digests = new Map(releases.map(({ intent, digest }) => [intent, digest]))
  const held = waiting.map(({ intent }) => ({ intent, digest: digests.get(intent) ?? null }))
  return previewChange(runtime, { after: { graph }, last, held })
}

/** Null where none is meant, or the graph does not take it. */
export async function lettingBy(
  runtime: Runtime,
  candidate: Candidate | null,
): Promise<Letting | null> {
  const { graph, catalog } = runtime.follower.state
  const after = graphWith(graph, candidate)
  if (after === null) return null
  return lettingOf(runtime, { catalog, graph: after }, { folder: seedFolderName })
}

function graphWith(graph: Graph, candidate: Candidate | null): Graph | null {
  if (candidate === null) return null
  const change = applyChange(graph, operationsOfCandidate(graph, candidate, null))
  return 'refused' in change ? null : change.graph
}

export function indentedLetting(letting: Letting | null): readonly Line[] {
  return letting === null ? [] : indentedLines(lettingLines(letting))
}
