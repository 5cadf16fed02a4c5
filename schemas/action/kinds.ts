// The part of the table of kinds that is about what is carried out: kinds.ts spreads it in.
import type { KindEntry } from '../kind-entry.ts'

const intent = ['agent', 'session', 'id'] as const

export const actionKinds = {
  start: {
    title: 'The warrant was redeemed at a gateway',
    tokens: intent,
    boundBy: ['gateway'],
    about: 'intent',
  },
  outcome: {
    title: 'What came of it, as the gateway reports',
    tokens: intent,
    boundBy: ['gateway'],
    about: 'intent',
  },
  ownstart: {
    title: 'The warrant was redeemed by the agent’s own guard',
    tokens: intent,
    boundBy: ['guard'],
    about: 'intent',
  },
  ownoutcome: {
    title: 'What came of it, as the agent’s own guard reports',
    tokens: intent,
    boundBy: ['guard'],
    about: 'intent',
  },
  settlement: {
    title: 'A person says whether that happened of which no one knows',
    tokens: [...intent, 'confirmer'],
    boundBy: ['confirmer', 'console'],
    about: 'intent',
  },
  expansion: {
    title: 'A further look at a result that a gateway keeps',
    tokens: [...intent, 'number'],
    boundBy: ['gateway'],
    about: 'intent',
  },
  revocation: {
    title: 'A person takes back what was permitted before it',
    tokens: ['revocation'],
    boundBy: ['confirmers', 'policyAdmins', 'console'],
    about: 'knowledge',
  },
  use: {
    title: 'What an intent takes of a grant: the n-th use',
    tokens: ['grant', 'use'],
    boundBy: ['policy'],
    about: 'use',
    derived: true,
    dense: true,
  },
  grant: {
    title: 'A person answers beforehand for later calls of one class',
    tokens: ['grant', 'confirmer'],
    boundBy: ['confirmer', 'console'],
    about: 'question',
  },
  routing: {
    title: 'What an agent was offered for a goal',
    tokens: intent,
    boundBy: ['agent'],
    about: 'agent',
  },
} as const satisfies Readonly<Record<string, KindEntry>>
