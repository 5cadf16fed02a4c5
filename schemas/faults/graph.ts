// Faults of graphs: what each code means, and what to do.
import type { FaultEntry } from './entry.ts'

export const graphFaults = {
  graph_invalid: {
    retry: 'never',
    means: 'The graph file does not follow its schema.',
    fix: 'Correct the places that the message lists.',
  },
  placeholder_left: {
    retry: 'never',
    means: 'A level would say only what a suggestion has as a placeholder.',
    fix: 'Write in its place what is true, in your own words.',
  },
  graph_moved: {
    retry: 'never',
    means: 'Others changed the graph since the revision that the change was built on.',
    fix: 'Look at the graph again, and build the change on its current revision.',
  },
  name_unknown: {
    retry: 'never',
    means: 'The graph has no primitive of that name.',
    fix: 'Correct the name, or add the primitive first.',
  },
  name_taken: {
    retry: 'never',
    means: 'The graph already has a primitive of that name.',
    fix: 'Use another name.',
  },
  name_repeated: {
    retry: 'never',
    means: 'The file has the same primitive twice.',
    fix: 'Merge the two.',
  },
  level_unknown: {
    retry: 'never',
    means: 'The primitive has no such level.',
    fix: 'Add the level first, or correct its number.',
  },
  level_repeated: {
    retry: 'never',
    means: 'The file has the same level of a primitive twice.',
    fix: 'Merge the two.',
  },
  edge_unknown: {
    retry: 'never',
    means: 'The graph has no such edge.',
    fix: 'Correct the ends, the type or the level, or relate them first.',
  },
  target_dangling: {
    retry: 'never',
    means: 'An edge leads to a primitive that does not exist.',
    fix: 'Add the primitive, or correct the target.',
  },
  cycle_transitive: {
    retry: 'never',
    means: 'The edges would make a circle in which each primitive needs the next.',
    fix: 'Remove one edge of the circle.',
  },
  policy_taken: {
    retry: 'never',
    means: 'The edge already has a policy of that name.',
    fix: 'Use another name, or `--replace`.',
  },
  policy_condition_invalid: {
    retry: 'never',
    means: 'The `when` of a policy cannot be evaluated.',
    fix: 'Correct the expression at the character that the message names.',
  },
  policy_without_effect: {
    retry: 'never',
    means: 'A policy that asks no one, calls nothing and has no condition refuses nothing.',
    fix: 'Require a confirmation, name a callback, or give it a `when`.',
  },
  operation_invalid: {
    retry: 'never',
    means: 'An operation in the file is not valid.',
    fix: 'Correct the operation at the place that the message names.',
  },
  change_too_large: {
    retry: 'never',
    means: 'The change is larger than a fact may be.',
    fix: 'Divide it, or use an import.',
  },
  change_void: {
    retry: 'never',
    means: 'The change was bound and does not count. The message says why.',
    fix: 'Correct the cause, then bind a new change.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
