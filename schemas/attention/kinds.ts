// The part of the table of kinds that is about people’s attention: kinds.ts spreads it in.
import type { KindEntry } from '../kind-entry.ts'
import { DrillAnswerData, DrillData } from './drill.ts'

export const attentionKinds = {
  drill: {
    title: 'A test question to people that must be declined; nothing follows from it',
    tokens: ['drill'],
    schema: DrillData,
    boundBy: ['policyAdmins'],
    about: 'drill',
  },
  drillanswer: {
    title: 'What one confirmer answers to a test question',
    tokens: ['drill', 'confirmer'],
    schema: DrillAnswerData,
    boundBy: ['confirmer', 'console'],
    about: 'drill',
  },
} as const satisfies Readonly<Record<string, KindEntry>>
