// Replay: derives every fact that a stage wrote again from raw log bytes, by the
// stages' own deciders, and compares the bytes. A decider gets what it had and never what it wrote.
import { derivedQuestionKinds } from '#core/learning/kinds'
import { eraOf, partsInRealm, type Kind, type Place } from '#core/names'
import type { Stage } from '#core/stage/stage'
import { evolve } from '#core/world/evolve'
import type { Callbacks } from '#ports/callbacks'
import type { Fact, Log } from '#ports/log'
import { beginningOf, type Beginning, type Start } from './beginning.ts'
import { addTo, difference, missing, noDifferences } from './differences.ts'
import type { Difference } from './differences.ts'
import { readerOf } from './gather.ts'
import { addressOfRate, stampOf } from './recorded-stamp.ts'
import { derive, type Deriving, type Due, type Later } from './replay/derive.ts'
import { addFindings, noFindings, note, type Findings } from './replay/findings.ts'
import { judge, standsAt, type Judging } from './replay/judging.ts'
import { hear, noStandings, overtaken, stand } from './replay/overtaken.ts'

export interface ReplayOptions {
  readonly log: Log
  readonly place: Place
  readonly rootKey: string | null
  readonly stages: readonly Stage[]
  readonly callbacks: Callbacks
  /** Compare only the facts about this intent; all facts are folded all the same. */
  readonly address?: string | undefined
}

export interface ReplayReport {
  /** The log’s identity: the digest of its first catalog; null where it has none. */
  readonly log: string | null
  /** The key that signed that. */
  readonly root: string | null
  readonly facts: number
  /** Facts that were derived again. */
  readonly derived: number
  /** Answers of callbacks that were read back and not derived. */
  readonly readBack: number
  /** Facts that count for nothing, and why; the first `voidsShownMax`. */
  readonly voids: readonly {
    readonly name: string
    readonly position: number
    readonly why: string
  }[]
  readonly voidCount: number
  /** Intents without a verdict. */
  readonly open: number
  /** How many eras the log has had. */
  readonly eras: number
  /** The snapshot that stands for the eras before it, where those are not in this log. */
  readonly start: Start | null
  /** Facts that do not derive from what is here, and may from what those eras said. */
  readonly unchecked: number
  readonly differences: number
  readonly first: Difference | null
  /** What derives and still cannot be believed. */
  readonly findings: Findings
}

const derivedKinds: ReadonlySet<Kind> = new Set<Kind>([
  'grounding',
  'rate',
  'hold',
  'resume',
  'review',
  'verdict',
  ...derivedQuestionKinds,
])
const voidsShownMax = 100
/** Facts that are read ahead of the fold, so that each is derived as the fold passes its basis. */
const readAheadMax = 4_096
/** Facts that are derived at a time; what each reads and asks is waited for together. */
const underWayMax = 256

interface Run extends Judging {
  readonly options: ReplayOptions
  readonly deriving: Deriving
  /** The bases of facts that can not be read, until they are folded. */
  readonly unreadable: Map<number, number | null>
  /** What is derived again as soon as the fold has reached the basis of its stamp. */
  readonly due: Map<number, Due[]>
  /** What is being derived while the fold goes on, by the position of the fact. */
  readonly underWay: Map<number, Promise<void>>
  /** Those whose basis the fold had passed when they were read. */
  readonly passed: Due[]
  readonly voids: { name: string; position: number; why: string }[]
  facts: number
  derived: number
  voidCount: number
}

export async function replay(options: ReplayOptions): Promise<ReplayReport> {
  const run = newRun(options, await beginning(options))
  await pass(run, (fact) => schedule(run, fact))
  if (run.passed.length > 0) await again(run)
  const { facts, derived, voids, voidCount, world, start, findings } = run
  const { readBack } = run.deriving.counted
  const { unchecked, differences, first } = run.found
  const open = world.intents.size
  const identity = { log: world.log, root: world.root }
  const eras = world.eras.length
  const compared = { unchecked, differences, first, findings }
  const counted = { facts, derived, readBack, voids, voidCount, open, eras, start }
  return { ...identity, ...counted, ...compared }
}

function beginning({ log, place, rootKey }: ReplayOptions): Promise<Beginning> {
  return beginningOf(log, place, rootKey)
}

function newRun(options: ReplayOptions, { world, start }: Beginning): Run {
  const { stages, callbacks } = options
  const reader = readerOf(options.log, world.position)
  return {
    options,
    world,
    deriving: { world, reader, stages, callbacks, counted: { readBack: 0 } },
    start,
    found: noDifferences(),
    findings: noFindings(),
    standings: noStandings(),
    unreadable: new Map(),
    due: new Map(),
    underWay: new Map(),
    passed: [],
    voids: [],
    facts: 0,
    derived: 0,
    voidCount: 0,
  }
}

