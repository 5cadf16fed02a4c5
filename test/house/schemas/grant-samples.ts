// One grant, and one use of it, with every property that they can have.
import type { InputOf } from '#schemas/contents'
import { callbacks } from './review-samples.ts'
import { address, instant, intent, signature } from './sample-terms.ts'

export const grantSamples = {
  use: {
    intent,
    grant: 'main.1.grant.01J0000000000000000000000A.piet',
    confirmer: 'piet',
    use: 2,
    taken: 1,
    uses: 20,
    amount: '12.5',
    max: '1000',
    callbacks,
  },
  grant: {
    confirmer: 'piet',
    review: `main.1.review.${address}.1`,
    capability: 'files.delete',
    safetyClass: 'WRITE',
    agents: ['bot'],
    when: 'args.n < 3',
    values: [{ arg: '/to', kind: 'email', among: ['ann@example.org'] }],
    questions: [
      {
        kind: 'policy',
        policy: 'ask first',
        source: 'delete',
        target: 'file',
        message: 'delete?',
        confirmation: 'desk',
      },
      { kind: 'condition', rule: 'large', message: 'large?', confirmation: 'desk' },
      { kind: 'value_unknown', arg: '/to', value: 'email', confirmation: 'desk' },
    ],
    uses: 20,
    until: instant,
    budget: { of: 'args.n', max: '100' },
    cell: 1,
    perCell: true,
    note: 'every week',
    signature,
  },
} satisfies { readonly use: InputOf<'use'>; readonly grant: InputOf<'grant'> }
