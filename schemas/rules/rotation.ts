// When an era is rotated without a policy admin: the terms on which an era keeper, whose key does
// nothing else, may sign for that. They are in the log, so no keeper can go beyond them.
import { z } from 'zod'
import { later } from '../later.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

export const RotationRules = later(() =>
  z.strictObject({
    facts: z
      .int()
      .min(1_000)
      .max(1_000_000_000)
      .optional()
      .describe('An era is due once it has so many facts; absent means that size does not count.'),
    ageMs: z
      .int()
      .min(60 * minuteMs)
      .max(3_650 * dayMs)
      .optional()
      .describe('An era with a fact of its own is due at that age; absent means at none.'),
    leastMs: z
      .int()
      .min(minuteMs)
      .max(365 * dayMs)
      .optional()
      .describe('So long an era lasts at least, whatever its size; absent means an hour.'),
  }),
)
export type RotationRules = z.infer<typeof RotationRules>
