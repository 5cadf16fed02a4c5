// Replay: derives every fact that a stage wrote again from raw log bytes, by the
// stages' own deciders, and compares the bytes. A decider gets what it had and never what it wrote.
import { turn } from '#platform/packages'
import { eraOf } from '#record/names'
import { evolve } from '#state/fold/evolve'
import { voidsIn, type VoidFact, type Folded } from '#state/folded'
import { kinds } from '#schemas/kinds'
import type { Fact } from '#ports/log'
import { beginningOf, type Beginning, type Start } from './eras/beginning.ts'
import { falseArrivals, type FalseArrival } from '#authoring/moves/departure'
import { addTo, difference, missing, type ReplayDifference } from './differences.ts'
import { chainFrom, headText, type Chain } from './chain.ts'
import { compare } from './compare.ts'
import { addFindings, noteFinding, type Findings } from './findings.ts'
import { receive, overtaken } from './overtaken.ts'
import { redeemed, startedTooLate, type Redeemed } from './redemptions.ts'
import { newRun, noteVoid, type ReplayOptions, type ReplayRun } from './pass.ts'
import { dueAt, schedule } from './schedule.ts'

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

/** Facts that are read ahead of the fold, so that each is derived as the fold passes its basis. */
const readAheadMax = 4_096
/** Facts that are derived at a time; what each reads and asks is waited for together. */
const underWayMax = 256
/** After so many facts it is notified of what callbacks have answered, and hands them more. */
const factsBetweenTurns = 64

export async function replay(options: ReplayOptions): Promise<ReplayReport> {
  const run = newRun(options, await beginning(options))
  const heads = watchedHead(run)
  const { position: total } = await options.log.head()
  await pass(run, (fact) => {
    heads.read(fact)
    schedule(run, fact)
    options.progress?.({ doing: 'replaying', of: 'facts', done: fact.position, total })
  })
  if (run.passed.length > 0) await again(run)
  for (const found of startedTooLate(run.redemptions)) noteFinding(run.findings, found)
  const { facts, derived, given, faults, voids, voidCount, state, start, findings } = run
  const { readBack } = run.deriving.counted
  const { unchecked, stopped, byModule, differences, first } = run.found
  const missingModules = [...byModule].map(([module, count]) => ({ module, facts: count }))
  const open = state.intents.size
  const identity = { log: state.log, root: state.root }
  const eras = state.eras.length
  const checked = { unchecked, stopped, missingModules, differences, first }
  const compared = { ...checked, findings, ...heads.found() }
  const counted = { facts, derived, given, faults, readBack, voids, voidCount, open, eras, start }
  return { ...identity, ...counted, ...compared }
}

function beginning({ log, place, rootKey }: ReplayOptions): Promise<Beginning> {
  return beginningOf(log, place, rootKey)
}

