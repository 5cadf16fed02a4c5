// Faults of doors: processes through which agents ask that are no program of ours.
import type { FaultEntry } from '../faults/entry.ts'

export const doorFaults = {
  door_refused: {
    retry: 'never',
    means: 'This door does not speak for that principal: the catalog does not assign it.',
    fix:
      'Put the door into `via` of the principal, such as `warrant catalog put principal id=bot ' +
      'via=http`. Who decides for others, a suspended or an unknown principal never uses one.',
  },
  signature_needed: {
    retry: 'never',
    means: 'The principal has a key, and without its signature nothing counts as its word.',
    fix: 'Send the whole message with its signature, or take a principal without keys.',
  },
  not_started: {
    retry: 'never',
    means: 'An outcome is reported of what was never started.',
    fix: 'Start it first; only after that answer does the tool run.',
  },
  outcome_recorded: {
    retry: 'never',
    means: 'Another outcome of this intent is in the log already.',
    fix: 'Nothing: the first one stands.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
