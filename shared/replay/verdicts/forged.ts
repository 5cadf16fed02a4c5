// Whether an allow that someone looks at in a log was bound by a stage: it is derived again where
// it stands, by what a guard derives it by, while the log is folded once. Anyone who can write a
// log's file can write an allow into it, and no view may show that as one.
import { readEvent } from '#record/event'
import { Fault } from '#record/fault'
import { partsInRealm, type Place } from '#record/names'
import { foldCaches } from '#state/caches/fold-caches'
import { evolve } from '#state/fold/evolve'
import type { Folded } from '#state/folded'
import { isStuck } from '#stages/stuck'
import type { Stage } from '#stages/stage'
import { viewOf } from '#stages/view'
import type { State } from '#state/state'
import type { CallbackRunner } from '#ports/callbacks'
import type { Fact, LogReader } from '#ports/log'
import { gatherOpening, readerOf } from '#runtime/engine/gathering/gather'
import { beginningOf } from '../eras/beginning.ts'
import { deriveAllowAgain, type DerivingParts, type Proving } from './proving.ts'
import { allowsAny } from './soundness.ts'
import { verdictSaying } from './verdict.ts'

/** By what verdicts are derived again; `callbacks` is null where no code of the log may run. */
export interface Deciders {
  readonly stages: readonly Stage[]
  readonly callbacks: CallbackRunner | null
}

/** A fold of the log that is read, in order. */
export interface WeighingFold {
  readonly state: State
  /** Folds the next fact. */
  fold(fact: Fact): Folded
  /** Why the allow in the next fact counts for nothing; null where it counts, and of all else. */
  forged(fact: Fact): Promise<string | null>
}

/** From where the log begins. Without deciders nothing in it is derived again. */
export async function weighingFold(
  log: LogReader,
  place: Place,
  deciders: Deciders | null,
): Promise<WeighingFold> {
  const { state } = await beginningOf(log, place, null)
  const caches = foldCaches()
  const reader = readerOf(log, state.position, caches)
  return {
    state,
    fold(fact) {
      const folded = evolve(state, fact, caches)
      reader.sessions.receive(fact, folded, state)
      return folded
    },
    forged: async (fact) =>
      deciders === null ? null : forgedIn({ ...deciders, log, reader }, state, fact),
  }
}

/** Why facts of one log are no allows, in the order of the log. What is asked twice is kept. */
export interface AllowWeighing {
  forged(fact: Fact): Promise<string | null>
  /** How many allows were taken as recorded, since they have expired and lie too far back. */
  readonly left: number
}

interface WeighingOptions {
  /** For what has expired, no more facts than these are folded; if not given, all that it takes. */
  readonly expired?: { readonly factsMax: number; readonly now: () => number }
  /** Of a process that follows the log: what is at hand there is derived without folding. */
  readonly proving?: Proving
}

/** For an allow of an expired warrant a listing folds no more facts than these. */
export const expiredFactsMax = 20_000

/** Facts that are read ahead of the fold. */
const aheadMax = 512

/** It folds the log up to the last that is asked for, once, and nothing where no allow is. */
export function weighingOn(
  log: LogReader,
  place: Place,
  { expired, proving, ...deciders }: Deciders & WeighingOptions,
): AllowWeighing {
  let opening: Promise<WeighingFold> | null = null
  const ahead: Fact[] = []
  let start: number | null = null
  let last: { readonly name: string; readonly why: string | null } | null = null
  const foldUpTo = async (fold: WeighingFold, position: number): Promise<void> => {
    while (fold.state.position < position) {
      if (ahead.length === 0) {
        const from = fold.state.position + 1
        const to = from + aheadMax - 1
        for await (const fact of log.read({ from, to })) ahead.push(fact)
      }
      const [next] = ahead
      if (next === undefined || next.position > position) return
      fold.fold(next)
      ahead.shift()
    }
  }
  let left = 0
  return {
    get left() {
      return left
    },
    async forged(fact) {
      const until = allowedUntil(fact, place)
      if (until === null) return null
      if (last?.name === fact.name) return last.why
      const there = proving === undefined ? undefined : await forgedAtHand(proving, log, fact)
      if (there !== undefined) return there
      const fold = await (opening ??= weighingFold(log, place, deciders))
      start ??= fold.state.position
      if (
        expired !== undefined &&
        until < expired.now() &&
        fact.position - start > expired.factsMax
      ) {
        left += 1
        return null
      }
      await foldUpTo(fold, fact.position - 1)
      const why = await fold.forged(fact)
      last = { name: fact.name, why }
      return why
    },
  }
}

/** What was found of the allows of one page. */
export interface ForgedAllows {
  /** Why, by the name of each that counts for nothing. */
  readonly why: ReadonlyMap<string, string>
  /** How many were taken as recorded. */
  readonly left: number
}

/** Of facts in any order: a log is folded forwards. */
export async function forgedAmong(
  weighing: AllowWeighing,
  facts: readonly Fact[],
): Promise<ForgedAllows> {
  const why = new Map<string, string>()
  for (const fact of facts.toSorted((one, other) => one.position - other.position)) {
    const found = await weighing.forged(fact)
    if (found !== null) why.set(fact.name, found)
  }
  return { why, left: weighing.left }
}

/** Until when someone may act on it, which is never on what was only asked; null of no allow. */
function allowedUntil(fact: Fact, { realm }: Pick<Place, 'realm'>): number | null {
  if (partsInRealm(fact.name, realm)?.kind !== 'verdict') return null
  const reading = readEvent('verdict', fact)
  if (!reading.ok || !allowsAny(reading.event.data)) return null
  const { terms } = reading.event.data
  return terms === null ? Number.NEGATIVE_INFINITY : Date.parse(terms.useBy)
}

async function forgedIn(deriving: DerivingParts, state: State, fact: Fact): Promise<string | null> {
  const { realm, era } = state.place
  const parts = partsInRealm(fact.name, realm)
  const intent = parts?.kind === 'verdict' ? state.intents.get(parts.address ?? '') : undefined
  // What is of no open intent counts for nothing already, and is found so by the fold.
  if (parts === null || intent === undefined || parts.place.era !== era) return null
  const reading = readEvent('verdict', fact)
  if (!reading.ok || !allowsAny(reading.event.data)) return null
  const verdict = await verdictSaying(deriving.log, fact, reading.event)
  const { address } = intent
  try {
    const opening = await gatherOpening(deriving.reader, state, intent)
    const view = opening === null ? null : viewOf(state, address, opening)
    if (view === null) return notBound
    await deriveAllowAgain(deriving, { verdict, found: { fact, address, view } })
    return null
  } catch (error) {
    return whyForged(error)
  }
}

/** The same of an allow that is at hand; undefined of any other. */
async function forgedAtHand(
  proving: Proving,
  log: LogReader,
  fact: Fact,
): Promise<string | null | undefined> {
  const reading = readEvent('verdict', fact)
  if (!reading.ok) return undefined
  try {
    const verdict = await verdictSaying(log, fact, reading.event)
    return (await proving.proveAtHand(verdict)) ? null : undefined
  } catch (error) {
    return whyForged(error)
  }
}

/** Throws an error that has nothing to do with a verdict. */
function whyForged(error: unknown): string {
  if (isStuck(error)) return 'what decides it takes too long to be derived again'
  if (!(error instanceof Fault)) throw error
  if (error.code === 'verdict_not_derived') return notBound
  if (error.code === 'verdict_late') return 'the clock of the log contradicts its time'
  throw error
}

const notBound = 'no stage would have bound it where it stands'