/** Reads all of the log into one digest, and looks for the head that was asked for on the way. */
function watchedHead({ options, start }: ReplayRun) {
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

// A basis so old that the fold had passed it when its fact was read: those few get a pass of their
// own.
async function again(run: ReplayRun): Promise<void> {
  const second = newRun(run.options, await beginning(run.options))
  for (const due of run.passed) dueAt(second, due)
  await pass(second, null)
  run.derived += second.derived
  run.deriving.counted.readBack += second.deriving.counted.readBack
  addTo(run.found, second.found)
  addFindings(run.findings, second.findings)
}

/** `onRead` is null where the log has been read before, and nothing of it counts twice. */
async function pass(run: ReplayRun, onRead: ((fact: Fact) => void) | null): Promise<void> {
  let ahead: Fact[] = []
  let expected = (run.start?.position ?? 0) + 1
  const isFirst = onRead !== null
  for await (const fact of run.options.log.read({})) {
    // Of what a snapshot stands for something may still be there; it was folded already.
    const isCut = fact.position > expected && run.options.isPart !== true
    if (isFirst && isCut) missing(run.found, expected, fact.position - 1)
    expected = Math.max(expected, fact.position + 1)
    run.facts += 1
    onRead?.(fact)
    ahead.push(fact)
    if (ahead.length < readAheadMax * 2) continue
    await foldAll(run, ahead.slice(0, readAheadMax), isFirst)
    ahead = ahead.slice(readAheadMax)
  }
  await foldAll(run, ahead, isFirst)
  await Promise.all(run.underWay.values())
}

// Most facts are folded and derived at once; only those that have to read the log are waited for.
async function foldAll(run: ReplayRun, facts: readonly Fact[], isFirst: boolean): Promise<void> {
  for (const fact of facts) {
    const { name, position } = fact
    if (run.underWay.size > 0 && position % factsBetweenTurns === 0) await turn()
    const underWay = run.underWay.get(position)
    const isOvertaken = overtaken(run.standings, run.deriving, { position, underWay })
    if (isOvertaken !== false && (await isOvertaken)) {
      noteFinding(run.findings, { kind: 'overtaken', position, name })
    }
    const looking = isFirst ? arrivalsIn(run, fact) : null
    const stray = looking === null ? [] : await looking
    const folded = fold(run, fact)
    if (folded?.void === null) noteArrivals(run, fact, stray)
    if (isFirst && folded !== null) {
      const done = redeemedIn(run, fact, folded)
      if (done !== null) noteRedeemed(run, fact, done instanceof Promise ? await done : done)
    }
    const due = run.due.get(position)
    if (due === undefined) continue
    run.due.delete(position)
    for (const recorded of due) {
      const waiting = compare(run, recorded)
      if (waiting !== null) await waiting
    }
    for (const oldest of run.underWay.values()) {
      if (run.underWay.size <= underWayMax) break
      await oldest
    }
  }
}

function fold(run: ReplayRun, fact: Fact): Folded | null {
  if (fact.position <= (run.start?.position ?? 0)) return null
  const folded = evolve(run.state, fact, run.caches)
  run.deriving.reader.sessions.receive(fact, folded, run.state)
  receive(run.standings, fact.name, folded)
  const basis = run.unreadable.get(fact.position)
  if (basis !== undefined) {
    run.unreadable.delete(fact.position)
    // Junk under a name of an era that has not begun takes the place of nothing.
    const isJunk = (eraOf(fact.name) ?? 0) > run.state.place.era
    if (!isJunk) difference(run.found, { kind: 'unreadable', fact, basis, derived: null })
  }
  if (folded.parts !== null && kinds[folded.parts.kind].about === 'job') run.faults += 1
  for (const found of voidsIn(fact, folded)) noteVoid(run, found)
  return folded
}

// What agents bring along to another cell only this log can contradict, right before it has that.
function arrivalsIn({ state, options, start }: ReplayRun, fact: Fact) {
  if (options.address !== undefined || fact.position <= (start?.position ?? 0)) return null
  return falseArrivals(options.log, state, fact)
}

function noteArrivals(
  { findings, found, start }: ReplayRun,
  { name, position }: Fact,
  stray: readonly FalseArrival[],
): void {
  for (const { id: agent, why, stops } of stray) {
    // It may have spoken in a session that was blocked in an era that is not here.
    if (start !== null && why === 'block' && stops === null) found.unchecked += 1
    else noteFinding(findings, { kind: 'arrivalDiffers', position, name, why, agent })
  }
}

function redeemedIn(run: ReplayRun, fact: Fact, { parts, void: why }: Folded) {
  const { address } = run.options
  if (parts === null || why !== null) return null
  if (address !== undefined && parts.address !== address) return null
  const { state, redemptions, options, start } = run
  const checking = { redemptions, log: options.log, state, era: start?.era ?? 1 }
  return redeemed(checking, fact, parts)
}

function noteRedeemed(run: ReplayRun, { name, position }: Fact, found: Redeemed): void {
  if (found.is === 'finding') noteFinding(run.findings, { kind: found.kind, position, name })
  if (found.is === 'unchecked') run.found.unchecked += 1
  if (found.is === 'void') noteVoid(run, { name, position, why: found.why })
}
