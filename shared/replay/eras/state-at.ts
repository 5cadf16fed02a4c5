// What was known at a moment of a log's history: the graph and the catalog folded up to there, and
// no further. It runs no stage, and must never be asked what only a whole fold can show.
import { readEvent } from '#record/event'
import { Fault } from '#record/fault'
import { kindsAbout } from '#schemas/kinds'
import { nameOf, patternOf, type Place } from '#record/names'
import { evolve } from '#state/fold/evolve'
import type { State } from '#state/state'
import type { Fact, LogReader } from '#ports/log'
import { factAtPosition } from '#runtime/logs/seek'
import { soundBeginningOf } from './beginning.ts'
import { lastPlace } from './last-era.ts'

/** Where in a log's history something is looked at: after a position, at a time, or as it is. */
export type Moment =
  | { readonly at: 'position'; readonly position: number }
  /** Milliseconds since 1970: the last fact that the log had taken by then. */
  | { readonly at: 'time'; readonly time: number }
  /** As soon as that revision counted. */
  | { readonly at: 'revision'; readonly revision: number }
  | { readonly at: 'end' }

/**
 * What is true of the graph and the catalog at that position. Open intents and uses are not: where
 * an era is the first, the facts about them were never read.
 */
export type KnownAt = Readonly<
  Pick<State, 'position' | 'appendedAt' | 'catalog' | 'catalogRevision' | 'graph' | 'graphRevision'>
>

/** Whose revisions a moment counts. */
export type Revised = 'graph' | 'catalog'

/** The log, the realm, and the key that must have signed its first catalog, if one must. */
export interface History {
  readonly log: LogReader
  readonly realm: string
  readonly rootKey: string | null
}

/** What was known at that moment. Throws a Fault for one that the log does not have. */
export async function stateAt(history: History, moment: Moment, of: Revised): Promise<KnownAt> {
  if (moment.at === 'revision') return atRevision(history, moment.revision, of)
  const state = await beginning(history)
  const { position: head } = await history.log.head()
  return knownAt(history, state, await positionOf(history, moment, { state, head }))
}

/** All that was so at that moment, which takes a fold of everything up to it. */
export async function wholeStateAt(history: History, moment: Moment): Promise<State> {
  const { position: to } = await stateAt(history, moment, 'catalog')
  const state = await beginning(history)
  const from = state.position + 1
  if (from > to) return state
  for await (const fact of history.log.read({ from, to })) evolve(state, fact)
  return state
}

// A name may be bound and void, in one era and again in the next: the fold shows which counted.
async function atRevision(history: History, revision: number, of: Revised): Promise<KnownAt> {
  const { log, realm } = history
  const state = await beginning(history)
  const first = revisionOf(state, of)
  if (first === revision) return known(state)
  const { era: eras } = await lastPlace(log, realm)
  for (let { era } = state.place; era <= eras; era += 1) {
    const bound = await log.get(nameOf({ realm, era }, of, revision))
    if (bound === undefined || bound.position <= state.position) continue
    const then = await knownAt(history, await beginning(history), bound.position)
    if (revisionOf(then, of) === revision) return then
  }
  const from = first === 0 ? '' : `, which begins with revision ${first} here`
  const why = `the ${of} has no revision ${revision} in this log${from}`
  throw new Fault('revision_unknown', `${why}: ask for one that counted, or a position`)
}

async function beginning({ log, realm, rootKey }: History): Promise<State> {
  return (await soundBeginningOf(log, { realm }, rootKey)).state
}

function revisionOf(state: KnownAt, of: Revised): number {
  return of === 'graph' ? state.graphRevision : state.catalogRevision
}

