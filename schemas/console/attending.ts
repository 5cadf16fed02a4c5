// What the console says of a person’s attention: how many answers a day are left, and what came of
// a test question.
import { z } from 'zod'
import { OfCell } from './positions.ts'

/** How many answers of a person count one by one. */
export const AnswersLeft = z.strictObject({
  ...OfCell,
  perDay: z.int(),
  /** Within 24 hours. */
  left: z.int(),
  /** When one more does, where none is left. */
  nextAt: z.iso.datetime().nullable(),
  /** What was answered together last, by the names of the reviews. */
  batch: z.array(z.string()),
  /** What of that waits still, by the addresses of the intents: it comes before another batch. */
  unfinished: z.array(z.string()),
})
export type AnswersLeft = z.infer<typeof AnswersLeft>

/** That it was a test question, and whether it was declined, as it had to be. */
export const DrillEnded = z.strictObject({
  caught: z.boolean(),
  /** What was not as in the review that it is drawn from: JSON pointers into the arguments. */
  changed: z.array(z.string()),
})
export type DrillEnded = z.infer<typeof DrillEnded>
