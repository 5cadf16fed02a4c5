// What a question gives rise to next: a proposal, or the note that one more agent has met what is
// asked already; and the change set that a ruling comes to. All of it follows from the log.
import type { GraphOperation } from '#schemas/graph'
import { metMax, type MetBy, type Proposed, type Template } from '#schemas/learning'
import { jsonOf } from '#record/canonical'
import { ownersOf, topmostOwner } from '#rules/catalog/confirmers'
import { digestOfJson } from '#record/digest'
import type { Draft } from '#record/event'
import { nameOf, token } from '#record/names'
import type { State } from '../../state.ts'
import { isMissing, operationsOfCandidate } from '#messages/learning/candidate'
import type { Share } from '#messages/learning/room'
import type { Source } from '#messages/learning/source'
import { standingOf, type Standing } from '#messages/learning/standing'
import { nextRound, type OpenProposal } from '#messages/learning/learning'
import { keyOf, proposalId, templatesFor } from '#messages/learning/template'

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
