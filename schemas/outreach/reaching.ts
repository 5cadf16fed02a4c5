// What a confirmation says of how its people are reached: a signed change like all of the catalog.
// Without it people are reminded once, no one else is notified, and no message has arguments.
import { z } from 'zod'
import { Id } from '../rules/terms.ts'
import { later } from '../later.ts'

/** How much of the time to decide has passed, in hundredths. */
const Share = later(() => z.int().min(1).max(99))

export const ReachingRules = later(() =>
  z.strictObject({
    /** When those who have not answered are reminded. */
    remindsAfter: z.array(Share).max(4).default([50]),
    /** A group that is notified, too, where it is still not decided by `escalatesAfter`. */
    escalatesTo: Id.optional(),
    escalatesAfter: Share.default(75),
    /** Whether messages show the arguments of calls that are not sensitive. */
    showsArgs: z.literal(true).optional(),
  }),
)
export type ReachingRules = z.infer<typeof ReachingRules>

/** Where a confirmation has nothing of it. */
export const reachingDefault: ReachingRules = ReachingRules.parse({})
