// Faults of warrants as tokens: what each code means, and what to do.
import type { FaultEntry } from '../faults/entry.ts'

export const warrantsFaults = {
  issuer_missing: {
    retry: 'never',
    means: 'The client has no key to sign tokens with.',
    fix: 'Give `issuer` to `connect`; `warrant keys issuer` makes such a key.',
  },
  issuer_unknown: {
    retry: 'never',
    means: 'The catalog lets no issuer sign with this key, so no one would believe the token.',
    fix: 'Add it with `warrant keys issuer`.',
  },
  issuer_exists: {
    retry: 'never',
    means: 'The principal is there already, with other roles or with keys.',
    fix: 'Give `--rotate` for one more key, or another name.',
  },
  token_too_large: {
    retry: 'never',
    means: 'Constraints and scope of the verdict are more than a token may carry.',
    fix: 'Ask with fewer of them.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
