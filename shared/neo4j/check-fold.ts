// Folds a log up to where a projection of it stands, for a check: what each fact should have left
// there is handed on.
import type { ProjectionMark } from './driver/mark.ts'
import { digestOf } from '#record/digest'
import { eveOf, type Eve } from './projection/step.ts'
import { foldCaches, type FoldCaches } from '#state/caches/fold-caches'
import { evolve } from '#state/fold/evolve'
import type { Folded } from '#state/folded'
import type { State } from '#state/state'
import type { Fact, Log } from '#ports/log'
import type { OnProgress } from '#runtime/reporting/progress'
import type { LastFact } from './compare-rest.ts'

interface PassedFact {
  readonly eve: Eve
  readonly state: State
  readonly fact: Fact
  readonly folded: Folded
}

export interface Folding {
  readonly log: Log
  readonly state: State
  readonly caches: FoldCaches
  /** Where the fold began. */
  readonly first: number
  readonly take: (passed: PassedFact) => void
  readonly onProgress?: OnProgress
  last: LastFact | null
}

export function newFolding(of: Pick<Folding, 'log' | 'state' | 'take' | 'onProgress'>): Folding {
  return { ...of, first: of.state.position, caches: foldCaches(), last: null }
}

export async function foldTo(folding: Folding, to: number): Promise<void> {
  const { log, state, caches, take, onProgress } = folding
  if (state.position >= to) return
  for await (const fact of log.read({ from: state.position + 1, to })) {
    const eve = eveOf(state, fact, caches.facts)
    const folded = evolve(state, fact, caches)
    take({ eve, state, fact, folded })
    const { name, position } = fact
    if (position === to) folding.last = { name, digest: digestOf(fact.bytes) }
    onProgress?.({ doing: 'folding the log', of: 'facts', done: position, total: to })
  }
}

/** Whether the projection stands at a fact that this log has not there. */
export function isOtherLog(
  { digest, fact }: Pick<ProjectionMark, 'digest' | 'fact'>,
  { last }: Folding,
): boolean {
  if (digest === null || last === null) return false
  return digest !== last.digest || fact !== last.name
}
