// Learning: what is asked of people to close gaps, what became of that, and how it is kept.
import { z } from 'zod'
import { later } from '#schemas/later'
import { Candidate, MetBy, ProposalData, RulingWord, SuggestionFault } from '#schemas/learning'
import { readData, readEvent } from '#record/event'
import { afterChange, withEnded } from '#messages/learning/learning'
import { Count, KeptInstant, kept, placed } from '../../part-lines.ts'
import type { State } from '../../state.ts'
import type { CountedFact, Slice } from '../slice.ts'
import { evolveExpiry, evolveMeeting, evolveProposal, evolveSuggestion } from './proposals.ts'
import { evolveReopening, evolveRuling, learntFrom } from './rulings.ts'
import { includesText } from '#platform/bytes'

// What a ruling put into the graph has ended, and what the graph takes no more is asked again.
function learnt(state: State, { fact }: CountedFact): void {
  const isAgreed = [...state.learning.open.values()].some(({ agreed }) => agreed !== null)
  if (!isAgreed) return
  const ruling = readData('graph', fact)?.ruling
  const proposal = [...state.learning.open.values()].find(({ agreed }) => {
    return ruling !== undefined && agreed?.ruling === ruling
  })
  if (proposal !== undefined) {
    state.learning = withEnded(state.learning, proposal.id, 'applied', fact)
  }
  state.learning = afterChange(state.learning, state.graph)
}

const Met = later(() => z.array(MetBy))

const Proposal = later(() =>
  placed(ProposalData, KeptInstant).extend({
    id: z.string(),
    agreed: z
      .strictObject({
        ruling: z.string(),
        by: z.string(),
        byOwner: z.boolean(),
        appendedAt: KeptInstant,
        word: RulingWord.extract(['accepted', 'modified']),
        candidate: Candidate,
        model: z.string().nullable(),
      })
      .nullable(),
    met: Met,
    suggestions: z.strictObject({
      next: z.int().min(1),
      lastAt: KeptInstant.nullable(),
      usable: z.array(
        z.strictObject({
          name: z.string(),
          by: z.string(),
          candidate: Candidate,
          digest: z.string(),
        }),
      ),
      failed: z.strictObject({ by: z.string(), fault: SuggestionFault }).nullable(),
    }),
  }),
)

const AskedBefore = later(() =>
  z.strictObject({
    id: z.string(),
    name: z.string(),
    round: z.int().min(1),
    ended: z.enum(['applied', 'skipped', 'rejected', 'expired', 'reopened']).nullable(),
    position: Count,
    appendedAt: KeptInstant,
    from: Count,
    met: Met,
  }),
)

export const learningSlice = {
  name: 'learning',
  folds: {
    proposal: evolveProposal,
    meeting: evolveMeeting,
    suggestion: evolveSuggestion,
    expiry: evolveExpiry,
    ruling: evolveRuling,
    reopening: evolveReopening,
  },
  follows: (state, change) => {
    const found = learntFrom(state, change)
    return typeof found === 'string' ? found : null
  },
  beside: {
    graph: learnt,
    verdict: noteDenied,
    outcome: noteFailed('outcome'),
    ownoutcome: noteFailed('ownoutcome'),
  },
  kept: [
    kept('proposal', 'all_cells', {
      shape: () => ({ proposal: Proposal }),
      write: ({ learning }) => [...learning.open.values()].map((proposal) => ({ proposal })),
      read: (state, lines) => {
        const open = lines.map(({ proposal }) => [proposal.id, proposal] as const)
        state.learning = { ...state.learning, open: new Map(open) }
      },
    }),
    kept('spent', 'all_cells', {
      shape: () => ({ proposal: z.string() }),
      write: ({ learning }) => [...learning.used].map((proposal) => ({ proposal })),
      read: (state, lines) => {
        const used = new Set(lines.map(({ proposal }) => proposal))
        state.learning = { ...state.learning, used }
      },
    }),
    kept('history', 'all_cells', {
      shape: () => ({ key: z.string(), asked: AskedBefore }),
      write: ({ learning }) => [...learning.history].map(([key, asked]) => ({ key, asked })),
      read: (state, lines) => {
        const history = new Map(lines.map(({ key, asked }) => [key, asked]))
        state.learning = { ...state.learning, history }
      },
    }),
  ],
} as const satisfies Slice

// What the fold notes for learning to take up: intents that were denied for gaps alone, and calls
// that failed.

/** Nearly always a look at the intent is enough. */
function noteDenied({ catalog }: State, { fact, intent, caches }: CountedFact): void {
  const grounding = intent?.grounding ?? null
  if (grounding === null || grounding.grounded || !catalog.learning) return
  const reading = readEvent('verdict', fact)
  if (!reading.ok || reading.event.data.outcome !== 'deny') return
  const { reasons } = reading.event.data
  // A call that would be refused anyway leads to no proposal.
  if (reasons.every(({ code }) => code === 'ungrounded')) {
    caches?.misses.note({ kind: 'denied', grounding: grounding.name })
  }
}

function noteFailed(kind: 'outcome' | 'ownoutcome') {
  return ({ catalog }: State, { fact, caches }: CountedFact): void => {
    if (caches === undefined || !catalog.learning) return
    if (!includesText(fact.bytes, '"outcome":"failed"')) return
    const reading = readEvent(kind, fact)
    if (!reading.ok || reading.event.data.outcome !== 'failed') return
    const { code, detail } = reading.event.data
    if (code !== undefined || detail !== undefined) {
      caches.misses.note({ kind: 'failed', outcome: fact.name })
    }
  }
}
