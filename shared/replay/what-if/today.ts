// What a change of the graph or the catalog would do today: the last intents as if they were asked
// again, and those that wait as if they went on, by the limits and the evidence of now. It only
// reads, and where an answer may be another next time it says that it cannot tell.
import type { CallbackFault } from '#schemas/callbacks'
import { openingOf } from '#messages/opening'
import type { Stage } from '#stages/stage'
import { openIntent } from '#state/intent'
import type { State } from '#state/state'
import type { Callbacks } from '#ports/callbacks'
import type { Fact, Log, LogReader } from '#ports/log'
import { factAtPosition } from '#runtime/logs/seek'
import { readerOf } from '#runtime/engine/gathering/gather'
import { areAlike, decidedBy, groundAgain, standingIn, type WhatIfDeriving } from './deriving.ts'
import { differs, outcomeOf, type DerivedOutcome } from './outcome.ts'
import {
  agreedOn,
  heldOn,
  namesIn,
  type Agreeing,
  type GoesOn,
  type NamedIntent,
  type States,
} from './waiting.ts'
import { readEvent } from '#record/event'
import { partsInRealm, patternsOf, type Place } from '#record/names'

// The last verdicts of a log, found from its end, with what deriving them again needs. It keeps no
// bytes, so that thousands of them fit.

interface RecordedVerdict {
  readonly name: string
  readonly address: string
  /** Where the message stands that opened the intent. */
  readonly openedAt: number
  /** The position up to which everything was known when it was drawn up, and when that was. */
  readonly basis: number
  readonly time: string
  readonly outcome: 'allow' | 'deny'
  readonly reasons: readonly string[]
}

const windowMin = 4_096

/** In log order; null for one that cannot be read. */
async function lastVerdicts(
  log: LogReader,
  place: Place,
  last: number,
): Promise<readonly (RecordedVerdict | null)[]> {
  let found: readonly (RecordedVerdict | null)[] = []
  let { position: to } = await log.head()
  for (let size = windowMin; to > 0 && found.length < last; size *= 2) {
    const from = Math.max(1, to - size + 1)
    found = [...(await lastOf(log, place, { from, to, last: last - found.length })), ...found]
    to = from - 1
  }
  return found
}

async function lastOf(
  log: LogReader,
  place: Place,
  { from, to, last }: { readonly from: number; readonly to: number; readonly last: number },
): Promise<readonly (RecordedVerdict | null)[]> {
  const found: (RecordedVerdict | null)[] = []
  for await (const fact of log.read({ from, to }, patternsOf(place, 'verdict'))) {
    found.push(recordedVerdict(fact, place))
    if (found.length >= 2 * last) found.splice(0, found.length - last)
  }
  return found.slice(-last)
}

function recordedVerdict(fact: Fact, { realm }: Place): RecordedVerdict | null {
  const address = partsInRealm(fact.name, realm)?.address ?? null
  const reading = readEvent('verdict', fact)
  if (address === null || !reading.ok) return null
  const { data, stamp } = reading.event
  const { basis, time } = stamp
  const reasons = data.reasons.map(({ code }) => code)
  const openedAt = data.message.position
  return { name: fact.name, address, openedAt, basis, time, outcome: data.outcome, reasons }
}

export interface TodayOptions {
  readonly log: Log
  /** Folded to the end. */
  readonly state: State
  readonly stages: readonly Stage[]
  readonly callbacks: Callbacks
  /** When it is asked: RFC 3339, UTC. */
  readonly time: string
  /** What the change makes of the graph and the catalog. */
  readonly after: Pick<State, 'graph' | 'catalog'>
  /** How many of the last intents are asked again; of more than `lastMax` so many. */
  readonly last: number
  /**
   * Held intents, and the digest that a ruling would sign of each; all that are held if not given.
   */
  readonly held?: readonly { readonly intent: string; readonly digest: string | null }[]
}

/** An intent, asked again before and after the change. */
export interface Flip extends NamedIntent {
  readonly recorded: Pick<RecordedVerdict, 'outcome' | 'reasons'>
  readonly before: DerivedOutcome
  readonly after: DerivedOutcome
}

export interface TodayReport {
  /** How many were derived before and after the change. */
  readonly tried: number
  /** Those that cannot be: their openings are not here. */
  readonly unable: number
  /** From the first to the last of their verdicts, in milliseconds. */
  readonly spanMs: number
  /** Those that come out differently, in the order of their verdicts. */
  readonly flips: readonly Flip[]
  /** Of how many no one can know whether they come out differently, and which. */
  readonly unsure: number
  readonly cannotTell: readonly Flip[]
  readonly held: readonly GoesOn[]
  /** How many open reviews were tried, and those that an agreement would not settle as before. */
  readonly reviewsTried: number
  readonly reviews: readonly Agreeing[]
  /** How many more wait and were not tried. */
  readonly leftOut: number
  /** Of how many a callback did not answer, and why the first did not. */
  readonly faulted?: { readonly count: number; readonly first: CallbackFault }
}

export const lastMax = 10_000
const heldMax = 1_000
const reviewsMax = 1_000

