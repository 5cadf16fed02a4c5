// What is asked about grants: what people have answered beforehand, and what each would let
// through.
import { z } from 'zod'
import { GrantData, GrantPreview } from '../action/grant.ts'
import { OfCell } from '../console/positions.ts'
import { answeredAt, AnswerInstant, operation, paged, rowsPage } from './operation.ts'
import { later } from '../later.ts'

export const GrantRow = later(() =>
  z.object({
    grant: z.string().describe('Its ID'),
    name: z.string(),
    position: z.int().min(1),
    signedAt: AnswerInstant,
    state: z
      .enum(['open', 'idle', 'used_up', 'expired', 'revoked'])
      .describe('`idle`: it can answer for nothing by the catalog of now'),
    why: z.string().nullable().describe('Why it is idle'),
    endedBy: z.string().nullable().describe('The fact that took it back'),
    left: z
      .array(z.strictObject({ uses: z.int().min(0), budget: z.string().nullable(), ...OfCell }))
      .describe('In each log that counts uses of it; `budget` is null where it has none'),
    terms: GrantData.omit({ signature: true }).describe('What was signed'),
  }),
)
export type GrantRow = z.infer<typeof GrantRow>

export const grantsAsked = operation({
  name: 'grants',
  title: 'List what people have answered beforehand, and what is left of it',
  who: 'party',
  path: '/grants',
  command: 'grants',
  input: later(() =>
    z.strictObject({
      all: z
        .boolean()
        .optional()
        .describe('Also those that are used up, expired or revoked, for 30 days'),
      signer: z.string().min(1).max(256).optional().describe('Only those that this person signed'),
      ...paged,
    }),
  ),
  output: later(() => rowsPage(GrantRow, 'In the order in which they were signed')),
  examples: ['warrant grants', 'warrant grants --all'],
})

export const grantAsked = operation({
  name: 'grant',
  title: 'Show what was signed, and what it would let through of the last 30 days',
  who: 'party',
  path: '/grants/{grant}',
  command: 'grants show',
  input: later(() =>
    z.strictObject({
      grant: z.string().min(1).max(600).describe('Its ID, or the last characters of that'),
    }),
  ),
  output: later(() =>
    z.object({
      ...answeredAt,
      grant: GrantRow,
      would: z
        .array(z.object({ ...GrantPreview.shape, ...OfCell }))
        .describe('In each log that counts uses of it'),
    }),
  ),
  examples: ['warrant grants show 7QK2M0XA'],
})
