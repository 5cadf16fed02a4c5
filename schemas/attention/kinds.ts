// The part of the table of kinds that no one binds any more, and that older logs have: kinds.ts
// spreads it in.
import type { KindEntry } from '../kind-entry.ts'

export const attentionKinds = {
  drill: {
    title: 'A test question that must be declined, under rules before version 7',
    tokens: ['drill'],
    boundBy: [],
    about: 'drill',
  },
  drillanswer: {
    title: 'What one confirmer answers to a test question, under rules before version 7',
    tokens: ['drill', 'confirmer'],
    boundBy: [],
    about: 'drill',
  },
} as const satisfies Readonly<Record<string, KindEntry>>
