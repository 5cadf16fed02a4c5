// Faults of proposals and rulings: what each code means, and what to do.
import type { FaultEntry } from './entry.ts'

export const learningFaults = {
  no_proposal: {
    retry: 'never',
    means: 'The log has no such proposal, or it is not open.',
    fix: 'List them with `warrant proposals --all`.',
  },
  proposal_ambiguous: {
    retry: 'never',
    means: 'The short form fits several proposals.',
    fix: 'Give more characters of the id.',
  },
  no_suggestion: {
    retry: 'never',
    means: 'The proposal takes no more suggestions of a model.',
    fix: 'Rule on it yourself: `warrant proposals teach`.',
  },
  no_candidate: {
    retry: 'never',
    means: 'No model has proposed anything that could be accepted.',
    fix: 'Write it yourself: `warrant proposals teach`.',
  },
  candidate_unsound: {
    retry: 'never',
    means: 'What was given does not close the gap. Nothing was bound.',
    fix: 'Correct it as the message says.',
  },
  gap_closed: {
    retry: 'never',
    means: 'The gap was closed meanwhile, so there is nothing to teach.',
    fix: 'Nothing.',
  },
  ruled: {
    retry: 'never',
    means: 'The proposal was ruled on, or reopened, already.',
    fix: 'See `warrant proposals show`.',
  },
  ruling_void: {
    retry: 'never',
    means: 'The signer may not rule on this proposal, so the ruling does not count.',
    fix: 'Sign as one who may rule. The message says why this one may not.',
  },
  reopening_void: {
    retry: 'never',
    means: 'The signer may not reopen this proposal. Nothing was bound.',
    fix: 'Sign as one who may rule. The message says why this one may not.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