export async function whatIfToday(options: TodayOptions): Promise<TodayReport> {
  const { log, state, stages, callbacks, time } = options
  const faults = new Map<string, CallbackFault>()
  const faulted = (address: string, fault: CallbackFault): void => {
    if (!faults.has(address)) faults.set(address, fault)
  }
  const reader = readerOf(log, state.position)
  const deriving = { stages, callbacks, time, reader, faulted }
  const states = { state, after: { ...state, ...options.after } }
  const again = await lastAgain(deriving, states, options)
  const held = await heldIn(deriving, states, options)
  const reviews = await reviewsIn(deriving, states)
  const leftOut = held.leftOut + reviews.leftOut
  const [first] = faults.values()
  const unanswered = first === undefined ? {} : { faulted: { count: faults.size, first } }
  return { ...again, ...held, ...reviews, leftOut, ...unanswered }
}

async function lastAgain(
  deriving: WhatIfDeriving,
  states: States,
  { log, last }: Pick<TodayOptions, 'log' | 'last'>,
): Promise<Pick<TodayReport, 'tried' | 'unable' | 'spanMs' | 'flips' | 'unsure' | 'cannotTell'>> {
  const verdicts = await lastVerdicts(log, states.state.place, Math.min(last, lastMax))
  const flips: Flip[] = []
  const unclear: Flip[] = []
  let tried = 0
  for (const verdict of verdicts) {
    const found = verdict === null ? null : await askedAgain(deriving, states, { log, verdict })
    if (found === null) continue
    tried += 1
    if (found === 'as_before') continue
    const { before, after } = found
    if (before.outcome === 'cannot_tell' || after.outcome === 'cannot_tell') unclear.push(found)
    else if (differs(before, after)) flips.push(found)
  }
  const unable = verdicts.length - tried
  const found = { tried, unable, spanMs: spanOf(verdicts) }
  return { ...found, flips, unsure: unclear.length, cannotTell: unclear }
}

function spanOf(verdicts: readonly (RecordedVerdict | null)[]): number {
  const times = verdicts.flatMap((verdict) => (verdict === null ? [] : [Date.parse(verdict.time)]))
  const [first, last] = [times.at(0), times.at(-1)]
  return first === undefined || last === undefined ? 0 : Math.max(0, last - first)
}

async function askedAgain(
  deriving: WhatIfDeriving,
  { state, after }: States,
  { log, verdict }: { readonly log: Log; readonly verdict: RecordedVerdict },
): Promise<Flip | 'as_before' | null> {
  const { address, openedAt, outcome, reasons } = verdict
  const at = await factAtPosition(log, openedAt)
  if (at === undefined) return null
  // Asked now, and by an agent that is served: how much it has open is not what is tried out, and
  // people's attention is not either.
  const { position, appendedAt } = state
  const placed = { name: at.name, position, appendedAt }
  const intent = { ...openIntent(address, placed, { id: null, beyond: false }), asked: true }
  const standing = async (then: State) => {
    const opening = openingOf(at, then.catalog)
    if (opening === null) return null
    const asked = await standingIn(deriving, then, { intent, opening })
    return asked === null ? null : groundAgain(deriving, asked)
  }
  const one = await standing(state)
  const other = await standing(after)
  if (one === null || other === null) return null
  if (areAlike(one, other)) return 'as_before'
  const before = outcomeOf(await decidedBy(deriving, one))
  const then = outcomeOf(await decidedBy(deriving, other))
  if (before === null || then === null) return null
  return { ...namesIn(one.view), recorded: { outcome, reasons }, before, after: then }
}

async function heldIn(
  deriving: WhatIfDeriving,
  states: States,
  { held: given }: Pick<TodayOptions, 'held'>,
): Promise<Pick<TodayReport, 'held' | 'leftOut'>> {
  const waiting = [...states.state.intents.values()].filter(({ hold }) => hold !== null)
  const all = given ?? waiting.map(({ address: intent }) => ({ intent, digest: null }))
  const held: GoesOn[] = []
  for (const one of all.slice(0, heldMax)) {
    const found = await heldOn(deriving, states, one)
    if (found !== null) held.push(found)
  }
  return { held, leftOut: Math.max(0, all.length - heldMax) }
}

async function reviewsIn(
  deriving: WhatIfDeriving,
  states: States,
): Promise<Pick<TodayReport, 'reviews' | 'reviewsTried' | 'leftOut'>> {
  const asked = [...states.state.intents.values()].filter(({ review }) => review !== null)
  const reviews: Agreeing[] = []
  let reviewsTried = 0
  for (const open of asked.slice(0, reviewsMax)) {
    const found = await agreedOn(deriving, states, open)
    if (found === null) continue
    reviewsTried += 1
    if (found === 'as_before') continue
    const isUnclear = found.after.outcome === 'cannot_tell'
    if (isUnclear || differs(found.before, found.after)) reviews.push(found)
  }
  return { reviews, reviewsTried, leftOut: Math.max(0, asked.length - reviewsMax) }
}
