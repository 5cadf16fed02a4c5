// Faults of credentials and rights: what each code means, and what to do.
import type { FaultEntry } from './entry.ts'

export const serversFaults = {
  credentials_invalid: {
    retry: 'never',
    means: 'The credentials cannot be read, are incomplete, or stand in an address.',
    fix: 'Give them by file, in the variables that the message names.',
  },
  not_permitted: {
    retry: 'never',
    means: 'The server refuses these credentials, or does not allow the request to this role.',
    fix: 'Use the credentials of a role that may do it. `warrant nats-config` writes the rights.',
  },
  tls_missing: {
    retry: 'never',
    means: 'TLS is demanded, by `tls://` or by a certificate file, and the server offers none.',
    fix: 'Give the server a certificate, or write `nats://` for a connection that anyone can read.',
  },
  server_config_unread: {
    retry: 'never',
    means: 'The configuration of a server is written in a way that is not understood here.',
    fix: 'Look at the line that the message names. Variables and blocks of text are not followed.',
  },
  seed_invalid: {
    retry: 'never',
    means: 'The file does not hold the nkey seed of a user.',
    fix: 'Give the file with the line that begins with `SU`.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
