// A notification with every property that it can have.
import { address } from './sample-terms.ts'

export const outreachSamples = {
  notification: {
    review: `main.1.review.${address}.1`,
    person: 'ann',
    for: 'piet',
    channel: 'mail',
    step: 'reminder',
    number: 1,
    attempt: 2,
    state: 'failed',
    code: 'unreachable',
    mayPass: true,
  },
} as const
