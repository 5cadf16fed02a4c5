// One drill and one answer to it, with every property that they can have.
import type { InputOf } from '#schemas/contents'
import { reviewSamples } from './review-samples.ts'
import { digest, signature } from './sample-terms.ts'

export const attentionSamples = {
  drill: {
    by: 'root',
    shownTo: ['piet'],
    drawnFrom: reviewSamples.decision.review,
    changed: ['/to'],
    asks: reviewSamples.review,
    note: 'every month',
    signature,
  },
  drillanswer: {
    drill: 'main.1.drill.01J0000000000000000000000A',
    digest,
    confirmer: 'piet',
    answers: [false],
    note: 'no',
    signature,
  },
} satisfies { readonly drill: InputOf<'drill'>; readonly drillanswer: InputOf<'drillanswer'> }
