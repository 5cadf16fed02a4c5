// Weighs what was recorded of a fact by what was derived: is it the very same, and in time. It
// never looks at the state of another basis than the fact's own.
import { compareBytes, textOfUtf8 } from '#platform/bytes'
import { lateness } from '#stages/lateness'
import type { FoldCaches } from '#state/caches/fold-caches'
import type { State } from '#state/state'
import { callbackMsMax } from '#ports/callbacks'
import { difference, underivable, type Differences } from './differences.ts'
import { isUnderivable, type Derived, type Due, type Rederived } from './derive.ts'
import { noteFinding, type Findings } from './findings.ts'
import { derivesSo, stand, type PendingFact, type Standings } from './overtaken.ts'
import type { Reaching } from './reach.ts'
import { warranted, type Redemptions } from './redemptions.ts'

export interface Weighing {
  readonly state: State
  readonly caches: FoldCaches
  readonly found: Differences
  readonly findings: Findings
  readonly standings: Standings
  readonly redemptions: Redemptions
}

/** What of the state a fact is judged by, where the fold stands at its basis. */
export interface StandsAt {
  readonly basisAt: number
  /** Null where all eras are here. */
  readonly reached: Reaching | null
  /** Undefined where it is derived at once, and stands from then on. */
  readonly standing?: PendingFact | null
}

export function standsAt({ state }: Weighing, reached: Reaching | null): StandsAt {
  return { basisAt: state.appendedAt, reached }
}

/** Compares what was derived with what was recorded. */
export function weigh(run: Weighing, due: Due, derived: Rederived, at: StandsAt): void {
  if (derived !== null && isUnderivable(derived)) {
    underivable(run.found, due.fact, derived)
    return
  }
  judgeTime(run, due, { derived, basisAt: at.basisAt })
  const { fact, stamp, address } = due
  const { basis } = stamp
  const reachesBack = at.reached?.reachedBack() === true
  if (derived === null) {
    difference(run.found, { kind: 'not_derived', fact, basis, derived, reachesBack })
    return
  }
  if (compareBytes(derived.bytes, fact.bytes) !== 0) {
    const other = textOfUtf8(derived.bytes)
    difference(run.found, { kind: 'differs', fact, basis, derived: other, reachesBack })
    return
  }
  run.found.compared({ fact, is: 'equal' })
  const draft = derived.of?.draft
  if (draft !== undefined) {
    run.caches.facts.remember(draft, fact.bytes)
    warranted(run.redemptions, address, { fact, draft })
  }
  const { standing = stand(run.standings, run.state, { due, view: derived.of?.view ?? null }) } = at
  derivesSo(standing, derived)
}

interface Found {
  readonly derived: Derived | null
  readonly basisAt: number
}

function judgeTime(run: Weighing, { fact, stamp }: Due, { derived, basisAt }: Found): void {
  const { name, position, appendedAt } = fact
  const data = derived?.of?.draft.data
  const callbacks = data !== undefined && 'callbacks' in data ? data.callbacks?.length : undefined
  const callbacksMs = (callbacks ?? 0) * callbackMsMax
  const why = lateness(stamp.time, { appendedAt, basisAt, callbacksMs })
  if (why !== null) noteFinding(run.findings, { kind: 'late', position, name, why })
}