async function positionOf(
  history: History,
  moment: Exclude<Moment, { readonly at: 'revision' }>,
  { state, head }: { readonly state: KnownAt; readonly head: number },
): Promise<number> {
  if (moment.at === 'end') return Math.max(head, state.position)
  if (moment.at === 'time') return lastBefore(history, moment.time, { state, head })
  const { position } = moment
  if (position > head) {
    const what = `position ${position} is beyond the end of the log, which is ${head}`
    throw new Fault('position_unknown', `${what}: ask for that or an earlier one`)
  }
  if (position < state.position) {
    const what = `this log begins after position ${state.position}: what was before is elsewhere`
    throw new Fault('position_gone', `${what}: ask the log that has that era`)
  }
  return position
}

/** The last position that was appended by that time. */
async function lastBefore(
  { log, realm }: History,
  time: number,
  { state, head }: { readonly state: KnownAt; readonly head: number },
): Promise<number> {
  const start = state.position
  if (start > 0 && time < state.appendedAt) throw tooEarly(time, state.appendedAt)
  let reached = start
  let after = head + 1
  for (const turn of await turnsIn(log, realm)) {
    if (turn.position <= start || turn.appendedAt > time) continue
    reached = turn.position
    break
  }
  // INVARIANT: only where an era is rotated does time go back
  // (test/runtime/engine/log-clock.test.ts).
  while (reached + 1 < after) {
    const middle = Math.floor((reached + after) / 2)
    const { appendedAt } = await factAt(log, middle)
    if (appendedAt <= time) reached = middle
    else after = middle
  }
  if (reached > 0) return reached
  throw head === 0 ? logEmpty() : tooEarly(time, (await factAt(log, 1)).appendedAt)
}

/** Where eras were rotated, the latest first: the log's clock may have been set back there. */
async function turnsIn(log: History['log'], realm: string): Promise<readonly Fact[]> {
  const { era: eras } = await lastPlace(log, realm)
  const turns: Fact[] = []
  for (let era = 2; era <= eras; era += 1) {
    const pattern = patternOf({ realm, era }, 'snapshot', '*')
    for await (const fact of log.read({}, [pattern])) {
      const reading = readEvent('snapshot', fact)
      if (reading.ok && reading.event.data.step === 'end') turns.push(fact)
    }
  }
  return turns.toReversed()
}

function tooEarly(time: number, first: number): Fault {
  const began = new Date(first).toISOString()
  const what = `at ${new Date(time).toISOString()} this log had not begun: it begins at ${began}`
  return new Fault('time_before_log', `${what}: ask for then or later`)
}

function logEmpty(): Fault {
  return new Fault('log_empty', 'the log is empty: seed it first')
}

async function factAt(log: History['log'], position: number): Promise<Fact> {
  const fact = await factAtPosition(log, position)
  if (fact !== undefined) return fact
  const what = `the log has no fact at position ${position}`
  throw new Fault('log_cut', `${what}: bring it back from where it was archived`)
}

/** Folds on from where the state is. */
async function knownAt({ log }: History, state: State, position: number): Promise<KnownAt> {
  if (position <= state.position) return known(state)
  const from = state.position + 1
  const names = await namesThatMatter(log, state.place, position)
  for await (const fact of log.read({ from, to: position }, names)) evolve(state, fact)
  const { appendedAt } = state.position === position ? state : await factAt(log, position)
  return { ...known(state), position, appendedAt }
}

/**
 * In the first era what is known follows from few facts, and the rest need not be read. A later one
 * opens with a snapshot that is checked against the whole state: there everything is folded.
 */
async function namesThatMatter(
  log: History['log'],
  { realm, era }: Place,
  position: number,
): Promise<readonly string[] | undefined> {
  if (era > 1) return undefined
  // No seal counts before the first number of the next era's snapshot is bound.
  const next = await log.get(nameOf({ realm, era: 2 }, 'snapshot', 1))
  if (next !== undefined && next.position <= position) return undefined
  return kindsAbout('knowledge', 'question').map((kind) => patternOf({ realm, era }, kind))
}

function known(state: State): KnownAt {
  const { position, appendedAt, catalog, catalogRevision, graph, graphRevision } = state
  return { position, appendedAt, catalog, catalogRevision, graph, graphRevision }
}
