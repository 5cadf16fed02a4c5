// Folds logs up to where a projection of them stands, for a check: what each of their facts should
// have left there is gathered.
import type { LogMark } from './driver/mark.ts'
import { digestOf } from '#record/digest'
import {
  addVersion,
  carried,
  newHistory,
  versionOfRevision,
  type GraphHistory,
} from './projection/history.ts'
import type { Judged } from './projection/intent-writes.ts'
import type { ProjectionStep } from './projection/pending.ts'
import { cellStepOf, eveOf, projectionStepOf, type Eve } from './projection/step.ts'
import { foldCaches, type FoldCaches } from '#state/caches/fold-caches'
import { evolve } from '#state/fold/evolve'
import type { Folded } from '#state/folded'
import type { State } from '#state/state'
import type { Fact } from '#ports/log'
import { soundBeginningOf } from '#replay/eras/beginning'
import type { OnProgress } from '#runtime/reporting/progress'
import type { ProjectedLog, Projected } from './projected.ts'

/** One log as far as it is folded. */
export interface Folding {
  readonly of: ProjectedLog
  readonly state: State
  readonly caches: FoldCaches
  /** Where the fold began. */
  readonly first: number
  /** The intents that it judged, each with the revision of the graph then. */
  readonly judged: { readonly judged: Judged; readonly revision: number }[]
  /** The last fact that was folded. */
  last: { readonly name: string; readonly digest: string } | null
}

export interface Foldings {
  /** The one log, or the control log first. */
  readonly all: readonly Folding[]
  readonly control: Folding
  readonly history: GraphHistory
  readonly hasCells: boolean
}

export async function newFoldings({ logs, rootKey }: Projected): Promise<Foldings> {
  const newFolding = async (of: ProjectedLog): Promise<Folding> => {
    const { state } = await soundBeginningOf(of.log, of, rootKey)
    return { of, state, first: state.position, caches: foldCaches(), judged: [], last: null }
  }
  const [of, ...ofCells] = logs
  const control = await newFolding(of)
  const all = [control]
  for (const each of ofCells) all.push(await newFolding(each))
  return { all, control, history: newHistory(control.state), hasCells: ofCells.length > 0 }
}

/** The graph comes first: intents are tied to it. */
export async function foldAll(
  foldings: Foldings,
  markOf: (of: ProjectedLog) => LogMark,
  onProgress?: OnProgress,
): Promise<void> {
  for (const folding of foldings.all) {
    const { of, state, caches } = folding
    const to = markOf(of).reached ?? 0
    if (state.position >= to) continue
    for await (const fact of of.log.read({ from: state.position + 1, to })) {
      const eve = eveOf(state, fact, caches.facts)
      take(foldings, folding, { eve, fact, folded: evolve(state, fact, caches) })
      const { name, position } = fact
      if (position === to) folding.last = { name, digest: digestOf(fact.bytes) }
      onProgress?.({ doing: 'folding the log', of: 'facts', done: position, total: to })
    }
  }
}

interface Passed {
  readonly eve: Eve
  readonly fact: Fact
  readonly folded: Folded
}

function take({ history, hasCells }: Foldings, folding: Folding, passed: Passed): void {
  const { of, state } = folding
  const { graphRevision: revision } = state
  const step = stepOf(history, folding, passed)
  if (of.cell === null) {
    addVersion(history, state, step)
    // What is judged in the same log is judged at the last one.
    if (!hasCells) history.versions.splice(0, history.versions.length - 1)
  }
  const judged = step?.judged ?? null
  if (judged !== null) folding.judged.push({ judged, revision })
}

function stepOf(
  history: GraphHistory,
  { of: { cell }, state }: Folding,
  { eve, fact, folded }: Passed,
): ProjectionStep | null {
  if (cell === null) return projectionStepOf(eve, state, fact, folded)
  if (folded.void !== null) return null
  const { graph } = versionOfRevision(history, state.graphRevision)
  return cellStepOf(eve, { graph, cell, state }, fact)
}

/** Those after a position, as what they are tied to is called in the last graph. */
export function* judgedAfter(
  { history, control }: Foldings,
  { judged }: Folding,
  after: number,
): Generator<Judged> {
  const { graphRevision: to } = control.state
  for (const { judged: each, revision: from } of judged) {
    if (each.row.position > after) yield carried(history, each, { from, to })
  }
}

/** Whether the projection stands at a fact that this log has not there. */
export function isOtherLog({ digest, fact }: LogMark, { last }: Folding): boolean {
  if (digest === null || last === null) return false
  return digest !== last.digest || fact !== last.name
}
