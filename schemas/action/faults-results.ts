// Faults of the store of results: what each code means, and what to do.
import type { FaultEntry } from '../faults/entry.ts'

export const resultsFaults = {
  results_full: {
    retry: 'soon',
    means: 'The store of results holds as many, or as many bytes, as it may.',
    fix: 'Wait until results expire, or give the store larger limits.',
  },
  result_too_large: {
    retry: 'never',
    means: 'A result is larger than the store of results takes.',
    fix: 'Have the tool return less, or give the store a larger limit.',
  },
  result_unreadable: {
    retry: 'never',
    means: 'A kept result was changed, or was written under another key.',
    fix: 'Call the tool again. Look who else can write to the folder of results.',
  },
  results_key_invalid: {
    retry: 'never',
    means: 'The key of the store of results is missing, damaged, or others may read it.',
    fix: 'Put the key back, or let its owner alone read it (`chmod 600`); else empty the folder.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
