// Faults of eras, snapshots and history: what each code means, and what to do.
import type { FaultEntry } from './entry.ts'

export const erasFaults = {
  era_sealed: {
    retry: 'soon',
    means: 'The era is sealed, and the next one is not open yet.',
    fix: 'Wait, or have a policy admin run `warrant log rotate`. Ask again for a warrant.',
  },
  era_not_permitted: {
    retry: 'never',
    means: 'The configuration of the server does not know the next era. Nothing was sealed.',
    fix: 'Write it again with `warrant nats-config --era N`, and reload it.',
  },
  era_fixed: {
    retry: 'never',
    means: 'The control log of several cells has one era for ever. Nothing was sealed.',
    fix: 'Rotate its cells: `warrant log rotate` does each in turn.',
  },
  operator_missing: {
    retry: 'never',
    means: 'On servers with accounts an era is sealed and opened by an operator. Nothing was done.',
    fix: 'Set `WARRANT_NATS_OPERATOR_FILE` to the file with the seed of an operator.',
  },
  era_overlaps: {
    retry: 'never',
    means: 'The stream of the next era begins before the era before it ends.',
    fix: 'Do what the message says: no fact is lost by it.',
  },
  rotation_early: {
    retry: 'soon',
    means: 'The era is not due by the terms of the catalog. Nothing was sealed.',
    fix: 'Wait, or have a policy admin run `warrant log rotate`.',
  },
  rotation_void: {
    retry: 'never',
    means: 'The fact that ends or opens the era does not count. The message says why.',
    fix: 'Correct the cause, then rotate again.',
  },
  name_spent: {
    retry: 'never',
    means: 'All names that the next fact could have are bound.',
    fix: 'Ask again under a new address.',
  },
  position_unknown: {
    retry: 'never',
    means: 'The position is beyond the end of the log.',
    fix: 'Give an earlier position.',
  },
  position_gone: {
    retry: 'never',
    means: 'The position is before the beginning of this log.',
    fix: 'Ask the log that has that era.',
  },
  revision_unknown: {
    retry: 'never',
    means: 'The graph or the catalog has no such revision.',
    fix: 'Give a revision that exists, or a position.',
  },
  time_before_log: {
    retry: 'never',
    means: 'The log had not begun at that time.',
    fix: 'Give a later time.',
  },
  root_key_differs: {
    retry: 'never',
    means: 'The log was not begun by the given root key.',
    fix: 'Check that it is the right log and the right key.',
  },
  root_key_unproven: {
    retry: 'never',
    means: 'The log does not show that the root key led to the key that opened its era.',
    fix: 'Bring back the earlier eras, or check which log it is.',
  },
  rules_unknown: {
    retry: 'never',
    means: 'The catalog asks for a version of the rules that this program does not have.',
    fix: 'Use a newer version of the program.',
  },
  snapshot_unreadable: {
    retry: 'never',
    means: 'The snapshot that an era opens with cannot be read.',
    fix: 'Restore the log from a copy, or use the version that wrote it.',
  },
  snapshot_outdated: {
    retry: 'never',
    means: 'A snapshot of the fold was written by another version. It is not used.',
    fix: 'Nothing: the log is folded from its beginning, and a new snapshot is written.',
  },
  snapshot_unusable: {
    retry: 'never',
    means: 'A snapshot of the fold is damaged, or belongs to another log. It is not used.',
    fix: 'Nothing: the log is folded from its beginning. Delete the file if it stays.',
  },
  snapshot_not_written: {
    retry: 'soon',
    means:
      'No snapshot was written: the log is empty, another process writes one, or an era is sealed.',
    fix: 'Try again later.',
  },
  no_snapshot: {
    retry: 'never',
    means: 'No snapshot here belongs to this log.',
    fix: 'Write one with `warrant log snapshot`.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
