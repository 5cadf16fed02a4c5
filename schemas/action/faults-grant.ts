// Faults of grants: what each code means, and what to do.
import type { FaultEntry } from '../faults/entry.ts'

export const grantFaults = {
  grant_void: {
    retry: 'never',
    means: 'The grant would count for nothing, so nothing is bound.',
    fix: 'Correct what the message says.',
  },
  no_grant: {
    retry: 'never',
    means: 'The log has no grant of that ID, or several that end so.',
    fix: 'List them with `warrant grants`.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
