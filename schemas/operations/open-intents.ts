// What is asked about what is open: intents without a verdict, and calls that were approved and not
// begun, that run, or of which no one knows how they ended.
import { z } from 'zod'
import { OfCell } from '../console/positions.ts'
import { WaitsFor } from '../waits.ts'
import { AnswerInstant, operation, paged, rowsPage } from './operation.ts'
import { later } from '../later.ts'

const Person = later(() => z.string())

export const Unanswerable = later(() =>
  z.strictObject({
    needed: z.int().min(0),
    can: z.array(Person),
    cannot: z.array(
      z.strictObject({ person: Person, why: z.enum(['unknown', 'suspended', 'no_key']) }),
    ),
  }),
)
export type Unanswerable = z.infer<typeof Unanswerable>

const states = ['undecided', 'approved', 'running', 'unknown'] as const

export const OpenRow = later(() =>
  z.object({
    intent: z.string().describe('Its address'),
    agent: z.string(),
    tool: z.string(),
    state: z
      .enum(states)
      .describe(
        '`undecided`: without a verdict; `approved`: by people, and not begun; `running`: begun ' +
          'by a gateway; `unknown`: no one knows whether it was done',
      ),
    position: z.int().min(1).describe('Of the fact since which it is so'),
    since: AnswerInstant,
    waits: WaitsFor.nullable().describe('What an undecided one waits for'),
    unanswerable: Unanswerable.nullable().describe('Who can answer, where they are too few'),
    approved: z
      .strictObject({ by: z.array(Person), until: AnswerInstant })
      .nullable()
      .describe('Who approved it, and until when it may be begun'),
    running: z
      .strictObject({ gateway: z.string(), until: AnswerInstant })
      .nullable()
      .describe('Which gateway runs it, and the last moment at which it still can'),
    ...OfCell,
  }),
)
export type OpenRow = z.infer<typeof OpenRow>

export const openIntentsAsked = operation({
  name: 'openIntents',
  title: 'List what is open: intents without a verdict, who must answer, and calls',
  who: 'auditor',
  path: '/open-intents',
  command: 'log --open',
  input: later(() =>
    z.strictObject({
      only: z
        .enum(['all', ...states, 'people', 'stages', 'unanswerable'])
        .default('all')
        .describe('What is in that state, waits for these, or has too few who can answer'),
      ...paged,
    }),
  ),
  output: later(() => rowsPage(OpenRow, 'Oldest first')),
  examples: ['warrant log --open', 'warrant log --open --only unanswerable'],
})

/** Which of them are asked for. */
export type OpenAsked = z.output<typeof openIntentsAsked.input>['only']
