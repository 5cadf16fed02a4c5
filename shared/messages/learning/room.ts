// How many questions may wait for people at once, and which one goes where there are too many: each
// agent and each owner has a share, and what they ask beyond it takes the place of the oldest
// question of their own. So no one's junk keeps the question of another from people.
import type { ProposalData } from '#schemas/learning'
import type { Graph } from '#knowledge/graph/revision'
import { isMissing } from './candidate.ts'
import { withEnded, type At, type Learning, type OpenProposal } from './learning.ts'
import { keyOf } from './template.ts'

/** So many questions wait for people at once, because of one owner, and because of one agent. */
const openMax = 512
const openForOwnerMax = 64
const openForAgentMax = 16

/** Whose share of the questions it takes. */
export interface Share {
  readonly agent: string
  /** The topmost owner; an agent without one stands for itself. */
  readonly owner: string
}

function shareOf({ intent, met }: Pick<ProposalData, 'intent' | 'met'>): Share {
  const { agent } = intent
  const owners = met.find((one) => one.agent === agent)?.owners ?? []
  return { agent, owner: owners.at(-1) ?? agent }
}

/** Whether one more question may be asked, if need be in the place of another. */
export function hasRoom(learning: Learning, graph: Graph, by: Share): boolean {
  return crowdOf(learning, by) === null || leaving(learning, graph, by) !== null
}

/** After this proposal was made. Where there is no room for it, others make some. */
export function withProposal(learning: Learning, proposal: OpenProposal, graph: Graph): Learning {
  const { id, name, data, position, appendedAt, met } = proposal
  const left = withoutReplaced(withRoom(learning, graph, proposal), proposal)
  const open = new Map(left.open).set(id, proposal)
  const { round } = data
  const from = data.from.position
  const asked = { id, name, round, ended: null, position, appendedAt, from, met }
  return { ...left, open, history: new Map(left.history).set(keyOf(data.template), asked) }
}

// Once others are tied, the same primitive is to be tied to any of them: one gap is one question.
function withoutReplaced(learning: Learning, { data, position, appendedAt }: OpenProposal) {
  const { template } = data
  if (template.kind !== 'REACHABILITY') return learning
  let left = learning
  for (const [id, { data: before, agreed }] of learning.open) {
    const { template: old } = before
    if (old.kind !== 'REACHABILITY' || agreed !== null) continue
    if (old.primitive !== template.primitive || !isSubset(old.others, template.others)) continue
    if (isSubset(before.query.concepts, data.query.concepts)) {
      left = withEnded(left, id, 'applied', { position, appendedAt })
    }
  }
  return left
}

function isSubset(some: readonly string[], all: readonly string[]): boolean {
  return some.every((one) => all.includes(one))
}

/** With room for this one: what the graph has overtaken goes first, then the oldest of a share. */
function withRoom(learning: Learning, graph: Graph, proposal: OpenProposal): Learning {
  const by = shareOf(proposal.data)
  let left = learning
  // INVARIANT: each turn takes one away, so this ends.
  for (let last = leaving(left, graph, by); last !== null; last = leaving(left, graph, by)) {
    left = withEnded(left, last.id, last.ended, placeOf(last, proposal))
  }
  return left
}

type Leaving = Pick<OpenProposal, 'id' | 'position' | 'appendedAt'> & {
  readonly ended: 'applied' | 'expired'
}

function placeOf({ ended, ...own }: Leaving, { position, appendedAt }: OpenProposal): At {
  return ended === 'applied' ? own : { position, appendedAt }
}

function leaving(learning: Learning, graph: Graph, by: Share): Leaving | null {
  const crowd = crowdOf(learning, by)
  if (crowd === null) return null
  const waiting = crowd.filter(({ agreed }) => agreed === null)
  // Looking at all of them costs a grounding each, so it waits until there is reason to.
  const overtaken = waiting.find(({ data }) => !isMissing(graph, data))
  if (overtaken !== undefined) return { ...overtaken, ended: 'applied' }
  const [oldest] = waiting
  return oldest === undefined ? null : { ...oldest, ended: 'expired' }
}

/** Those of whom one has to go before this share asks once more; null where none has to. */
function crowdOf({ open }: Learning, by: Share): readonly OpenProposal[] | null {
  const shares = [...open.values()].map((proposal) => ({ proposal, ...shareOf(proposal.data) }))
  const ofAgent = shares.filter(({ agent }) => agent === by.agent)
  if (ofAgent.length >= openForAgentMax) return proposalsOf(ofAgent)
  const ofOwner = shares.filter(({ owner }) => owner === by.owner)
  if (ofOwner.length >= openForOwnerMax) return proposalsOf(ofOwner)
  if (open.size < openMax) return null
  const sizes = new Map<string, number>()
  for (const { owner } of shares) sizes.set(owner, (sizes.get(owner) ?? 0) + 1)
  const most = Math.max(...sizes.values())
  return proposalsOf(shares.filter(({ owner }) => sizes.get(owner) === most))
}

function proposalsOf(shares: readonly { readonly proposal: OpenProposal }[]) {
  return shares.map(({ proposal }) => proposal)
}
