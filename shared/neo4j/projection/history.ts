// The revisions of a graph that intents were judged at, so that each can be tied to what it touched
// as that stands in a later one, whatever was renamed, removed or swept meanwhile. A sweep gives
// new ids to all that is there, in the same order, and takes away nothing else.
import { assert } from '#record/fault'
import type { Edge } from '#knowledge/graph/record'
import { primitivesOf, type Graph } from '#knowledge/graph/revision'
import type { State } from '#state/state'
import type { Judged } from './intent-writes.ts'
import type { ProjectionStep } from './pending.ts'

type Folded = Pick<State, 'position' | 'graphRevision'>

export interface GraphVersion {
  readonly position: number
  readonly revision: number
  readonly graph: Graph
}

/** How ids and edges of one line are called in the next; what is not here was gone by then. */
interface Sweep {
  readonly revision: number
  readonly ids: ReadonlyMap<number, number>
  readonly edges: ReadonlyMap<Edge, Edge>
}

/** Revisions share all that stayed the same, so many cost little more than what changed. */
export interface GraphHistory {
  /** Ascending; never empty. */
  readonly versions: GraphVersion[]
  readonly sweeps: Sweep[]
  /** How far it goes. */
  latest: Folded
}

export function newHistory({ graph, position, graphRevision: revision }: State): GraphHistory {
  const latest = { position, graphRevision: revision }
  return { versions: [{ position, revision, graph }], sweeps: [], latest }
}

/** The next fact of the log that the graph is taken from, folded. */
export function addVersion(
  history: GraphHistory,
  { position, graphRevision: revision }: Folded,
  step: Pick<ProjectionStep, 'graph' | 'next'> | null,
): void {
  history.latest = { position, graphRevision: revision }
  if (step === null || step.graph === null || step.next === null) return
  const { graph: before, next: graph } = step
  if (before !== graph) history.sweeps.push({ revision, ...renumbering(before, graph) })
  history.versions.push({ position, revision, graph })
}

/** Both are one graph, in the same order. */
function renumbering(before: Graph, after: Graph): Omit<Sweep, 'revision'> {
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
  { sweeps }: GraphHistory,
  judged: Judged,
  { from, to }: { readonly from: number; readonly to: number },
): Judged {
  const passed = sweeps.filter(({ revision }) => revision > from && revision <= to)
  return passed.reduce(renumbered, judged)
}

function renumbered(judged: Judged, { ids, edges }: Sweep): Judged {
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

/** Forgets all graphs that come before that of that revision. */
export function forgetBefore({ versions, sweeps }: GraphHistory, revision: number): void {
  const kept = versions.findLastIndex((each) => each.revision <= revision)
  if (kept > 0) versions.splice(0, kept)
  const left = sweeps.findIndex((each) => each.revision > revision)
  sweeps.splice(0, left === -1 ? sweeps.length : left)
}
