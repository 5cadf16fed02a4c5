// What is asked about jobs that stages have set aside.
import { z } from 'zod'
import { OfCell } from '../console/positions.ts'
import { AnswerInstant, operation, paged, rowsPage } from './operation.ts'
import { later } from '../later.ts'

export const AsideRow = later(() =>
  z.object({
    position: z.int().min(1).describe('Of the fault'),
    name: z.string(),
    queue: z.string().describe('The stage'),
    about: z.string().describe('The fact that was the job'),
    intent: z.string().nullable(),
    code: z.string(),
    message: z.string(),
    attempts: z.int().min(0),
    appendedAt: AnswerInstant,
    open: z.boolean().describe('Whether its intent has no verdict yet'),
    ...OfCell,
  }),
)
export type AsideRow = z.infer<typeof AsideRow>

export const faultsAsked = operation({
  name: 'faults',
  title: 'List the jobs that were set aside, and why',
  who: 'auditor',
  path: '/faults',
  command: 'faults',
  input: later(() =>
    z.strictObject({
      open: z.boolean().optional().describe('Only those whose intent has no verdict'),
      ...paged,
    }),
  ),
  output: later(() => rowsPage(AsideRow, 'The newest first')),
  examples: ['warrant faults', 'warrant faults --open'],
})
