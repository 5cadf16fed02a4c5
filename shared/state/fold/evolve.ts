// The fold: what each fact makes of the state. A fact that is void changes nothing but what is
// used, and no fact, no matter who bound it, may ever stop it.
import { allKinds, type Kind, isEvent } from '#schemas/kinds'
import { partsInRealm, partsOf, type NameParts, isControl } from '#record/names'
import { isStopped } from '../agents.ts'
import type { FoldCaches } from '../caches/fold-caches.ts'
import { noteEarly } from '../early.ts'
import type { Folded, LoggedFact } from '../folded.ts'
import { numberOf } from '../sequence.ts'
import { allSlices, slicedFolds } from '../slices/list.ts'
import type { FoldBeside, FoldFact } from '../slices/slice.ts'
import type { State } from '../state.ts'
import { uncountedAnswer } from './answer-facts.ts'
import { evolveCatalog, evolveGraph } from './changes.ts'
import { evolveSnapshot } from './era-change.ts'
import { evolveIntent, evolveVerdict } from './intents.ts'
import { evolveMessage } from './messages.ts'
import { readEvent, readData } from '#record/event'
import { hasRules } from '#rules/catalog/rules-version'

const hasPassed = (): string => 'its era has begun already'

/** What folds a fact of each kind. */
const folds: Readonly<Record<Kind, FoldFact>> = {
  graph: (state, fact, { tokens }) => evolveGraph(state, fact, numberOf(tokens[0])),
  catalog: (state, fact, { tokens }) => evolveCatalog(state, fact, numberOf(tokens[0])),
  grounding: evolveIntent,
  hold: evolveIntent,
  resume: evolveIntent,
  review: evolveIntent,
  decision: evolveIntent,
  handover: evolveIntent,
  withdrawal: evolveIntent,
  verdict: evolveVerdict,
  fault: evolveFault,
  vlp: hasPassed,
  snapshot: hasPassed,
  ...slicedFolds,
}

const passing = allSlices.flatMap(({ pass }) => pass ?? [])
const besides = new Map<Kind, readonly FoldBeside[]>(
  allKinds.flatMap((kind) => {
    const folding = allSlices.flatMap(({ beside }) => beside?.[kind] ?? [])
    return folding.length === 0 ? [] : [[kind, folding]]
  }),
)

/**
 * Folds the next fact. Facts must come in order; a void one changes nothing but what is used. The
 * caches save work, and change nothing of what it comes to.
 */
export function evolve(state: State, fact: LoggedFact, caches?: FoldCaches): Folded {
  const before = state.appendedAt
  passOver(state, fact)
  const parts = partsOf(fact.name, state.place)
  if (parts === null) return evolveOther(state, fact, before)
  if (state.sealed !== null) return { parts, void: 'its era was sealed before it' }
  const { catalog, standings } = state
  if (parts.kind === 'vlp') return { parts, ...evolveMessage(state, fact, parts, caches) }
  if (parts.kind === 'grounding') return evolveGrounding(state, fact, parts, caches)
  const why = evolveKind(state, shared(state, fact, parts.kind), parts, caches)
  if (parts.kind === 'decision' && why === null) {
    const uncounted = uncountedAnswer(state, fact, parts.address ?? '')
    return { parts, void: null, ...(uncounted !== null && { uncounted }) }
  }
  const isMoved = state.standings !== standings || state.catalog.principals !== catalog.principals
  if (!isMoved) return { parts, void: why }
  return { parts, void: why, stopped: stoppedIn(state) }
}

/** What a fact makes of the state, whatever it says: the log has come so far. */
export function passOver(state: State, at: Pick<LoggedFact, 'position' | 'appendedAt'>): void {
  state.position = at.position
  state.appendedAt = at.appendedAt
  // What is sealed stands still.
  if (state.sealed === null) for (const pass of passing) pass(state)
}

// A grounding that opens nothing has found that the message counts for nothing.
function evolveGrounding(
  state: State,
  fact: LoggedFact,
  parts: NameParts,
  caches?: FoldCaches,
): Folded {
  const intent = state.intents.get(parts.address ?? '')
  const why = evolveIntent(state, fact, parts, caches)
  if (intent === undefined || state.intents.has(intent.address)) return { parts, void: why }
  const { name, position } = intent
  return { parts, void: why, voids: { name, position, why: 'its address was used before its era' } }
}

// A catalog, or a standing, that suspends an agent stops what it has open.
function stoppedIn(state: State): readonly string[] {
  const stopped = [...state.intents.values()].filter((intent) => isStopped(state, intent))
  return stopped.map(({ address }) => address)
}

// Of another era there is only what the next one opens with; all else is void, wherever it stands.
function evolveOther(state: State, fact: LoggedFact, before: number): Folded {
  const { realm, era } = state.place
  const other = partsInRealm(fact.name, realm)
  if (other === null) return { parts: null, void: 'its name is of no kind of this realm and era' }
  if (other.place.era < era) return { parts: null, void: 'its era was sealed before it' }
  if (other.place.era > era + 1 || other.kind !== 'snapshot') {
    noteEarly(state.sealed?.early ?? state.early, other)
    return { parts: null, void: 'its era has not begun' }
  }
  const number = numberOf(other.tokens[0])
  return { parts: other, void: evolveSnapshot(state, fact, { number, before }) }
}

function evolveKind(
  state: State,
  fact: LoggedFact,
  parts: NameParts,
  caches?: FoldCaches,
): string | null {
  const { kind } = parts
  const beside = besides.get(kind)
  if (beside === undefined) return folds[kind](state, fact, parts, caches)
  const intent = state.intents.get(parts.address ?? '')
  const why = folds[kind](state, fact, parts, caches)
  if (why !== null) return why
  for (const fold of beside) fold(state, { fact, parts, intent, caches })
  return null
}

// What all cells of a realm share is folded by each of them, and must come to the same in all: its
// position and its time are others in each log, so nothing counts but what the fact itself says.

/** The fact as all cells see it: appended at the time that it states. One log has its own time. */
function shared({ catalog }: Pick<State, 'catalog'>, fact: LoggedFact, kind: Kind): LoggedFact {
  if (catalog.cells === null || !isControl(kind) || !isEvent(kind)) return fact
  const reading = readEvent(kind, fact)
  // What cannot be read is void, whenever it was appended.
  return reading.ok ? { ...fact, appendedAt: Date.parse(reading.event.stamp.time) } : fact
}

// The fold of a fault: an intent whose deciding was stopped is set aside. How fast a worker was is
// no input of a decision, but that it recorded a fault is a fact like any other.

/** A fault is never void: one that is about no open intent changes nothing. */
function evolveFault(state: State, fact: LoggedFact): null {
  if (!hasRules(state.catalog, 'setAside')) return null
  const data = readData('fault', fact)
  if (data?.code !== 'decision_stuck') return null
  const address = partsInRealm(data.name, state.place.realm)?.address ?? ''
  const intent = state.intents.get(address)
  if (intent === undefined || intent.setAside !== undefined) return null
  state.intents.set(address, { ...intent, setAside: fact.name })
  return null
}
