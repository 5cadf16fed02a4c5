// Faults of keys and passphrases: what each code means, and what to do.
import type { FaultEntry } from './entry.ts'

export const keysFaults = {
  key_missing: {
    retry: 'never',
    means: 'There is no key to sign with.',
    fix: 'Give `--key FILE`, or make one with `warrant keys new`.',
  },
  key_exists: {
    retry: 'never',
    means: 'A key of that name exists.',
    fix: 'Choose another name.',
  },
  key_name_invalid: {
    retry: 'never',
    means: 'The name cannot be the name of a key.',
    fix: 'Use letters, digits and `. _ @ + -`.',
  },
  key_invalid: {
    retry: 'never',
    means: 'The file does not hold a key that can be used, or holds another key than it says.',
    fix: 'Give an Ed25519 key in PEM, as `warrant keys new` makes it.',
  },
  key_unreadable: {
    retry: 'never',
    means: 'The file of the key cannot be read.',
    fix: 'Check the path and the rights.',
  },
  key_locked: {
    retry: 'never',
    means: 'The key needs a passphrase, and no one can be asked for it.',
    fix: 'Sign at a terminal, or name a file in `WARRANT_KEY_PASSPHRASE_FILE`.',
  },
  key_sealed: {
    retry: 'never',
    means: 'The key already has a passphrase.',
    fix: 'Nothing.',
  },
  passphrase_wrong: {
    retry: 'never',
    means: 'The passphrase does not open this key.',
    fix: 'Give the passphrase of this key.',
  },
  word_void: {
    retry: 'never',
    means: 'What the person says would count for nothing, so it was not bound.',
    fix: 'Correct what the message names.',
  },
  signing_changed: {
    retry: 'never',
    means: 'What a person signed is not what would be bound now: something changed meanwhile.',
    fix: 'Look at it again, and sign what is there now.',
  },
  passphrase_unreadable: {
    retry: 'never',
    means: 'The file with the passphrase cannot be read, or its first line is empty.',
    fix: 'Write the passphrase on the first line of the file.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
