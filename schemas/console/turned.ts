// What a change would turn, what waits for a question of learning, and what a model answers to it,
// as the answers of the console hold them: only what is shown of it is read.
import { z } from 'zod'
import { Candidate } from '../learning.ts'
import { later } from '../later.ts'

const Outcome = later(() =>
  z.object({
    outcome: z.enum(['allow', 'deny', 'ask', 'hold', 'cannot_tell']),
    reasons: z.array(z.string()),
    rules: z.array(z.string()).optional(),
    questions: z.array(
      z.object({ kind: z.string(), policy: z.string().optional(), rule: z.string().optional() }),
    ),
  }),
)

/** An intent that would come out otherwise; without `before` it is one that is held. */
export const Turned = later(() =>
  z.object({
    address: z.string(),
    agent: z.string(),
    tool: z.string().nullable(),
    before: Outcome.optional(),
    after: Outcome,
  }),
)
export type Turned = z.infer<typeof Turned>
export type TurnedTo = Turned['after']

/** A held intent that waits for a question, with what it would do. */
export const ReleasedHeld = later(() =>
  z.object({
    intent: z.string(),
    tool: z.string(),
    safetyClass: z.string(),
    args: z.unknown().meta({}),
    digest: z.string(),
  }),
)
export type ReleasedHeld = z.infer<typeof ReleasedHeld>

/** An answer of a model, which a person may accept. */
export const SuggestedAnswer = later(() =>
  z.object({
    name: z.string(),
    by: z.string(),
    candidate: Candidate,
    digest: z.string(),
  }),
)
export type SuggestedAnswer = z.infer<typeof SuggestedAnswer>
