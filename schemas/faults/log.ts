// Faults of logs and appends: what each code means, and what to do.
import type { FaultEntry } from './entry.ts'
import { exitCodes } from './exit.ts'

export const logFaults = {
  no_log: {
    retry: 'never',
    means: 'There is no log at the given address.',
    fix: 'Run `warrant init`, or `warrant nats init` for a log on servers, or give `--log`.',
  },
  no_cell: {
    retry: 'never',
    means: 'The realm has no such cell, or it has several and the command takes one.',
    fix: 'Name one that there is: `--realm main-c2` is cell 2 of the realm `main`.',
  },
  log_empty: {
    retry: 'never',
    means: 'The log has no facts yet.',
    fix: 'Begin it: `warrant apply FOLDER`.',
  },
  not_in_log: {
    retry: 'soon',
    means: 'What was published was taken in, and the log does not have it yet.',
    fix: 'Wait until the era that is being rotated is open; if it lasts, run `warrant doctor`.',
  },
  log_unsupported: {
    retry: 'never',
    means: 'No adapter supports this address, or the log does not support this way of opening it.',
    fix: 'Use one of the kinds of address that the message lists.',
  },
  log_busy: {
    retry: 'soon',
    means: 'Another process is writing to the SQLite log, or too many appends wait.',
    fix: 'Try again. If it lasts, use a log on NATS for several writers.',
  },
  log_unavailable: {
    retry: 'soon',
    means: 'The file of the log cannot be opened or used now.',
    fix: 'Check the disk, the path and the rights, then try again.',
  },
  disk_full: {
    retry: 'soon',
    means: 'The disk that holds the log is full. Nothing was appended.',
    fix: 'Free some space, then do the same again.',
  },
  log_read_only: {
    retry: 'never',
    means: 'The log cannot be written by this process, or reading it would need a write.',
    fix: 'Run as a user who may write it, or copy the files to a folder that may be written.',
  },
  log_linked: {
    retry: 'never',
    means:
      'The file of the log has a second name (hard link). SQLite keeps what is not yet in the ' +
      'file beside each name apart, so writing under both loses facts.',
    fix:
      'Make the other name a copy of its own: `cp FILE COPY && mv COPY FILE`. Copy logs with ' +
      '`warrant backup`, and never with `cp -al`.',
  },
  log_unreadable: {
    retry: 'never',
    means: 'This user may not read the log.',
    fix: 'Have its owner grant the right to read.',
  },
  log_foreign: {
    retry: 'never',
    means: 'The file is not a log, or has a format that this version does not read.',
    fix: 'Check the path. Use the version that wrote the log.',
  },
  log_torn: {
    retry: 'never',
    means: 'The file of the log is damaged.',
    fix: 'Restore it from a copy.',
  },
  backup_damaged: {
    retry: 'never',
    exit: exitCodes.differs,
    means:
      'A backup or an export is cut, was changed, or is something else. Nothing of it was kept.',
    fix: 'Take another copy of it. The message says up to where it is as it was written.',
  },
  log_closed: {
    retry: 'never',
    means: 'The log was closed while it was used.',
    fix: 'Open it again. During a shutdown this is expected.',
  },
  log_cut: {
    retry: 'never',
    means: 'The log lacks its earlier eras, and nothing in it stands for them.',
    fix: 'Bring back the earlier eras from the archive.',
  },
  log_tampered: {
    retry: 'never',
    means: 'A fact that was bound is missing: an operator removed it.',
    fix: 'Stop, and find out who removed it. Restore the log from a copy.',
  },
  log_rolled_back: {
    retry: 'never',
    exit: exitCodes.differs,
    means:
      'The log is shorter than this user saw it before, or has another fact there: an older ' +
      'state of it, or another copy, was put in its place.',
    fix:
      'Find out who did it. If it is meant, a policy admin signs that: ' +
      '`warrant log accept-rollback`.',
  },
  log_not_rolled_back: {
    retry: 'never',
    means: 'The log goes on from all that this user saw of it: there is nothing to accept.',
    fix: 'Where others refuse the log, give the position that they name: `--seen POSITION`.',
  },
  mark_unreadable: {
    retry: 'never',
    means:
      'The file that says how far this user saw the log before is damaged, or of a newer version.',
    fix: 'See that the log is whole, then remove the file that the message names.',
  },
  log_id_differs: {
    retry: 'never',
    means: 'The log is another than the one that `WARRANT_LOG_ID` or `logId` names.',
    fix: 'Check which log it is. If another one is meant, name that, or leave it out.',
  },
  log_differs: {
    retry: 'never',
    means: 'The stream is configured in a way that does not protect a log.',
    fix: 'Run `warrant doctor`, and find out who changed it.',
  },
  log_refused: {
    retry: 'soon',
    means: 'The server refused a request.',
    fix: 'Read the answer of the server in the message.',
  },
  log_overloaded: {
    retry: 'soon',
    means:
      'The server takes no more at the moment: too much was sent at once, or its store is full.',
    fix: 'Try again with a growing pause. If it lasts, find who sends so much, or make room.',
  },
  log_unreachable: {
    retry: 'soon',
    means: 'The server does not answer, or the connection was lost.',
    fix: 'Check that the server is up and that its streams have leaders. Requests are tried again.',
  },
  log_unidentified: {
    retry: 'never',
    means: 'A client that signs must know which log it signs for.',
    fix: 'Give `logId`, or set `WARRANT_LOG_ID`, as `warrant replay` prints it.',
  },
  append_refused: {
    retry: 'soon',
    means: 'The server did not store the fact.',
    fix: 'Append it again.',
  },
  entry_invalid: {
    retry: 'never',
    means: 'The name of a fact is not valid, or the fact is too large.',
    fix: 'Correct the name, or divide the content.',
  },
  pattern_invalid: {
    retry: 'never',
    means: 'A pattern of names is not valid.',
    fix: 'Correct it. Dots separate tokens; `*` stands for one token, `>` for the rest.',
  },
  queue_invalid: {
    retry: 'never',
    means: 'The name of a queue is not valid.',
    fix: 'Correct the name.',
  },
  queue_differs: {
    retry: 'never',
    means: 'The queue exists with other names than asked for.',
    fix: 'Work it with those names, or use another queue.',
  },
  queue_missing: {
    retry: 'never',
    means: 'The stream has no such queue.',
    fix: 'Have an operator run `warrant nats init`.',
  },
  conflict: {
    retry: 'soon',
    means: 'Others bound the same names first, several times.',
    fix: 'Look at what changed, then try again.',
  },
  clock_behind: {
    retry: 'soon',
    means: 'The clock of this machine is behind the last fact of the log.',
    fix: 'Correct the clock. If it is right, run `warrant log rotate --reset-clock`.',
  },
  clock_ahead: {
    retry: 'soon',
    means:
      'The clock of this machine is 30 days ahead of the last fact of the log, or five minutes ' +
      'of what it can be by how long the machine has run since.',
    fix: 'Correct the clock. If it is right, report it with `--accept-clock`.',
  },
  clock_not_behind: {
    retry: 'never',
    means: 'The clock is not behind the log, so there is nothing to reset.',
    fix: 'Rotate without `--reset-clock`.',
  },
  clock_of_servers: {
    retry: 'never',
    means: 'The servers stamp this log, so its clock cannot be reset by a rotation.',
    fix: 'Correct the clocks of the servers.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
