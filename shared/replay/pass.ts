// What a replay has at hand while it passes over a log, and what it has found so far.
import type { Place } from '#record/names'
import type { Stage } from '#stages/stage'
import { foldCaches } from '#state/caches/fold-caches'
import type { VoidFact } from '#state/folded'
import type { CallbackRunner } from '#ports/callbacks'
import type { LogReader } from '#ports/log'
import type { Beginning, Start } from './eras/beginning.ts'
import { noDifferences, type ComparedFact } from './differences.ts'
import { readerOf } from '#runtime/engine/gathering/gather'
import type { OnProgress } from '#runtime/reporting/progress'
import type { ChainHead } from './chain.ts'
import type { Deriving, Due } from './derive.ts'
import { noFindings } from './findings.ts'
import type { Weighing } from './weighing.ts'
import { noStandings } from './overtaken.ts'
import { noRedemptions } from './redemptions.ts'

export interface ReplayOptions {
  readonly log: LogReader
  /** Whether positions are left out of it on purpose: then none of them is missing. */
  readonly isPart?: boolean
  readonly place: Place
  readonly rootKey: string | null
  readonly stages: readonly Stage[]
  /** Null where no callback may run: what was recorded of each is taken, and nothing else. */
  readonly callbacks: CallbackRunner | null
  /** Compare only the facts about this intent; all facts are folded all the same. */
  readonly address?: string | undefined
  /** What the log must contain. */
  readonly head?: ChainHead | undefined
  readonly progress?: OnProgress | undefined
  /** Notified of each fact that was derived again. */
  readonly compared?: (found: ComparedFact) => void
  /** How many cells the realm has: what is of one that there is not follows from nothing. */
  readonly cells?: number | null
  /**
   * Facts that are read ahead of the fold, so that each is derived as the fold passes its basis.
   */
  readonly readAhead?: number
}

/** How many facts are read ahead. */
export function aheadIn({ readAhead = 4_096 }: Pick<ReplayOptions, 'readAhead'>): number {
  return readAhead
}

/** What of a log a run derives again: what rests on positions after one, up to another. */
export interface ReplaySpan {
  /** Where it begins to read. */
  readonly from: number
  /** What is folded before it. */
  readonly after: number
  /** Null: to the end. */
  readonly through: number | null
}

export interface ReplayRun extends Weighing {
  readonly options: ReplayOptions
  readonly span: ReplaySpan
  readonly deriving: Deriving
  readonly start: Start | null
  /** The bases of facts that cannot be read, until they are folded. */
  readonly unreadable: Map<number, number | null>
  /** What is derived again as soon as the fold has reached the basis of its stamp. */
  readonly due: Map<number, Due[]>
  /** What is being derived while the fold goes on, by the position of the fact. */
  readonly underWay: Map<number, Promise<void>>
  /** Those whose basis the fold had passed when they were read. */
  readonly passed: Due[]
  readonly voids: VoidFact[]
  /** Where the fold was when each finding that is shown was found. */
  readonly shownAt: number[]
  facts: number
  derived: number
  /** What all cells share and follows from the log of another. */
  given: number
  /** Faults of jobs. */
  faults: number
  voidCount: number
}

export const voidsShownMax = 100

export function newRun(
  options: ReplayOptions,
  { state, start }: Pick<Beginning, 'state' | 'start'>,
  span: ReplaySpan = { from: 1, after: start?.position ?? 0, through: null },
): ReplayRun {
  const { stages, callbacks: given, log } = options
  // No agent waits for a replay: in one name, the calls of many intents are sent together.
  const callbacks: CallbackRunner | null =
    given === null ? null : { run: (call) => given.run({ ...call, agent: '' }) }
  const caches = foldCaches()
  const reader = readerOf(log, state.position, caches)
  return {
    options,
    span,
    state,
    caches,
    deriving: { state, reader, stages, callbacks, counted: { readBack: 0 } },
    start,
    found: noDifferences(options.compared ?? (() => undefined)),
    findings: noFindings(),
    standings: noStandings(),
    redemptions: noRedemptions(),
    unreadable: new Map(),
    due: new Map(),
    underWay: new Map(),
    passed: [],
    voids: [],
    shownAt: [],
    facts: 0,
    derived: 0,
    given: 0,
    faults: 0,
    voidCount: 0,
  }
}

export function noteVoid(run: ReplayRun, found: VoidFact): void {
  run.voidCount += 1
  if (run.voids.length < voidsShownMax) run.voids.push(found)
}
