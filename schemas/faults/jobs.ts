// Faults of stages and their jobs: what each code means, and what to do.
import type { FaultEntry } from './entry.ts'

export const jobsFaults = {
  follower_stopped: {
    retry: 'never',
    means: 'The process is shutting down, so it no longer follows the log.',
    fix: 'Nothing: the job is given to another worker.',
  },
  follower_failed: {
    retry: 'never',
    means: 'The log cannot be followed.',
    fix: 'Read the cause in the message or the log lines, correct it, and start the process again.',
  },
  projector_stopped: {
    retry: 'never',
    means: 'The projector is shutting down.',
    fix: 'Nothing: it goes on where it was when it is started again.',
  },
  worker_left: {
    retry: 'never',
    means: 'The worker is shutting down and has left its jobs.',
    fix: 'Nothing: the job is given to another worker.',
  },
  job_poisoned: {
    retry: 'never',
    means: 'A job was delivered many times, and no worker finished it.',
    fix: 'Read the log lines of the workers, correct the cause, then run `warrant faults retry`.',
  },
  decision_stuck: {
    retry: 'never',
    means: 'Deciding about one intent took too long, and was stopped.',
    fix: 'Replace what the message names. Under rules before version 7 set `"rules": 7`.',
  },
  job_failed_again: {
    retry: 'never',
    means: 'The job failed again when it was retried.',
    fix: 'Correct the cause in the message, then run `warrant faults retry` again.',
  },
  view_overtaken: {
    retry: 'never',
    means: 'What the verdict depends on changed too often while it was derived.',
    fix: 'Nothing: the job is tried again.',
  },
  fault_void: {
    retry: 'never',
    means: 'The fact does not describe a job that can be retried.',
    fix: 'List the jobs with `warrant faults`.',
  },
  no_fault: {
    retry: 'never',
    means: 'The log has no such fault.',
    fix: 'List them with `warrant faults`.',
  },
  review_altered: {
    retry: 'never',
    means: 'The review shows other content than its digest covers.',
    fix: 'Stop, and find out which process wrote it.',
  },
  module_missing: {
    retry: 'never',
    means: 'The callback module that the catalog pins is not on this machine as it was pinned.',
    fix: 'Copy the folder `callbacks` that the message names from a machine that has the module.',
  },
  callbacks_invalid: {
    retry: 'never',
    means: 'The callback module cannot be used.',
    fix: 'Correct the place that the message names. It is one file and may only `import type`.',
  },
  callbacks_changed: {
    retry: 'never',
    means: 'The callback module was changed after it was pinned.',
    fix: 'Restore the file, or pin the new one with `warrant apply`.',
  },
  callbacks_homeless: {
    retry: 'never',
    means: 'The log has no folder that could keep the callback module.',
    fix: 'Seed a log that has a folder.',
  },
  model_invalid: {
    retry: 'never',
    means: 'The settings of the model are not valid.',
    fix: 'Correct the setting that the message names.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
