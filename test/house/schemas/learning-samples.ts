// What learning binds, with every property that it can have.
import type { z } from 'zod'
import type {
  ExpiryData,
  MeetingData,
  ProposalData,
  ReopeningData,
  RulingData,
  SuggestionData,
} from '#schemas/learning'
import { address, digest, intent, signature } from './sample-terms.ts'

const proposal = 'main.1.proposal.01J0000000000000000000000A'
const met = { agent: 'bot', owners: ['piet'] }
const from = { name: `main.1.grounding.${address}.1`, position: 4 }

export const learningSamples = {
  proposal: {
    intent,
    from,
    round: 1,
    template: { kind: 'EXISTENCE', primitive: 'disc', levels: [0, 1], candidates: ['disk'] },
    query: { concepts: ['disc'], minDepth: 1 },
    met: [met],
    digest,
    graphRevision: 1,
  },
  meeting: { proposal, intent, from, met },
  suggestion: {
    proposal,
    number: 1,
    by: 'a model',
    candidate: {
      levels: [{ name: 'disc', levels: [{ level: 0, properties: { what: 'a thing' } }] }],
      edge: {
        source: 'disc',
        target: 'file',
        type: 'INCLUDES',
        sourceLevel: 0,
        targetLevel: 1,
      },
    },
    digest,
  },
  ruling: {
    proposal,
    digest,
    ruling: 'modified',
    confirmer: 'piet',
    byOwner: true,
    candidate: { levels: [{ name: 'disc', levels: [{ level: 0, properties: {} }] }], edge: null },
    suggestion: { name: 'main.1.suggestion.01J0000000000000000000000A.1', digest },
    releases: [{ intent: address, digest }],
    note: 'as the manual says',
    signature,
  },
  expiry: { proposal, round: 1 },
  reopening: { proposal, confirmer: 'piet', note: 'we know better by now', signature },
} satisfies {
  proposal: z.input<typeof ProposalData>
  meeting: z.input<typeof MeetingData>
  suggestion: z.input<typeof SuggestionData>
  ruling: z.input<typeof RulingData>
  expiry: z.input<typeof ExpiryData>
  reopening: z.input<typeof ReopeningData>
}
