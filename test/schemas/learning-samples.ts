// A proposal and a ruling with every property that they can have.
import type { z } from 'zod'
import type { ProposalData, RulingData } from '#schemas/learning'

const digest = `sha256:${'a'.repeat(64)}`
const address = 'bot.-.01J0000000000000000000000A'
const intent = { address, agent: 'bot', session: null }
const signature = {
  format: 'ed25519' as const,
  key: `ed25519:${'A'.repeat(43)}`,
  value: 'A'.repeat(86),
}

export const learningSamples = {
  proposal: {
    intent,
    from: `main.1.grounding.${address}.1`,
    round: 1,
    template: { kind: 'EXISTENCE', primitive: 'disc', levels: [0, 1], candidates: ['disk'] },
    asked: { concepts: ['disc'], minDepth: 1 },
    filled: {
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
    },
    digest,
    graphRevision: 1,
  },
  ruling: {
    proposal: 'main.1.proposal.01J0000000000000000000000A',
    digest,
    ruling: 'modified',
    confirmer: 'piet',
    candidate: { levels: [{ name: 'disc', levels: [{ level: 0, properties: {} }] }], edge: null },
    note: 'as the manual says',
    signature,
  },
} satisfies { proposal: z.input<typeof ProposalData>; ruling: z.input<typeof RulingData> }
