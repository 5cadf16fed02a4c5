// The walk over a log, or over a span of it: each fact is read, what rests on it is scheduled, and
// the fold passes it. What its findings come to is for others to say.
import { turn } from '#platform/packages'
import { eraOf } from '#record/names'
import { evolve } from '#state/fold/evolve'
import { voidsIn, type Folded } from '#state/folded'
import { kinds } from '#schemas/kinds'
import type { Fact } from '#ports/log'
import { falseArrivals, type FalseArrival } from '#authoring/moves/departure'
import { difference, missing } from './differences.ts'
import { compare } from './compare.ts'
import type { Due } from './derive.ts'
import { noteFinding } from './findings.ts'
import { receive, overtaken } from './overtaken.ts'
import { redeemed, type Redeemed } from './redemptions.ts'
import { aheadIn, noteVoid, type ReplayRun } from './pass.ts'
import { schedule } from './schedule.ts'

/** Facts that are derived at a time; what each reads and asks is waited for together. */
const underWayMax = 256
/** After so many facts it is notified of what callbacks have answered, and hands them more. */
const factsBetweenTurns = 64

export interface WalkEvents {
  /** Called for each fact of the span as it is read. */
  readonly onRead: (fact: Fact) => void
  /** Called once the fold has passed all of the span. */
  readonly onPassed?: () => void
}

/** `events` is null where the log has been read before, and nothing of it counts twice. */
export async function walkLog(run: ReplayRun, events: WalkEvents | null): Promise<void> {
  const { from, after, through } = run.span
  const readAhead = aheadIn(run.options)
  const ends = {
    ...(from > 1 && { from }),
    ...(through !== null && { to: through + readAhead }),
  }
  let ahead: Fact[] = []
  let expected = after + 1
  const isFirst = events !== null
  for await (const fact of run.options.log.read(ends)) {
    const isBeyond = through !== null && fact.position > through
    if (!isBeyond) {
      // Of what a snapshot stands for something may still be there; it was folded already.
      const isCut = fact.position > expected && run.options.isPart !== true
      if (isFirst && isCut) missing(run.found, expected, fact.position - 1)
      expected = Math.max(expected, fact.position + 1)
      run.facts += 1
      events?.onRead(fact)
    }
    if (isFirst) schedule(run, fact)
    ahead.push(fact)
    if (ahead.length < readAhead * 2) continue
    await foldAll(run, ahead.slice(0, readAhead), isFirst)
    ahead = ahead.slice(readAhead)
  }
  const end = through ?? Infinity
  await foldAll(
    run,
    ahead.filter(({ position }) => position <= end),
    isFirst,
  )
  events?.onPassed?.()
  await foldBeyond(
    run,
    ahead.filter(({ position }) => position > end),
  )
  await Promise.all(run.underWay.values())
  noteShown(run, 2 * run.state.position + 1)
}

/** Where the fold was when what is shown since was found: as findings of spans are put in order. */
function noteShown({ findings, shownAt }: ReplayRun, at: number): void {
  while (shownAt.length < findings.shown.length) shownAt.push(at)
}

// What was derived before the end of the span may stand behind it, and be overtaken there.
async function foldBeyond(run: ReplayRun, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts) {
    if (run.standings.byPosition.size === 0) return
    await noteOvertaken(run, fact)
    noteShown(run, 2 * fact.position)
    evolveNext(run, fact)
  }
}

async function noteOvertaken(run: ReplayRun, { position, name }: Fact): Promise<void> {
  const underWay = run.underWay.get(position)
  const isOvertaken = overtaken(run.standings, run.deriving, { position, underWay })
  if (isOvertaken !== false && (await isOvertaken)) {
    noteFinding(run.findings, { kind: 'overtaken', position, name })
  }
}

// Most facts are folded and derived at once; only those that have to read the log are waited for.
async function foldAll(run: ReplayRun, facts: readonly Fact[], isFirst: boolean): Promise<void> {
  for (const fact of facts) {
    const { position } = fact
    if (run.underWay.size > 0 && position % factsBetweenTurns === 0) await turn()
    if (run.standings.byPosition.has(position)) await noteOvertaken(run, fact)
    const looking = isFirst ? arrivalsIn(run, fact) : null
    const stray = looking === null ? [] : await looking
    const folded = fold(run, fact)
    if (folded?.void === null) noteArrivals(run, fact, stray)
    if (isFirst && folded !== null) {
      const done = redeemedIn(run, fact, folded)
      if (done !== null) noteRedeemed(run, fact, done instanceof Promise ? await done : done)
    }
    const due = run.due.get(position)
    if (due !== undefined) await deriveAll(run, position, due)
    noteShown(run, 2 * position + 1)
  }
}

async function deriveAll(run: ReplayRun, position: number, due: readonly Due[]): Promise<void> {
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

function evolveNext(run: ReplayRun, fact: Fact): Folded {
  const folded = evolve(run.state, fact, run.caches)
  run.deriving.reader.sessions.receive(fact, folded, run.state)
  receive(run.standings, fact.name, folded)
  return folded
}

function fold(run: ReplayRun, fact: Fact): Folded | null {
  if (fact.position <= (run.start?.position ?? 0)) return null
  const folded = evolveNext(run, fact)
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