// A basis so old that the fold had passed it when its fact was read: those few get a pass of their
// own.
async function again(run: Run): Promise<void> {
  const second = newRun(run.options, await beginning(run.options))
  for (const due of run.passed) dueAt(second, due)
  await pass(second, () => undefined)
  run.derived += second.derived
  run.deriving.counted.readBack += second.deriving.counted.readBack
  addTo(run.found, second.found)
  addFindings(run.findings, second.findings)
}

async function pass(run: Run, onRead: (fact: Fact) => void): Promise<void> {
  let ahead: Fact[] = []
  let expected = (run.start?.position ?? 0) + 1
  for await (const fact of run.options.log.read({})) {
    // Of what a snapshot stands for something may still be there; it was folded already.
    if (fact.position > expected) missing(run.found, expected, fact.position - 1)
    expected = Math.max(expected, fact.position + 1)
    run.facts += 1
    onRead(fact)
    ahead.push(fact)
    if (ahead.length < readAheadMax * 2) continue
    await foldAll(run, ahead.slice(0, readAheadMax))
    ahead = ahead.slice(readAheadMax)
  }
  await foldAll(run, ahead)
  await Promise.all(run.underWay.values())
}

// Most facts are folded and derived at once; only those that have to read the log are waited for.
async function foldAll(run: Run, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts) {
    const isOvertaken = overtaken(run.standings, run.deriving, {
      position: fact.position,
      underWay: run.underWay.get(fact.position),
    })
    if (isOvertaken !== false && (await isOvertaken)) {
      const { name, position } = fact
      note(run.findings, { kind: 'overtaken', position, name })
    }
    fold(run, fact)
    const due = run.due.get(fact.position)
    if (due === undefined) continue
    run.due.delete(fact.position)
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

function fold(run: Run, fact: Fact): void {
  if (fact.position <= (run.start?.position ?? 0)) return
  const folded = evolve(run.world, fact)
  run.deriving.reader.sessions.hear(fact, folded, run.world.eras)
  hear(run.standings, fact.name, folded)
  const basis = run.unreadable.get(fact.position)
  if (basis !== undefined) {
    run.unreadable.delete(fact.position)
    // Junk under a name of an era that has not begun takes the place of nothing.
    const isJunk = (eraOf(fact.name) ?? 0) > run.world.place.era
    if (!isJunk) difference(run.found, { kind: 'unreadable', fact, basis, derived: null })
  }
  if (folded.void === null) return
  run.voidCount += 1
  const { name, position } = fact
  if (run.voids.length < voidsShownMax) run.voids.push({ name, position, why: folded.void })
}

function schedule(run: Run, fact: Fact): void {
  const { place, address } = run.options
  const parts = partsInRealm(fact.name, place.realm)
  if (parts === null || !derivedKinds.has(parts.kind)) return
  if (address !== undefined && parts.address !== address) return
  const stamp = stampOf(fact)
  if (stamp === null || stamp.basis >= fact.position) {
    run.unreadable.set(fact.position, stamp?.basis ?? null)
    return
  }
  const { start } = run
  // What came too late for an era that is gone is void, and only that era could derive it.
  if (start !== null && parts.place.era < start.era) return
  if (stamp.basis <= (start?.position ?? 0)) {
    // No stage binds a name of an era from a basis before it, nor any from before the first fact.
    difference(run.found, { kind: 'not_derived', fact, basis: stamp.basis, derived: null })
    return
  }
  const { kind } = parts
  const due = { kind, fact, stamp, address: parts.address ?? addressOfRate(fact) }
  if (stamp.basis <= run.world.position) run.passed.push(due)
  else dueAt(run, due)
}

function dueAt(run: Run, due: Due): void {
  const { basis } = due.stamp
  const others = run.due.get(basis)
  if (others === undefined) run.due.set(basis, [due])
  else others.push(due)
}

function compare(run: Run, due: Due): Promise<void> | null {
  run.derived += 1
  const derived = derive(run.deriving, due)
  if (derived instanceof Promise) return derived.then((found) => judge(run, due, found))
  if (derived === null || !('later' in derived)) {
    judge(run, due, derived)
    return null
  }
  // The fold need not read a grounding again that was just derived.
  if (due.kind === 'grounding') return derived.later.then((found) => judge(run, due, found))
  goOnWith(run, due, derived)
  return null
}

/** Derives while the fold goes on. */
function goOnWith(run: Run, due: Due, { view, later }: Later): void {
  const { position } = due.fact
  const from = standsAt(run, due)
  const derivesSo = stand(run.standings, run.world, { due, view })
  const judgedLater = async (): Promise<void> => {
    const found = await later
    run.underWay.delete(position)
    judge(run, due, found, { ...from, derivesSo })
  }
  const judged = judgedLater()
  // Whatever comes first is awaited first; what fails then is not to be told a second time.
  judged.catch(() => undefined)
  run.underWay.set(position, judged)
}
