// What the learning worker binds about a question: that it is asked, who else has met it, what a
// model made of it, and that it was open too long. Nothing of it makes anything known.
import {
  type ProposalData,
  metMax,
  type MetBy,
  type Proposed,
  type Template,
} from '#schemas/learning'
import { digestOfJson } from '#record/digest'
import { jsonOf } from '#record/canonical'
import { readEvent, type Draft } from '#record/event'
import { candidateProblem, isMissing, operationsOfCandidate } from '#messages/learning/candidate'
import { openMsMax } from './expiry.ts'
import { withProposal, type Share } from '#messages/learning/room'
import { constraintRoundsMax, standingOf, type Standing } from '#messages/learning/standing'
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
import { isProposalId, keyOf, proposalId, templatesFor } from '#messages/learning/template'
import { token, type NameParts, nameOf } from '#record/names'
import { numberOf } from '../../sequence.ts'
import type { State } from '../../state.ts'
import type { LoggedFact } from '../../folded.ts'
import type { GraphOperation } from '#schemas/graph'
import { ownersOf, topmostOwner } from '#rules/catalog/confirmers'
import type { Source } from '#messages/learning/source'

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

// What a question gives rise to next: a proposal, or the note that one more agent has met what is
// asked already; and the change set that a ruling comes to. All of it follows from the log.

/** What is to be bound next for this source; null where no one has to be asked anything. */
export function nextDraft(state: State, source: Source): Draft<'proposal' | 'meeting'> | null {
  if (!state.catalog.learning || state.sealed !== null) return null
  const templates = templatesOf(state, source)
  const askable = templates.find((one) => standingFor(state, source, one) === 'askable')
  if (askable !== undefined) return proposalDraft(state, source, askable)
  for (const template of templates) {
    const isOpen = standingFor(state, source, template) === 'open'
    const meeting = isOpen ? meetingDraft(state, source, template) : null
    if (meeting !== null) return meeting
  }
  return null
}

const detailCharactersMax = 400

function templatesOf({ graph }: State, source: Source): readonly Template[] {
  const { query, failure, template } = source
  if (template !== null) return isMissing(graph, { template, query }) ? [template] : []
  if (failure === null) return templatesFor(graph, query)
  const primitives = [...query.concepts]
  const detail = failure.slice(0, detailCharactersMax).toWellFormed().trim()
  return primitives.length === 0 || detail === ''
    ? []
    : [{ kind: 'CONSTRAINT', primitives, detail }]
}

function standingFor(state: State, source: Source, template: Template): Standing {
  const { graph, appendedAt: now, catalog } = state
  const { since, from, intent } = source
  const by = shareIn(catalog, intent.agent)
  return standingOf(state.learning, template, { by, since, from: from.position, graph, now })
}

/** Whose share a question of this agent takes. */
export function shareIn(catalog: State['catalog'], agent: string): Share {
  return { agent, owner: topmostOwner(catalog, agent) }
}

function metBy({ catalog }: Pick<State, 'catalog'>, agent: string): MetBy {
  return { agent, owners: [...ownersOf(catalog, agent)] }
}

function proposalDraft(state: State, source: Source, template: Template): Draft<'proposal'> {
  const { intent, from, query } = source
  const { id, round } = nextRound(state.learning, template)
  const before = state.learning.history.get(keyOf(template))?.met ?? []
  const others = before.filter(({ agent }) => agent !== intent.agent)
  const proposed = { template, query }
  return {
    kind: 'proposal',
    name: nameOf(state.place, 'proposal', id),
    data: {
      intent,
      from,
      round,
      ...proposed,
      met: [metBy(state, intent.agent), ...others].slice(0, metMax),
      digest: digestOfProposed(proposed),
      graphRevision: state.graphRevision,
    },
  }
}

function meetingDraft(
  { learning, place, catalog }: State,
  { intent, from }: Source,
  template: Template,
): Draft<'meeting'> | null {
  const round = learning.history.get(keyOf(template))?.round ?? 0
  const proposal = learning.open.get(proposalId(keyOf(template), round))
  if (proposal === undefined || proposal.met.length >= metMax) return null
  const { agent } = intent
  if (proposal.met.some((one) => one.agent === agent)) return null
  return {
    kind: 'meeting',
    name: nameOf(place, 'meeting', proposal.id, token(agent)),
    data: { proposal: proposal.name, intent, from, met: metBy({ catalog }, agent) },
  }
}

/** Of what people are shown; their rulings repeat it. */
export function digestOfProposed({ template, query }: Proposed): string {
  return digestOfJson(jsonOf({ template, query }))
}

/** The operations that the ruling on this proposal comes to. Throws where no one agreed to it. */
export function operationsAgreed(
  graph: State['graph'],
  { data, agreed }: Pick<OpenProposal, 'data' | 'agreed'>,
): readonly GraphOperation[] {
  if (agreed === null) throw new Error('broken invariant: only what is agreed to is put in')
  return operationsOfCandidate(graph, agreed.candidate, {
    source: agreed.word === 'accepted' ? 'learned' : 'conversational',
    by: agreed.by,
    at: new Date(agreed.appendedAt).toISOString(),
    intent: data.intent.address,
    ...(agreed.model !== null && { model: agreed.model }),
  })
}

/** The change set that puts in what was agreed to: no one signs it, since it follows. */
export function learntChange(state: State, proposal: OpenProposal): Draft<'graph'> {
  const { agreed, data } = proposal
  const revision = state.graphSequence.next
  return {
    kind: 'graph',
    name: nameOf(state.place, 'graph', revision),
    data: {
      revision,
      by: agreed?.by ?? '',
      ruling: agreed?.ruling ?? '',
      operations: [...operationsAgreed(state.graph, { data, agreed })],
    },
  }
}
