// Faults of drills: what each code means, and what to do.
import type { FaultEntry } from '../faults/entry.ts'

export const attentionFaults = {
  drill_void: {
    retry: 'never',
    means: 'The drill would count for nothing, or cannot be drawn, so nothing is bound.',
    fix: 'Correct what the message says.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
