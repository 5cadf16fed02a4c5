// Faults of contracts and of the work under them: what each code means, and what to do.
import type { FaultEntry } from '../faults/entry.ts'

export const workFaults = {
  contract_invalid: {
    retry: 'never',
    means: 'A task contract is not what a contract is.',
    fix: 'Change what the message names. `docs/WORK.md` has all fields.',
  },
  work_unreadable: {
    retry: 'never',
    means: 'The folder of the work is missing, or is not a folder that can be read.',
    fix: 'Name the folder that the worker wrote into.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
