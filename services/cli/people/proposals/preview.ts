// What a candidate would do before anyone agrees to it: the last intents as if they were asked
// again today, and those that wait for it as if they went on. It binds nothing.
import type { Candidate } from '#schemas/learning'
import { applyChange } from '#knowledge/graph/graph-change'
import { operationsOfCandidate } from '#messages/learning/candidate'
import type { Runtime } from '#runtime/engine/runtime'
import type { TodayReport } from '#replay/what-if/today'
import type { ReleasedHeld } from '#schemas/console/turned'
import { seedFolderName } from '#authoring/seed-files'
import type { LetThrough } from '#replay/what-if/let-through'
import { indentedLines, type Line } from '#cli/terminal/line'
import { letThroughLines, newlyLet } from '#cli/rules/editing/newly-let'
import { notKeptIn, notKeptLines, type NotKept } from '#cli/rules/test/nevers'
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
  if (candidate === null) return null
  const { graph } = runtime.follower.state
  const change = applyChange(graph, operationsOfCandidate(graph, candidate, null))
  if ('refused' in change) return null
  const digests = new Map(releases.map(({ intent, digest }) => [intent, digest]))
  const held = waiting.map(({ intent }) => ({ intent, digest: digests.get(intent) ?? null }))
  return previewChange(runtime, { after: { graph: change.graph }, last, held })
}

/** What a candidate would newly let through, and which tests of the folder here it would break. */
export interface Letting {
  readonly letThrough: LetThrough | null
  readonly notKept: readonly NotKept[]
}

/** Null where none is meant, or the graph does not take it. */
export async function lettingOf(
  runtime: Runtime,
  candidate: Candidate | null,
): Promise<Letting | null> {
  if (candidate === null) return null
  const { graph, catalog } = runtime.follower.state
  const change = applyChange(graph, operationsOfCandidate(graph, candidate, null))
  if ('refused' in change) return null
  const after = { catalog, graph: change.graph }
  const letThrough = await newlyLet(runtime, after)
  return { letThrough, notKept: await notKeptIn(runtime, seedFolderName, after, null) }
}

export function lettingLines(letting: Letting | null): readonly Line[] {
  if (letting === null) return []
  const { letThrough, notKept } = letting
  return indentedLines([...letThroughLines(letThrough), ...notKeptLines(notKept)])
}
