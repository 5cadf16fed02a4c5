// What was folded and is not projected yet, step by step, so that a projection can go on from
// wherever it stands, no matter who brought it there. Pure: it folds nothing and writes nothing.
import { digestOf } from '#record/digest'
import type { Graph } from '#knowledge/graph/revision'
import type { State } from '#state/state'
import type { LoggedFact } from '#state/folded'
import type { Judged } from './intent-writes.ts'

/** What a projection says of how far it is. */
export interface FoldMark {
  readonly position: number
  readonly graphRevision: number
  readonly catalogRevision: number
  /**
   * The last fact and the digest of its bytes: a log that has another there is another log. Null
   * where no fact was read yet.
   */
  readonly fact: string | null
  readonly digest: string | null
}

/** A fact, once it is folded. */
export interface Point {
  readonly fact: LoggedFact
  readonly graphRevision: number
  readonly catalogRevision: number
}

/** One fact that leaves something to write. */
export interface ProjectionStep {
  readonly point: Point
  /** The graph after it, of one line with the graph before it; null where it is the same. */
  readonly graph: Graph | null
  /** The graph to go on from: of a line of its own where the fold swept its ids. */
  readonly next: Graph | null
  readonly judged: Judged | null
}

export interface PendingBatch {
  /** What the projection holds. */
  base: Graph
  steps: ProjectionStep[]
  bytes: number
  /** The last that was folded; null where nothing was. */
  last: Point | null
}

export interface Batch {
  readonly before: Graph
  readonly after: Graph
  readonly judged: readonly Judged[]
  /** Up to where it goes; null where nothing was folded. */
  readonly point: Point | null
}

const stepsMax = 5_000
const bytesMax = 1_000_000

export function newPending(base: Graph): PendingBatch {
  return { base, steps: [], bytes: 0, last: null }
}

export function pointOf({ graphRevision, catalogRevision }: State, fact: LoggedFact): Point {
  return { fact, graphRevision, catalogRevision }
}

export function markOf({ fact, graphRevision, catalogRevision }: Point): FoldMark {
  const { position, name, bytes } = fact
  return { position, graphRevision, catalogRevision, fact: name, digest: digestOf(bytes) }
}

/** As much as one batch takes is there: fold no more before it is written. */
export function isFull({ steps, bytes }: PendingBatch): boolean {
  return steps.length >= stepsMax || bytes >= bytesMax
}

export function addStep(pending: PendingBatch, step: ProjectionStep): void {
  pending.steps.push(step)
  pending.bytes += step.point.fact.bytes.length
}

/** Forgets all up to the position that the projection has reached. */
export function settle(pending: PendingBatch, reached: number): void {
  const left = pending.steps.findIndex(({ point }) => point.fact.position > reached)
  const done = left === -1 ? pending.steps : pending.steps.slice(0, left)
  pending.steps = left === -1 ? [] : pending.steps.slice(left)
  for (const { next, point } of done) {
    pending.base = next ?? pending.base
    pending.bytes -= point.fact.bytes.length
  }
}

/** What to write next. It ends where ids change, since writes are between graphs of one line. */
export function batchOf({ base, steps, last }: PendingBatch): Batch {
  const cut = steps.findIndex(({ graph, next }) => graph !== next)
  const taken = cut === -1 ? steps : steps.slice(0, cut + 1)
  const isAll = taken.length === steps.length
  return {
    before: base,
    after: taken.reduce((graph, step) => step.graph ?? graph, base),
    judged: taken.flatMap(({ judged }) => (judged === null ? [] : [judged])),
    point: isAll ? last : (taken.at(-1)?.point ?? last),
  }
}

/** What was folded of a cell, whose graph others write. */
export interface CellBatch extends Pick<Batch, 'point'> {
  /** Each with the revision that it was judged at. */
  readonly judged: readonly { readonly judged: Judged; readonly revision: number }[]
}

/** What to write next of a cell where the graph is written up to that revision. */
export function batchUpTo({ steps, last }: PendingBatch, revision: number): CellBatch {
  const cut = steps.findIndex(({ point }) => point.graphRevision > revision)
  const taken = cut === -1 ? steps : steps.slice(0, cut)
  return {
    judged: taken.flatMap(({ judged, point }) => {
      return judged === null ? [] : [{ judged, revision: point.graphRevision }]
    }),
    point: cut === -1 ? last : (taken.at(-1)?.point ?? null),
  }
}
