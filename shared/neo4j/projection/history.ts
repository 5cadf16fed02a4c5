// The revisions of a graph that intents of other logs were judged at, so that each can be tied to
// what it touched as that stands in a later one, whatever was renamed, removed or swept meanwhile.
import { assert } from '#record/fault'
import type { Graph } from '#knowledge/graph/revision'
import type { State } from '#state/state'
import type { Judged } from './intent-writes.ts'
import type { ProjectionStep } from './pending.ts'
import { renumbered, renumbering, type Renumbering } from './renumbering.ts'

type Folded = Pick<State, 'position' | 'graphRevision'>

export interface GraphVersion {
  readonly position: number
  readonly revision: number
  readonly graph: Graph
  /** The same under the ids of the one before it; null where they are the same. */
  readonly before: Graph | null
  /** Made of the two when it is first needed. */
  way: Renumbering | null
}

/** Revisions share all that stayed the same, so many cost little more than what changed. */
export interface GraphHistory {
  /** Ascending; never empty. */
  readonly versions: GraphVersion[]
  /** How far it goes. */
  latest: Folded
}

export function newHistory({ graph, position, graphRevision }: State): GraphHistory {
  const first = { position, revision: graphRevision, graph, before: null, way: null }
  return { versions: [first], latest: { position, graphRevision } }
}

/** The next fact of the log that the graph is taken from, folded. */
export function addVersion(
  history: GraphHistory,
  { position, graphRevision }: Folded,
  step: Pick<ProjectionStep, 'graph' | 'next'> | null,
): void {
  history.latest = { position, graphRevision }
  if (step === null || step.next === null) return
  const { graph: before, next: graph } = step
  const isSwept = before !== graph
  const revision = graphRevision
  history.versions.push({ position, revision, graph, before: isSwept ? before : null, way: null })
}

/** The graph of that revision; of the last one where it does not go as far. */
export function versionOfRevision({ versions }: GraphHistory, revision: number): GraphVersion {
  return lastOf(versions, (each) => each.revision <= revision)
}

/** The graph as it was at that position of the log that it is taken from. */
export function versionAt({ versions }: GraphHistory, position: number): GraphVersion {
  return lastOf(versions, (each) => each.position <= position)
}

function lastOf(
  versions: readonly GraphVersion[],
  isIn: (version: GraphVersion) => boolean,
): GraphVersion {
  const version = versions.findLast(isIn)
  assert(version !== undefined, 'what may still be asked for is kept')
  return version
}

/** What was judged at one revision, under the ids of a later one. */
export function carried(
  { versions }: GraphHistory,
  judged: Judged,
  { from, to }: { readonly from: number; readonly to: number },
): Judged {
  let now = judged
  for (const version of versions) {
    if (version.before === null || version.revision <= from || version.revision > to) continue
    version.way ??= renumbering(version.before, version.graph)
    now = renumbered(now, version.way)
  }
  return now
}

/** Forgets all that comes before the graph of that revision. */
export function forgetBefore({ versions }: GraphHistory, revision: number): void {
  const kept = versions.findLastIndex((each) => each.revision <= revision)
  if (kept > 0) versions.splice(0, kept)
}
