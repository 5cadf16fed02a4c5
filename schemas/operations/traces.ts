// What is asked about one intent or contract: everything that happened to it.
import { z } from 'zod'
import { OfCell } from '../console/positions.ts'
import { WaitsFor } from '../waits.ts'
import { answeredAt, AnswerInstant, operation } from './operation.ts'
import { later } from '../later.ts'

const TraceStep = later(() =>
  z.object({
    position: z.int().min(1),
    appendedAt: AnswerInstant,
    name: z.string().describe('Of the fact'),
    title: z.string(),
    details: z.array(z.string()),
    tone: z.enum(['plain', 'good', 'bad', 'void']),
    void: z.string().nullable().describe('Why the fact counts for nothing; null where it counts'),
    fact: z
      .unknown()
      .meta({})
      .optional()
      .describe('With `content`: its bytes as the JSON that they are'),
  }),
)
export type TraceStep = z.infer<typeof TraceStep>

export const TraceShown = later(() =>
  z.object({
    intent: z.string().describe('Its address'),
    outcome: z.enum(['allow', 'deny', 'open', 'none']),
    summary: z.string().describe('What was asked, and what came of it'),
    waits: WaitsFor.nullable().describe('What it waits for; null where it is not open'),
    steps: z.array(TraceStep).describe('In the order of the log'),
    count: z.int().min(0).describe('How many steps there are'),
    next: z
      .int()
      .nullable()
      .describe('`from` of what is left out, where a door takes no more; else null'),
    ...OfCell,
  }),
)
export type TraceShown = z.infer<typeof TraceShown>

export const traceAsked = operation({
  name: 'trace',
  title: 'Show everything that happened to one intent or contract, in order',
  who: 'party',
  path: '/traces/{intent}',
  command: 'trace',
  tool: 'trace_intent',
  means: 'intent',
  input: later(() =>
    z.strictObject({
      intent: z.string().min(1).max(600).describe('Its address, or the name of a fact about it'),
      content: z
        .boolean()
        .optional()
        .describe('With all that each fact says, and not only its step'),
      from: z.int().min(1).optional().describe('Only steps from this position of the log on'),
    }),
  ),
  output: later(() => z.object({ ...answeredAt, ...TraceShown.shape })),
  examples: [
    'warrant trace 7QK2M0XA',
    'warrant trace main.1.verdict.my-agent.-.01KAH3Q9V2Z6W0B8R7QK2M0XA1 --json',
  ],
})
