// Proposals, and what people make of them: which ones count, and when a change set of the graph
// follows from a ruling, so that nobody else has to sign it.
import type { GraphChangeData } from '#schemas/facts'
import { ProposalData, RulingData } from '#schemas/learning'
import { canonical, jsonOf } from '../canonical.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { policyAdminRole, curatorRole } from '../catalog/duties.ts'
import { readEvent } from '../event.ts'
import { candidateProblem } from '../learning/candidate.ts'
import { digestOfProposed, operationsAgreed } from '../learning/proposal.ts'
import { nextRound, withAgreed, withEnded, withProposal, withSpent } from '../learning/state.ts'
import type { OpenProposal } from '../learning/state.ts'
import { isProposalId, keyOf, proposalId } from '../learning/template.ts'
import { token, type NameParts } from '../names.ts'
import { isSignedBy } from '../signature.ts'
import type { LoggedFact, World } from './world.ts'

export function evolveProposal(world: World, fact: LoggedFact, parts: NameParts): string | null {
  const why = takeProposal(world, fact, parts)
  const [id = ''] = parts.tokens
  if (why !== null && isProposalId(id)) world.learning = withSpent(world.learning, id)
  return why
}

function takeProposal(world: World, fact: LoggedFact, parts: NameParts): string | null {
  const reading = readEvent('proposal', ProposalData, fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  const [id = ''] = parts.tokens
  const key = keyOf(data.template)
  const next = nextRound(world.learning, data.template)
  if (id !== proposalId(key, data.round)) return 'its name is not that of what it asks'
  if (data.digest !== digestOfProposed(data)) return 'its digest is of something else'
  const before = world.learning.asked.get(key)
  if (before?.ended === null) return 'the same is asked already'
  if (before?.ended === 'rejected') return 'the same was asked, and rejected'
  if (data.round !== next.round) return `round ${data.round} is out of turn`
  const { name, position, appendedAt } = fact
  const proposal = { id, name, position, appendedAt, data, agreed: null }
  world.learning = withProposal(world.learning, proposal, world.graph)
  return null
}

export function evolveRuling(world: World, fact: LoggedFact, parts: NameParts): string | null {
  const reading = readEvent('ruling', RulingData, fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  const [id = ''] = parts.tokens
  const proposal = world.learning.open.get(id)
  if (proposal === undefined) return 'no such proposal is open'
  const why = rulingRefusal(world, proposal, { name: fact.name, data })
  if (why !== null) return why
  const { ruling: word, confirmer: by } = data
  if (word === 'skipped' || word === 'rejected') {
    world.learning = withEnded(world.learning, id, word, fact)
    return null
  }
  const candidate = candidateOf(proposal, data)
  if (candidate === null) return 'it brings no candidate'
  const { name: ruling, appendedAt } = fact
  world.learning = withAgreed(world.learning, id, { ruling, by, appendedAt, word, candidate })
  return null
}

/** Why a ruling on this proposal counts for nothing, or null where it counts. */
export function rulingRefusal(
  { catalog, graph, log }: Pick<World, 'catalog' | 'graph' | 'log'>,
  proposal: OpenProposal,
  { name, data }: { readonly name: string; readonly data: RulingData },
): string | null {
  const { confirmer, signature, ...rest } = data
  if (token(confirmer) !== name.split('.').at(-1)) return 'it came under another name'
  if (data.proposal !== proposal.name) return 'it is about another proposal'
  if (proposal.agreed !== null) return 'somebody has agreed to it already'
  if (data.digest !== proposal.data.digest) return 'it answers something else than was shown'
  const who = rulerRefusal(catalog, confirmer, proposal.data)
  if (who !== null) return who
  if (signature === undefined) return 'it is not signed'
  const keys = catalog.principals.get(confirmer)?.keys ?? []
  if (!isSignedBy(keys, { log, name }, jsonOf({ ...rest, confirmer }), signature)) {
    return 'no key of this person in the catalog signed it'
  }
  if (data.ruling === 'skipped' || data.ruling === 'rejected') {
    return data.candidate === undefined ? null : `what is ${data.ruling} brings no candidate`
  }
  if (data.ruling === 'accepted' && data.candidate !== undefined) {
    return 'who accepts takes what was proposed: to put something else there is to modify it'
  }
  const candidate = candidateOf(proposal, data)
  if (candidate === null) return 'there is no candidate to agree to: bring one'
  const problem = candidateProblem(graph, proposal.data, candidate)
  return problem === null ? null : `${problem.code}: ${problem.message}`
}

/** Why that person may not rule on it; null where he may. Nobody teaches for himself. */
export function rulerRefusal(
  catalog: Catalog,
  confirmer: string,
  { intent }: Pick<ProposalData, 'intent'>,
): string | null {
  const principal = catalog.principals.get(confirmer)
  if (principal === undefined || principal.suspended) return 'the catalog knows no such person'
  const may = [policyAdminRole, curatorRole].some((role) => principal.roles.includes(role))
  if (!may) return `\`${confirmer}\` is neither ${curatorRole} nor ${policyAdminRole}`
  return confirmer === intent.agent ? 'it is about an intent of its own' : null
}

function candidateOf({ data: { filled } }: OpenProposal, { ruling, candidate }: RulingData) {
  if (ruling === 'modified') return candidate ?? null
  return filled !== null && 'candidate' in filled ? filled.candidate : null
}

/** The proposal whose ruling this change set follows from, or why it follows from none. */
export function learntFrom(world: World, data: GraphChangeData): OpenProposal | string {
  const proposal = [...world.learning.open.values()].find(
    ({ agreed }) => agreed !== null && agreed.ruling === data.ruling,
  )
  if (proposal === undefined) return 'it follows from no ruling that is open'
  if (data.by !== proposal.agreed?.by) return 'it names somebody else than who ruled'
  const derived = canonical(jsonOf(operationsAgreed(world.graph, proposal)))
  const isDerived = canonical(jsonOf(data.operations)) === derived
  return isDerived ? proposal : 'it is not what was agreed to'
}
