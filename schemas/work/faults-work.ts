// Faults of contracts and of the work under them: what each code means, and what to do.
import type { FaultEntry } from '../faults/entry.ts'

export const workFaults = {
  contract_invalid: {
    retry: 'never',
    means: 'A task contract is not what a contract is.',
    fix: 'Change what the message names. `docs/agents/work.md` has all fields.',
  },
  work_unusable: {
    retry: 'never',
    means: 'What the catalog says of verified work does not fit together.',
    fix: 'Change what the message names. `docs/agents/work.md` has all fields.',
  },
  contract_refused: {
    retry: 'never',
    means: 'The contract would not count, so it was not published.',
    fix: 'Change what the message names: the issuer, the worker, the workspace or the contract.',
  },
  claim_refused: {
    retry: 'never',
    means: 'The claim would not count, so it was not published.',
    fix: 'List what is open with `warrant contracts`, and claim it as its worker.',
  },
  no_contract: {
    retry: 'never',
    means: 'The log has no contract of that address.',
    fix: 'List them with `warrant contracts`, and `--state ended`.',
  },
  reinstatement_refused: {
    retry: 'never',
    means: 'The reinstatement would not count, so it was not signed.',
    fix: 'Sign as a policy admin, for an agent that its standing has suspended.',
  },
  work_unreadable: {
    retry: 'never',
    means: 'The folder of the work is missing, or is not a folder that can be read.',
    fix: 'Name the folder that the worker wrote into.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
