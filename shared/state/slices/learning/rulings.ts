// What people make of a question: which rulings and reopenings count, and when a change set of the
// graph follows from a ruling, so that no one else has to sign it.
import type { GraphChangeData } from '#schemas/facts'
import type { ReopeningData, RulingData } from '#schemas/learning'
import type { Signature } from '#schemas/values'
import { canonical, jsonOf } from '#record/canonical'
import type { Catalog } from '#rules/catalog/catalog'
import { ownersOf } from '#rules/catalog/confirmers'
import { isSignedByPerson } from '#rules/catalog/people/signed-words'
import { readEvent } from '#record/event'
import { candidateProblem } from '#messages/learning/candidate'
import { operationsAgreed } from './proposals.ts'
import { rulerOf } from '#messages/learning/ruler'
import { keyOfAsked, withAgreed, withEnded, withReopened } from '#messages/learning/learning'
import type { Agreed, OpenProposal } from '#messages/learning/learning'
import { agentIn, token, type NameParts } from '#record/names'
import type { State } from '../../state.ts'
import type { LoggedFact } from '../../folded.ts'

export function evolveRuling(state: State, fact: LoggedFact, parts: NameParts): string | null {
  const reading = readEvent('ruling', fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  const [id = ''] = parts.tokens
  const proposal = state.learning.open.get(id)
  if (proposal === undefined) return 'no such proposal is open'
  const why = rulingRefusal(state, proposal, { name: fact.name, data })
  if (why !== null) return why
  const { ruling: word, confirmer: by, byOwner } = data
  if (word === 'skipped' || word === 'rejected') {
    state.learning = withEnded(state.learning, id, word, fact)
    return null
  }
  const taken = takenBy(proposal, data)
  if (taken === null) return 'it brings no candidate'
  const { name: ruling, appendedAt } = fact
  const agreed: Agreed = { ruling, by, byOwner, appendedAt, word, ...taken }
  state.learning = withAgreed(state.learning, id, agreed)
  noteShown(state, data)
  return null
}

// What a person saw of the held intents counts for those alone, and never for one of its own.
function noteShown(
  { intents, catalog }: State,
  { releases, confirmer, byOwner }: RulingData,
): void {
  const own = byOwner ? new Set([token(confirmer)]) : tokensOfSide(catalog, confirmer)
  for (const { intent: address, digest } of releases) {
    const intent = intents.get(address)
    if (intent === undefined || intent.hold?.attempt !== intent.attempt) continue
    if (!own.has(agentIn(address))) intents.set(address, { ...intent, shown: digest })
  }
}

/** Of the person and of every agent of that person. */
function tokensOfSide(catalog: Catalog, person: string): ReadonlySet<string> {
  const agents = [...catalog.principals.keys()].filter((id) => {
    return ownersOf(catalog, id).includes(person)
  })
  return new Set([person, ...agents].map(token))
}

/** Why a ruling on this proposal counts for nothing, or null where it counts. */
export function rulingRefusal(
  { catalog, graph, log }: Pick<State, 'catalog' | 'graph' | 'log'>,
  proposal: OpenProposal,
  { name, data }: { readonly name: string; readonly data: RulingData },
): string | null {
  const { signature, ...rest } = data
  const { confirmer } = data
  if (data.proposal !== proposal.name) return 'it is about another proposal'
  if (proposal.agreed !== null) return `\`${proposal.agreed.by}\` has agreed to it already`
  if (data.digest !== proposal.data.digest) return 'it answers something else than was shown'
  const ruler = rulerOf(catalog, confirmer, proposal.met)
  if ('refused' in ruler) return ruler.refused
  if (data.byOwner !== ruler.byOwner) {
    return ruler.byOwner ? 'it does not say that it is by the owner' : 'it is not by the owner'
  }
  const unsigned = signedRefusal({ catalog, log }, { name, confirmer, signed: rest, signature })
  if (unsigned !== null) return unsigned
  const { ruling, suggestion } = data
  if (ruling !== 'accepted' && suggestion !== undefined)
    return 'only who accepts takes a suggestion'
  if (ruling !== 'modified' && data.candidate !== undefined) {
    return `what is ${ruling} brings no candidate`
  }
  if (ruling === 'skipped' || ruling === 'rejected') return null
  const taken = takenBy(proposal, data)
  if (taken === null) return 'there is no candidate to agree to'
  return candidateProblem(graph, proposal.data, taken.candidate)?.code ?? null
}

interface SignedByPerson {
  readonly name: string
  readonly confirmer: string
  readonly signed: object
  readonly signature: Signature | undefined
}

function signedRefusal(
  { catalog, log }: Pick<State, 'catalog' | 'log'>,
  { name, confirmer, signed, signature }: SignedByPerson,
): string | null {
  if (token(confirmer) !== name.split('.').at(-1)) return 'it came under another name'
  if (signature === undefined) return 'it is not signed'
  const person = catalog.principals.get(confirmer)
  const isSigned = isSignedByPerson(catalog, person, { log, name }, jsonOf(signed), signature)
  return isSigned ? null : 'no key of this person in the catalog signed it'
}

/** What the ruling takes into the graph; null where there is nothing to take. */
function takenBy(
  { suggestions }: OpenProposal,
  { ruling, candidate, suggestion }: RulingData,
): Pick<Agreed, 'candidate' | 'model'> | null {
  if (ruling === 'modified') return candidate === undefined ? null : { candidate, model: null }
  const taken = suggestions.usable.find(({ name, digest }) => {
    return name === suggestion?.name && digest === suggestion.digest
  })
  return taken === undefined ? null : { candidate: taken.candidate, model: taken.by }
}

export function evolveReopening(state: State, fact: LoggedFact, parts: NameParts): string | null {
  const reading = readEvent('reopening', fact)
  if (!reading.ok) return reading.why
  const [id = ''] = parts.tokens
  const { data } = reading.event
  const why = reopeningRefusal(state, id, { name: fact.name, data })
  if (why !== null) return why
  state.learning = withReopened(state.learning, keyOfAsked(state.learning, id) ?? '', fact)
  return null
}

/** Why it counts for nothing that a person has the question of that id asked again. */
export function reopeningRefusal(
  { catalog, learning, log }: Pick<State, 'catalog' | 'learning' | 'log'>,
  id: string,
  { name, data }: { readonly name: string; readonly data: ReopeningData },
): string | null {
  const asked = learning.history.get(keyOfAsked(learning, id) ?? '')
  if (asked === undefined) return 'no such question was asked last'
  if (!isEnded(asked.ended)) return 'it was neither rejected nor skipped, and has not expired'
  if (data.proposal !== asked.name) return 'it is about another proposal'
  const { signature, ...signed } = data
  const { confirmer } = data
  const ruler = rulerOf(catalog, confirmer, asked.met)
  if ('refused' in ruler) return ruler.refused
  return signedRefusal({ catalog, log }, { name, confirmer, signed, signature })
}

function isEnded(ended: string | null): boolean {
  return ended === 'rejected' || ended === 'expired' || ended === 'skipped'
}

/** The proposal whose ruling this change set follows from, or why it follows from none. */
export function learntFrom(state: State, data: GraphChangeData): OpenProposal | string {
  const proposal = [...state.learning.open.values()].find(
    ({ agreed }) => agreed !== null && agreed.ruling === data.ruling,
  )
  if (proposal === undefined) return 'it follows from no ruling that is open'
  if (data.by !== proposal.agreed?.by) return 'it names someone else than who ruled'
  const derived = canonical(jsonOf(operationsAgreed(state.graph, proposal)))
  const isDerived = canonical(jsonOf(data.operations)) === derived
  return isDerived ? proposal : 'it is not what was agreed to'
}
