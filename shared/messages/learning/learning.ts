// What learning has come to, as the log says it: what is asked of people, and what became of what
// was asked before, so that nothing is asked twice. A value that is never changed, since a decider
// may wait while the fold goes on.
import type { Candidate, MetBy, ProposalData, RulingWord, Template } from '#schemas/learning'
import type { SuggestionFault } from '#schemas/learning'
import type { Graph } from '#knowledge/graph/revision'
import type { Placed } from '#record/event'
import { candidateProblem } from './candidate.ts'
import { keyOf, proposalId } from './template.ts'

/** A proposal that no ruling has ended, or whose ruling is not in the graph yet. */
export interface OpenProposal extends Placed<ProposalData> {
  readonly id: string
  readonly agreed: Agreed | null
  /** Every agent that is known to have met the gap, in this round and those before. */
  readonly met: readonly MetBy[]
  readonly suggestions: Suggestions
}

/** What a person's ruling puts into the graph. */
export interface Agreed {
  /** The name of the ruling. */
  readonly ruling: string
  readonly by: string
  readonly byOwner: boolean
  readonly appendedAt: number
  readonly word: Extract<RulingWord, 'accepted' | 'modified'>
  readonly candidate: Candidate
  /** The model whose answer was accepted. */
  readonly model: string | null
}

/** What models made of a question so far. */
export interface Suggestions {
  /** The number of the next one; those that count for nothing have used theirs. */
  readonly next: number
  /** When the latest was appended. */
  readonly lastAt: number | null
  /** Those that can be accepted, the latest last. */
  readonly usable: readonly Suggested[]
  /** Of the latest, where it cannot be used. */
  readonly failed: { readonly by: string; readonly fault: SuggestionFault } | null
}

export interface Suggested {
  readonly name: string
  readonly by: string
  readonly candidate: Candidate
  readonly digest: string
}

export const noSuggestions: Suggestions = { next: 1, lastAt: null, usable: [], failed: null }

/** So many answers of models are kept at hand for one question. */
const usableMax = 3

/** `reopened`: a person has it asked again; what it was before no longer counts. */
export type ProposalEnding = 'applied' | 'skipped' | 'rejected' | 'expired' | 'reopened'

/** What became of a question that was put to people. */
export interface AskedBefore {
  readonly id: string
  /** Of its latest proposal. */
  readonly name: string
  /** How often it has been asked. */
  readonly round: number
  readonly ended: ProposalEnding | null
  readonly position: number
  readonly appendedAt: number
  /** The position of the fact that gave rise to its latest round. */
  readonly from: number
  readonly met: readonly MetBy[]
}

export interface Learning {
  /** By their ids, in log order. */
  readonly open: ReadonlyMap<string, OpenProposal>
  /** By the keys of their templates. */
  readonly history: ReadonlyMap<string, AskedBefore>
  /** Ids that something was bound under which counts for nothing: they are stepped over. */
  readonly used: ReadonlySet<string>
}

export const noLearning: Learning = { open: new Map(), history: new Map(), used: new Set() }

/** Under which round and id it is asked next: junk can waste an id, and never a question. */
export function nextRound(
  { history, used }: Learning,
  template: Template,
): { readonly round: number; readonly id: string } {
  const key = keyOf(template)
  let round = (history.get(key)?.round ?? 0) + 1
  while (used.has(proposalId(key, round))) round += 1
  return { round, id: proposalId(key, round) }
}

/** After a fact under that id that counts for nothing. */
export function withUsed(learning: Learning, id: string): Learning {
  return { ...learning, used: new Set(learning.used).add(id) }
}

/** Where in the log something stands, and when it was appended. */
export interface At {
  readonly position: number
  readonly appendedAt: number
}

/** After the graph has changed: what people agreed to and it takes no more is asked again. */
export function afterChange(learning: Learning, graph: Graph): Learning {
  let left = learning
  for (const [id, { data, agreed, position, appendedAt }] of learning.open) {
    if (agreed === null || candidateProblem(graph, data, agreed.candidate) === null) continue
    left = withEnded(left, id, 'applied', { position, appendedAt })
  }
  return left
}

/** After one more agent met what it asks about. */
export function withMet(learning: Learning, id: string, by: MetBy): Learning {
  return withOpen(learning, id, (proposal) => ({ ...proposal, met: [...proposal.met, by] }))
}

/** After a fact under the next number of its suggestions; `said` is null where it counts not. */
export function withSuggestion(
  learning: Learning,
  id: string,
  at: Pick<At, 'appendedAt'>,
  said: Suggested | { readonly by: string; readonly fault: SuggestionFault } | null,
): Learning {
  return withOpen(learning, id, (proposal) => {
    const { next, lastAt, usable, failed } = proposal.suggestions
    const used = { next: next + 1, lastAt, usable, failed }
    if (said === null) return { ...proposal, suggestions: used }
    const { appendedAt } = at
    const suggestions =
      'fault' in said
        ? { ...used, lastAt: appendedAt, failed: said }
        : {
            ...used,
            lastAt: appendedAt,
            usable: [...usable, said].slice(-usableMax),
            failed: null,
          }
    return { ...proposal, suggestions }
  })
}

/** After a person agreed to it. */
export function withAgreed(learning: Learning, id: string, agreed: Agreed): Learning {
  return withOpen(learning, id, (proposal) => ({ ...proposal, agreed }))
}

function withOpen(
  learning: Learning,
  id: string,
  changed: (proposal: OpenProposal) => OpenProposal,
): Learning {
  const proposal = learning.open.get(id)
  if (proposal === undefined) return learning
  return { ...learning, open: new Map(learning.open).set(id, changed(proposal)) }
}

/** After it ended so, by the fact that stands there. */
export function withEnded(
  learning: Learning,
  id: string,
  ended: Exclude<ProposalEnding, 'reopened'>,
  { position, appendedAt }: At,
): Learning {
  const proposal = learning.open.get(id)
  if (proposal === undefined) return learning
  const open = new Map(learning.open)
  open.delete(id)
  const { name, data, met } = proposal
  const { round, from } = data
  const asked = { id, name, round, ended, position, appendedAt, from: from.position, met }
  return { ...learning, open, history: new Map(learning.history).set(keyOf(data.template), asked) }
}

/** The key under which the question of that id was asked last; null where it was not. */
export function keyOfAsked({ history }: Learning, id: string): string | null {
  for (const [key, asked] of history) if (asked.id === id) return key
  return null
}

/** After a person has it asked again. */
export function withReopened(learning: Learning, key: string, at: At): Learning {
  const before = learning.history.get(key)
  if (before === undefined) return learning
  const { position, appendedAt } = at
  const reopened: AskedBefore = { ...before, ended: 'reopened', position, appendedAt }
  return { ...learning, history: new Map(learning.history).set(key, reopened) }
}
