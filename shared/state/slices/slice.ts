// A slice is one feature as the fold knows it: which kinds of fact are its own and what each makes
// of the state, what it makes of facts of others, how its part of the state is kept, and what of it
// begins with an era or goes along with an agent. The core of the fold knows no feature by name.
import type { Arrival } from '#schemas/catalog'
import type { GraphChangeData } from '#schemas/facts'
import type { Kind } from '#schemas/kinds'
import type { DecisionData } from '#schemas/review'
import type { Placed } from '#record/event'
import type { NameParts } from '#record/names'
import type { MessageCheck } from '#messages/check'
import type { FoldCaches } from '../caches/fold-caches.ts'
import type { Kept } from '../part-lines.ts'
import type { LoggedFact } from '../folded.ts'
import type { OpenIntent } from '../intent.ts'
import type { State } from '../state.ts'

/** What a fact makes of the state: why it counts for nothing, or null. */
export type FoldFact = (
  state: State,
  fact: LoggedFact,
  parts: NameParts,
  caches?: FoldCaches,
) => string | null

/** A fact of another's kind, which counts. */
export interface CountedFact {
  readonly fact: LoggedFact
  readonly parts: NameParts
  /** The open intent that it is about, as it was before. */
  readonly intent: OpenIntent | undefined
  readonly caches: FoldCaches | undefined
}

export type FoldBeside = (state: State, counted: CountedFact) => void

export interface Slice {
  readonly name: string
  /** Its own kinds: no other slice has one of them. */
  readonly folds: Partial<Readonly<Record<Kind, FoldFact>>>
  /** What it makes of facts of other kinds, once they count: after the fold of who has the kind. */
  readonly beside?: Partial<Readonly<Record<Kind, FoldBeside>>>
  /** What passes by itself, since the time of the log or the catalog has moved on. */
  readonly pass?: (state: State) => void
  /** Why a message that opens no intent counts for nothing; null for what it knows nothing of. */
  readonly message?: (state: State, fact: LoggedFact, check: MessageCheck) => string | null
  /** Why an answer to an open review counts for nothing, and takes it into account otherwise. */
  readonly answer?: (
    state: State,
    intent: OpenIntent,
    answer: Placed<DecisionData>,
  ) => string | null
  /** Why a change set of the graph that names a ruling does not follow from one. */
  readonly follows?: (state: State, change: GraphChangeData) => string | null
  /** Its part of the state in eras and snapshots, in this order. */
  readonly kept: readonly Kept[]
  /** What an agent brings along from another cell, and what it leaves behind in its old one. */
  readonly arrive?: (state: State, arrival: Arrival, position: number) => void
  readonly leave?: (state: State, arrival: Arrival) => void
  /** Begins its sequences of names in a new era: where each has come to stays. */
  readonly begin?: (state: State) => void
  /** Uses a number that was bound before its era, by kind; `key`: the tokens before it. */
  readonly numbers?: Partial<
    Readonly<Record<Kind, (state: State, key: string, number: number) => void>>
  >
}
