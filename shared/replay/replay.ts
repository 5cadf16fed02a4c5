// Replay: derives every fact that a stage wrote again from raw log bytes, by the
// stages' own deciders, and compares the bytes. A decider gets what it had and never what it wrote.
import type { VoidFact } from '#state/folded'
import type { Fact } from '#ports/log'
import { beginningOf, type Start } from './eras/beginning.ts'
import { addTo, type CountedDifferences, type ReplayDifference } from './differences.ts'
import { chainFrom, headText, type Chain } from './chain.ts'
import type { Due } from './derive.ts'
import { addFindings, noteFinding, type Findings, type ReplayFinding } from './findings.ts'
import { newRun, type ReplayOptions, type ReplayRun } from './pass.ts'
import { walkLog } from './log-walk.ts'
import { dueAt } from './schedule.ts'

export interface MissingModule {
  readonly module: string
  readonly facts: number
}

export interface ReplayReport {
  /** The log’s identity: the digest of its first catalog; null where it has none. */
  readonly log: string | null
  /** The key that signed that. */
  readonly root: string | null
  readonly facts: number
  /** Facts that were derived again. */
  readonly derived: number
  /** Facts that all cells share and that follow from another cell's log. */
  readonly given: number
  /** Faults of jobs: what they say of a worker is taken as recorded. */
  readonly faults: number
  /** Answers of callbacks that were read back and not derived. */
  readonly readBack: number
  /** Facts that count for nothing, and why; the first hundred. */
  readonly voids: readonly VoidFact[]
  readonly voidCount: number
  /** Intents without a verdict. */
  readonly open: number
  /** How many eras the log has had. */
  readonly eras: number
  /** The snapshot that stands for the eras before it, where those are not in this log. */
  readonly start: Start | null
  /** Facts that do not derive from what is here, and may from earlier eras or callback modules. */
  readonly unchecked: number
  /** Of how many of these deciding took too long here, as by patterns of old rules. */
  readonly stopped: number
  /** The callback modules that are not here, and how many of these facts each decided. */
  readonly missingModules: readonly MissingModule[]
  readonly differences: number
  readonly first: ReplayDifference | null
  /** What derives and still cannot be believed, and what was done without a warrant. */
  readonly findings: Findings
  /** The last position and the digest of all up to it; after `start`, of what is after that. */
  readonly head: string
  /** Whether the log has the head that was asked for; null where none was. */
  readonly hasHead: boolean | null
}

/** What a walk over a log has found, or walks over all spans of it together. */
export interface Walked extends Pick<
  ReplayReport,
  'log' | 'root' | 'eras' | 'open' | 'start' | 'facts' | 'derived' | 'given' | 'faults'
> {
  readonly readBack: number
  readonly voids: readonly VoidFact[]
  readonly voidCount: number
  readonly found: CountedDifferences
  readonly findings: Findings
  /** Starts too late, or of what was revoked, whose outcome did not say that nothing was done. */
  readonly stopped: ReadonlyMap<string, ReplayFinding>
  /** What rests on a basis that the fold had passed when it was read. */
  readonly passed: readonly Due[]
}

export async function replay(options: ReplayOptions): Promise<ReplayReport> {
  const run = newRun(options, await beginning(options))
  const heads = watchedHead(run)
  const { position: total } = await options.log.head()
  await walkLog(run, {
    onRead(fact) {
      heads.read(fact)
      options.progress?.({ doing: 'replaying', of: 'facts', done: fact.position, total })
    },
  })
  return reported(options, walkedIn(run), heads.found())
}

export function walkedIn(run: ReplayRun): Walked {
  const { facts, derived, given, faults, voids, voidCount, state, start, findings, passed } = run
  const { readBack } = run.deriving.counted
  const { compared: _, ...found } = run.found
  const identity = { log: state.log, root: state.root, eras: state.eras.length, start }
  const counted = { facts, derived, given, faults, readBack, voids, voidCount }
  const { stopped } = run.redemptions
  return { ...identity, ...counted, open: state.intents.size, found, findings, stopped, passed }
}

/** What it comes to, once the rest of it is derived. */
export async function reported(
  options: ReplayOptions,
  walked: Walked,
  head: Pick<ReplayReport, 'head' | 'hasHead'>,
): Promise<ReplayReport> {
  const { found, findings, passed, stopped, ...counted } = walked
  const second = passed.length === 0 ? null : await again(options, passed)
  if (second !== null) {
    addTo(found, second.found)
    addFindings(findings, second.findings)
  }
  for (const late of stopped.values()) noteFinding(findings, late)
  const { unchecked, stopped: stuck, byModule, differences, first } = found
  const missingModules = [...byModule].map(([module, count]) => ({ module, facts: count }))
  const { log, root, facts, given, faults, voids, voidCount, open, eras, start } = counted
  const derived = counted.derived + (second?.derived ?? 0)
  const readBack = counted.readBack + (second?.deriving.counted.readBack ?? 0)
  const checked = { unchecked, stopped: stuck, missingModules, differences, first }
  const all = { facts, derived, given, faults, readBack, voids, voidCount, open, eras, start }
  return { log, root, ...all, ...checked, findings, ...head }
}

function beginning({ log, place, rootKey }: ReplayOptions) {
  return beginningOf(log, place, rootKey)
}

export interface WatchedHead {
  read(fact: Fact): void
  found(): Pick<ReplayReport, 'head' | 'hasHead'>
}

/** Reads all of the log into one digest, and looks for the head that was asked for on the way. */
export function watchedHead({ options, start }: Pick<ReplayRun, 'options' | 'start'>): WatchedHead {
  const chain: Chain = chainFrom(start)
  const { head: wanted } = options
  const isHere = (): boolean => headText(chain.head()) === (wanted && headText(wanted))
  let hasHead = wanted?.position === (start?.position ?? 0) && isHere()
  return {
    read(fact: Fact): void {
      if (fact.position <= (start?.position ?? 0)) return
      chain.add(fact)
      if (fact.position === wanted?.position) hasHead = isHere()
    },
    found: () => ({
      head: headText(chain.head()),
      hasHead: wanted === undefined ? null : hasHead,
    }),
  }
}

// A basis so old that the fold had passed it when its fact was read: those few get a walk of their
// own.
async function again(options: ReplayOptions, passed: readonly Due[]): Promise<ReplayRun> {
  const second = newRun(options, await beginning(options))
  for (const due of passed) dueAt(second, due)
  await walkLog(second, null)
  return second
}
