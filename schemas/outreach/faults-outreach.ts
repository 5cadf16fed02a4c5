// Faults of reaching people: what each code means, and what to do.
import type { FaultEntry } from '../faults/entry.ts'

export const outreachFaults = {
  reach_invalid: {
    retry: 'never',
    means: 'What is to be known of a person cannot be used.',
    fix: 'Give it as the message says. docs/people/notifications.md has each channel.',
  },
  reach_unknown: {
    retry: 'never',
    means: 'Nothing is known of where that person is reached, or not by that channel.',
    fix: 'Set it with `warrant reach set`.',
  },
  reach_file_invalid: {
    retry: 'never',
    means: 'The file with the places where people are reached cannot be read or written.',
    fix: 'Look at what the message names. Only its owner may read it; each line is one person.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
