// The fold: what each fact makes of the state. A fact that is void changes nothing but what is
// used, and no fact, no matter who bound it, may ever stop it.
import { partsInRealm, partsOf, type NameParts } from '#record/names'
import { evolveLift, isStopped, routingRefusal } from '../agents.ts'
import { evolveCatalog, evolveGraph } from './changes.ts'
import { evolveDrilling } from '../attention/drilling.ts'
import { noteEarly } from '../early.ts'
import { evolveExecution } from './begun.ts'
import { evolveFault } from './faults.ts'
import { evolveIntent } from './intents.ts'
import { shared } from './shared.ts'
import { evolveReopening, evolveRuling } from './rulings.ts'
import { evolveMessage } from './messages.ts'
import { noteFailed } from './misses.ts'
import { evolveExpiry, evolveMeeting, evolveProposal, evolveSuggestion } from './proposals.ts'
import { numberOf } from '../sequence.ts'
import { evolveGrant } from '../grants/granting.ts'
import { evolveSaid } from '../people/saying.ts'
import { evolveWork } from '../work/evolving.ts'
import { evolveSnapshot } from './era-change.ts'
import { evolveRevocation } from './revocation.ts'
import { passTime } from './budget.ts'
import { evolveUse } from './use.ts'
import { evolveVerdict } from './closing.ts'
import { uncountedAnswer } from './answer-facts.ts'
import type { FoldCaches } from '../caches/fold-caches.ts'
import type { State } from '../state.ts'
import type { Folded, LoggedFact } from '../folded.ts'

/**
 * Folds the next fact. Facts must come in order; a void one changes nothing but what is used. The
 * caches save work, and change nothing of what it comes to.
 */
export function evolve(state: State, fact: LoggedFact, caches?: FoldCaches): Folded {
  const before = state.appendedAt
  state.position = fact.position
  state.appendedAt = fact.appendedAt
  // What is sealed stands still.
  if (state.budgets.size > 0 && state.sealed === null) passTime(state)
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

const evolveQuestion = {
  proposal: evolveProposal,
  meeting: evolveMeeting,
  suggestion: evolveSuggestion,
  expiry: evolveExpiry,
  ruling: evolveRuling,
  reopening: evolveReopening,
} as const

function evolveKind(
  state: State,
  fact: LoggedFact,
  parts: NameParts,
  caches?: FoldCaches,
): string | null {
  switch (parts.kind) {
    case 'graph':
      return evolveGraph(state, fact, numberOf(parts.tokens[0]))
    case 'catalog':
      return evolveCatalog(state, fact, numberOf(parts.tokens[0]))
    case 'rate':
    case 'asked':
    case 'budget':
    case 'use':
      return evolveUse(state, fact, parts, caches)
    case 'verdict':
      return evolveVerdict(state, fact, parts, caches)
    case 'grounding':
    case 'hold':
    case 'resume':
    case 'review':
    case 'decision':
    case 'handover':
    case 'withdrawal':
      return evolveIntent(state, fact, parts, caches)
    case 'outcome':
    case 'ownoutcome':
      if (caches !== undefined) noteFailed(caches.misses, state, fact, parts.kind)
      return parts.kind === 'outcome' ? evolveExecution(state, fact, parts) : null
    case 'start':
    case 'settlement':
      return evolveExecution(state, fact, parts)
    case 'lift':
      return evolveLift(state, fact, parts)
    case 'proposal':
    case 'meeting':
    case 'suggestion':
    case 'expiry':
    case 'ruling':
    case 'reopening':
      return evolveQuestion[parts.kind](state, fact, parts)
    case 'revocation':
      return evolveRevocation(state, fact)
    case 'routing':
      return routingRefusal(state, fact, parts)
    case 'grant':
      return evolveGrant(state, fact, parts)
    case 'drill':
    case 'drillanswer':
      return evolveDrilling(state, fact, parts)
    case 'verificationstart':
    case 'verification':
    case 'reinstatement':
      return evolveWork(state, fact, parts)
    case 'enrolment':
    case 'absence':
    case 'note':
      return evolveSaid(state, fact, parts.kind)
    case 'fault':
      return evolveFault(state, fact)
    case 'expansion':
    case 'notification':
    case 'ownstart':
      return null
    case 'vlp':
    case 'snapshot':
      return 'its era has begun already'
  }
}
