// What logs under rules before version 7 may have: a drill, which is a test question that must be
// declined, drawn from an earlier review with other arguments, and what a person answers to it.
// Nothing is permitted or done by either, and nothing binds one any more.
import { z } from 'zod'
import { ReviewData } from '../review.ts'
import { Id } from '../rules/terms.ts'
import { Digest, Pointer, Signature } from '../values.ts'
import { later } from '../later.ts'

export const DrillData = later(() =>
  z.strictObject({
    /** The policy admin who plants it. */
    by: Id,
    /** Who is shown it. */
    shownTo: z.array(Id).min(1).max(64),
    /** The name of the review that it is drawn from. */
    drawnFrom: z.string().min(1).max(600),
    /** The arguments that are not as they were asked about. */
    changed: z.array(Pointer).min(1).max(64),
    /** What is shown, like a review: its intent has the id of the drill, and is in no log. */
    asks: ReviewData.omit({ spoiltBy: true }),
    note: z.string().max(4000).optional(),
    signature: Signature.optional(),
  }),
)
export type DrillData = z.infer<typeof DrillData>

export const DrillAnswerData = later(() =>
  z.strictObject({
    /** The name of the drill, and the digest of what it shows. */
    drill: z.string(),
    digest: Digest,
    confirmer: z.string(),
    answers: z.array(z.boolean()),
    note: z.string().max(4000).optional(),
    signature: Signature.optional(),
  }),
)
export type DrillAnswerData = z.infer<typeof DrillAnswerData>
