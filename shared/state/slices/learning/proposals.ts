// What the learning worker binds about a question: that it is asked, who else has met it, what a
// model made of it, and that it was open too long. Nothing of it makes anything known.
import type { ProposalData } from '#schemas/learning'
import { metMax } from '#schemas/learning'
import { digestOfJson } from '#record/digest'
import { jsonOf } from '#record/canonical'
import { readEvent } from '#record/event'
import { candidateProblem } from '#messages/learning/candidate'
import { openMsMax } from './expiry.ts'
import { digestOfProposed } from './proposal.ts'
import { withProposal } from '#messages/learning/room'
import { constraintRoundsMax } from '#messages/learning/standing'
import {
  nextRound,
  noSuggestions,
  withEnded,
  withMet,
  withUsed,
  withSuggestion,
  type AskedBefore,
  type OpenProposal,
} from '#messages/learning/learning'
import { isProposalId, keyOf, proposalId } from '#messages/learning/template'
import { token, type NameParts } from '#record/names'
import { numberOf } from '../../sequence.ts'
import type { State } from '../../state.ts'
import type { LoggedFact } from '../../folded.ts'

export function evolveProposal(state: State, fact: LoggedFact, parts: NameParts): string | null {
  const why = takeProposal(state, fact, parts)
  const [id = ''] = parts.tokens
  if (why !== null && isProposalId(id)) state.learning = withUsed(state.learning, id)
  return why
}

function takeProposal(state: State, fact: LoggedFact, parts: NameParts): string | null {
  const reading = readEvent('proposal', fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  const [id = ''] = parts.tokens
  const key = keyOf(data.template)
  const next = nextRound(state.learning, data.template)
  if (id !== proposalId(key, data.round)) return 'its name is not that of what it asks'
  if (data.digest !== digestOfProposed(data)) return 'its digest is of something else'
  if (data.met[0]?.agent !== data.intent.agent) return 'it does not name its own agent first'
  const before = state.learning.history.get(key)
  const hasCells = state.catalog.cells !== null
  const closed = before === undefined ? null : closedBy(before, data, hasCells)
  if (closed !== null) return closed
  if (data.round !== next.round) return `round ${data.round} is out of turn`
  const { name, position, appendedAt } = fact
  const met = [...data.met, ...unnamed(before, data)].slice(0, metMax)
  const asked = {
    id,
    name,
    position,
    appendedAt,
    data: asHere(state, data, position),
    agreed: null,
  }
  const proposal = { ...asked, met, suggestions: noSuggestions }
  state.learning = withProposal(state.learning, proposal, state.graph)
  return null
}

function closedBy(
  before: AskedBefore,
  { template, from }: ProposalData,
  hasCells: boolean,
): string | null {
  const { ended, position, round } = before
  if (ended === null) return 'the same is asked already'
  if (ended === 'rejected') return 'the same was asked, and rejected'
  if (template.kind !== 'CONSTRAINT' || ended === 'reopened') return null
  // Positions of two cells cannot be compared; each compares its own before it asks.
  if (!hasCells && (from.position <= before.from || from.position <= position)) {
    return 'that failure was asked about already'
  }
  return round < constraintRoundsMax ? null : 'the same was asked too often'
}

/** Who met it before and is left out here: to forget someone would let that one rule. */
function unnamed(before: AskedBefore | undefined, { met }: ProposalData) {
  return (before?.met ?? []).filter(({ agent }) => !met.some((one) => one.agent === agent))
}

export function evolveMeeting(state: State, fact: LoggedFact, parts: NameParts): string | null {
  const reading = readEvent('meeting', fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  const { met, intent } = data
  const [id = '', agent] = parts.tokens
  const proposal = state.learning.open.get(id)
  if (proposal === undefined) return 'no such proposal is open'
  if (data.proposal !== proposal.name) return 'it is about another proposal'
  if (met.agent !== intent.agent || token(met.agent) !== agent) return 'it names another agent'
  if (proposal.met.some((one) => one.agent === met.agent)) return 'that agent is named already'
  if (proposal.met.length >= metMax) return 'no more are named'
  state.learning = withMet(state.learning, id, met)
  return null
}

export function evolveSuggestion(state: State, fact: LoggedFact, parts: NameParts): string | null {
  const [id = '', last] = parts.tokens
  const proposal = state.learning.open.get(id)
  if (proposal === undefined) return 'no such proposal is open'
  if (numberOf(last) !== proposal.suggestions.next) return 'its number is out of turn'
  const said = suggestedBy(state, fact, proposal)
  const isVoid = typeof said === 'string'
  state.learning = withSuggestion(state.learning, id, fact, isVoid ? null : said)
  return isVoid ? said : null
}

function suggestedBy({ graph }: State, fact: LoggedFact, proposal: OpenProposal) {
  const reading = readEvent('suggestion', fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  if (data.proposal !== proposal.name) return 'it is about another proposal'
  if (data.number !== proposal.suggestions.next) return `it says number ${data.number}`
  if ('failed' in data) return { by: data.by, fault: data.failed }
  const { by, candidate, digest } = data
  if (digest !== digestOfJson(jsonOf(candidate))) return 'its digest is of something else'
  const problem = candidateProblem(graph, proposal.data, candidate)
  return problem === null ? { name: fact.name, by, candidate, digest } : problem.code
}

export function evolveExpiry(state: State, fact: LoggedFact, parts: NameParts): string | null {
  const reading = readEvent('expiry', fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  const [id = ''] = parts.tokens
  const proposal = state.learning.open.get(id)
  if (proposal === undefined) return 'no such proposal is open'
  if (data.proposal !== proposal.name) return 'it is about another proposal'
  if (data.round !== proposal.data.round) return `it says round ${data.round}`
  if (proposal.agreed !== null) return 'someone has agreed to it already'
  if (fact.appendedAt < proposal.appendedAt + openMsMax) return 'it has not been open long enough'
  state.learning = withEnded(state.learning, id, 'expired', fact)
  return null
}

/**
 * The proposal with a position of this log: what gave rise to it in another cell stood there before
 * it, and no position of that cell's says anything here.
 */
function asHere(
  { place }: Pick<State, 'place'>,
  data: ProposalData,
  position: number,
): ProposalData {
  const { from } = data
  const isOwn = from.name.startsWith(`${place.realm}.`)
  return isOwn ? data : { ...data, from: { ...from, position } }
}
