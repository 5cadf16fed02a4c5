// Faults of the command line and its input: what each code means, and what to do.
import { exitCodes } from './exit.ts'
import type { FaultEntry } from './entry.ts'

export const commandFaults = {
  usage: {
    retry: 'never',
    exit: exitCodes.usage,
    means: 'The command does not take this argument or option, or a setting has a wrong value.',
    fix: 'Correct what the message names. `--help` shows how to call the command.',
  },
  unexpected: {
    retry: 'never',
    means: 'The program met an error that it does not know: a defect, or a failing machine.',
    fix: 'Try again once. If it happens again, report it with the message and the version.',
  },
  settings_unreadable: {
    retry: 'never',
    means: 'The settings of a coding agent cannot be read, so they were left as they are.',
    fix: 'Fix what the message names, at its line and column, and run the command again.',
  },
  hook_missing: {
    retry: 'never',
    means: 'The settings of a coding agent have no hook of this program.',
    fix: 'Add it with `warrant hook install --for AGENT`, with the same `--user` or `--project`.',
  },
  not_signed: {
    retry: 'never',
    exit: exitCodes.denied,
    means: 'The person at the terminal did not agree, so nothing was signed.',
    fix: 'Run the command again and agree, if the change is wanted.',
  },
  no_terminal: {
    retry: 'never',
    means: 'The command must ask a person, and standard input is not a terminal.',
    fix: 'Run it at a terminal, or answer by options, such as `--key FILE --yes`.',
  },
  no_answer: {
    retry: 'never',
    means: 'Input ended before the question was answered. Nothing was changed.',
    fix: 'Answer all questions, or give the answers as options.',
  },
  input_unreadable: {
    retry: 'never',
    means: 'A file or standard input cannot be read, is too large, or is not JSON.',
    fix: 'Correct the file at the place that the message names.',
  },
  line_invalid: {
    retry: 'never',
    exit: exitCodes.badLines,
    means: 'A line of the input is not what the command reads.',
    fix: 'Correct the line that the message names. `schemas/generated` has the schemas.',
  },
  graph_missing: {
    retry: 'never',
    means: 'A line asks about concepts, and no graph was given to look them up in.',
    fix: 'Give a graph in the line, or one for all lines with `--graph`.',
  },
  graph_unreadable: {
    retry: 'never',
    means: 'The graph file cannot be read.',
    fix: 'Check the path and the rights, and that the file is JSON.',
  },
  catalog_unreadable: {
    retry: 'never',
    means: 'The catalog file cannot be read, or is not JSON.',
    fix: 'Check the path and the rights, and correct the file at the place that the message names.',
  },
  file_unreadable: {
    retry: 'never',
    means: 'The recording to replay cannot be read.',
    fix: 'Give a folder with `calls.ndjson` and `labels.ndjson`.',
  },
  file_unwritable: {
    retry: 'never',
    means: 'A file cannot be written.',
    fix: 'Check the path, the rights and the free space.',
  },
  already_there: {
    retry: 'never',
    means: 'A file that the command would write exists.',
    fix: 'Choose another name or folder, or move the file away. The command replaces nothing.',
  },
  picture_too_large: {
    retry: 'never',
    means: 'The part of the graph to draw is too large.',
    fix: 'Draw a part with `--around NAME` and few `--hops`, or use `--dot`.',
  },
  no_folder: {
    retry: 'never',
    means: 'The log is kept in memory, so there is no folder for snapshots.',
    fix: 'Use a log in a file or on a server.',
  },
  not_for_production: {
    retry: 'never',
    means: 'The deployment does not meet a requirement of production. Nothing was started.',
    fix: 'Run `warrant doctor --production`; it lists what to change.',
  },
  monitor_invalid: {
    retry: 'never',
    means: 'The address of a NATS monitoring endpoint is not valid.',
    fix: 'Give `http://host:port`, without user and password.',
  },
  listen_failed: {
    retry: 'never',
    means: 'A server cannot listen at the given address.',
    fix: 'Choose a free port, or another address, with `--listen` or `WARRANT_LISTEN`.',
  },
  package_broken: {
    retry: 'never',
    means: 'A file that belongs to the package is missing.',
    fix: 'Install the package again.',
  },
  package_missing: {
    retry: 'never',
    means: 'What is asked for needs a package that is not installed beside this one.',
    fix: 'Install it with the command in the message.',
  },
  stage_ended: {
    retry: 'never',
    means: 'A stage process of the demo ended unexpectedly.',
    fix: 'Read its output in the message, correct the cause, and start the demo again.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
