// Faults of drivers and their secrets: what each code means, and what to do.
import type { FaultEntry } from '../faults/entry.ts'

export const driversFaults = {
  secret_missing: {
    retry: 'never',
    means: 'The catalog names a secret that the gateway does not have.',
    fix: 'Set `WARRANT_SECRET_<NAME>`, or write the file `<NAME>` in the folder `WARRANT_SECRETS`.',
  },
  secret_invalid: {
    retry: 'never',
    means: 'A secret cannot be read, others may read it, or it is too short or too long.',
    fix: 'Let its owner alone read the file (`chmod 600`), and look at what it holds.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
