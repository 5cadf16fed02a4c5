// What learning has come to, as the log tells it: what is asked of people, and what became of what
// was asked before, so that nothing is asked twice. A value that is never changed, since whoever
// decides by it may wait in between.
import type { Candidate, ProposalData, RulingWord, Template } from '#schemas/learning'
import type { Graph } from '../graph/revision.ts'
import { agentIn } from '../names.ts'
import type { Placed } from '../world/intent.ts'
import { candidateProblem, isMissing } from './candidate.ts'
import { keyOf, proposalId } from './template.ts'

/** A proposal that no ruling has ended, or whose ruling is not in the graph yet. */
export interface OpenProposal extends Placed<ProposalData> {
  readonly id: string
  readonly agreed: Agreed | null
}

/** What a person's ruling puts into the graph. */
export interface Agreed {
  /** The name of the ruling. */
  readonly ruling: string
  readonly by: string
  readonly appendedAt: number
  readonly word: Extract<RulingWord, 'accepted' | 'modified'>
  readonly candidate: Candidate
}

export type Ending = 'taught' | 'skipped' | 'rejected'

/** What became of a question that was put to people. */
export interface AskedBefore {
  /** How often it has been asked. */
  readonly round: number
  readonly ended: Ending | null
  readonly position: number
  readonly appendedAt: number
}

export interface Learning {
  /** By their ids, in log order. */
  readonly open: ReadonlyMap<string, OpenProposal>
  /** By the keys of their templates. */
  readonly asked: ReadonlyMap<string, AskedBefore>
  /** Ids that something was bound under which counts for nothing: they are stepped over. */
  readonly spent: ReadonlySet<string>
}

export const noLearning: Learning = { open: new Map(), asked: new Map(), spent: new Set() }

/** Under which round and id it is asked next: junk can waste an id, and never a question. */
export function nextRound(
  { asked, spent }: Learning,
  template: Template,
): { readonly round: number; readonly id: string } {
  const key = keyOf(template)
  let round = (asked.get(key)?.round ?? 0) + 1
  while (spent.has(proposalId(key, round))) round += 1
  return { round, id: proposalId(key, round) }
}

/** After a fact under that id that counts for nothing. */
export function withSpent(learning: Learning, id: string): Learning {
  return { ...learning, spent: new Set(learning.spent).add(id) }
}

/** So many questions wait for people at once, and so many because of one agent. */
const openMax = 512
const openForAgentMax = 16
/** What was skipped is not asked again for so long, by whomever it is needed. */
const skippedMs = 3_600_000

/**
 * `askable`: nobody has been asked, or not for long. `full`: too much is asked already. The others
 * say what it is, or what became of it.
 */
export type Standing = 'askable' | 'open' | 'skipped' | 'rejected' | 'full'

/** Who asks: the agent's token, where its intent was opened, what is known and what time it is. */
export interface Asking {
  readonly agent: string
  readonly since: number
  readonly graph: Graph
  readonly now: number
}

export function standingOf(learning: Learning, template: Template, asking: Asking): Standing {
  const before = learning.asked.get(keyOf(template))
  if (before === undefined || before.ended === 'taught') return roomFor(learning, asking)
  if (before.ended === 'rejected') return 'rejected'
  if (before.ended === 'skipped') {
    const isRecent = before.position > asking.since || asking.now < before.appendedAt + skippedMs
    return isRecent ? 'skipped' : roomFor(learning, asking)
  }
  return 'open'
}

function roomFor(learning: Learning, { agent, graph }: Asking): Standing {
  if (isRoomIn(learning, agent)) return 'askable'
  // Looking at all of them costs a grounding each, so it waits until there is reason to.
  return isRoomIn(withoutOvertaken(learning, graph), agent) ? 'askable' : 'full'
}

function isRoomIn({ open }: Learning, agent: string): boolean {
  if (open.size >= openMax) return false
  let forAgent = 0
  for (const { data } of open.values()) if (agentIn(data.intent.address) === agent) forAgent += 1
  return forAgent < openForAgentMax
}

// What the graph has come to know otherwise is asked of nobody any more.
function withoutOvertaken(learning: Learning, graph: Graph): Learning {
  let left = learning
  for (const [id, { data, position, appendedAt }] of learning.open) {
    if (!isMissing(graph, data)) left = withEnded(left, id, 'taught', { position, appendedAt })
  }
  return left
}

/** After this proposal was made. Those that the graph has overtaken make room for it. */
export function withProposal(learning: Learning, proposal: OpenProposal, graph: Graph): Learning {
  const { data, position, appendedAt } = proposal
  const isCrowded = !isRoomIn(learning, agentIn(data.intent.address))
  const before = isCrowded ? withoutOvertaken(learning, graph) : learning
  const open = new Map(before.open).set(proposal.id, proposal)
  const round = { round: data.round, ended: null, position, appendedAt }
  const asked = new Map(before.asked).set(keyOf(data.template), round)
  return { ...before, open, asked }
}

/** After the graph has changed: what people agreed to and it takes no more is asked anew. */
export function afterChange(learning: Learning, graph: Graph): Learning {
  let left = learning
  for (const [id, { data, agreed, position, appendedAt }] of learning.open) {
    if (agreed === null || candidateProblem(graph, data, agreed.candidate) === null) continue
    left = withEnded(left, id, 'taught', { position, appendedAt })
  }
  return left
}

/** After a person agreed to it. */
export function withAgreed(learning: Learning, id: string, agreed: Agreed): Learning {
  const proposal = learning.open.get(id)
  if (proposal === undefined) return learning
  const open = new Map(learning.open)
  open.set(id, { ...proposal, agreed })
  return { ...learning, open }
}

/** After it ended so, by the fact that stands there. */
export function withEnded(
  learning: Learning,
  id: string,
  ended: Ending,
  at: { readonly position: number; readonly appendedAt: number },
): Learning {
  const proposal = learning.open.get(id)
  if (proposal === undefined) return learning
  const open = new Map(learning.open)
  open.delete(id)
  const asked = new Map(learning.asked)
  const { position, appendedAt } = at
  asked.set(keyOf(proposal.data.template), {
    round: proposal.data.round,
    ended,
    position,
    appendedAt,
  })
  return { ...learning, open, asked }
}
