// The part of the table of kinds that is about verified work: kinds.ts spreads it in.
import type { KindEntry } from '../kind-entry.ts'

const contract = ['issuer', 'session', 'id', 'trial'] as const

export const workKinds = {
  verificationstart: {
    title: 'A verifier has begun to look at claimed work, and until when it may take',
    tokens: [...contract, 'number'],
    boundBy: ['verification'],
    about: 'work',
    derived: true,
  },
  verification: {
    title: 'What claimed work was found to be, and how its contract ended if it did',
    tokens: contract,
    boundBy: ['verification'],
    about: 'work',
    derived: true,
  },
  // The fold checks the time that must have passed, and who may sign.
  reinstatement: {
    title: 'A suspended agent may work again: a person lets it, or time has passed',
    tokens: ['agent', 'number'],
    boundBy: ['verification', 'policyAdmins', 'console'],
    about: 'agent',
    dense: true,
  },
} as const satisfies Readonly<Record<string, KindEntry>>
