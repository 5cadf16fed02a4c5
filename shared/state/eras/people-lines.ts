// The lines of what people said beside their answers, and what lines of facts have in common.
import { z } from 'zod'
import { AbsenceData, EnrolmentData } from '#schemas/people/said'

export const Count = z.int().min(0)
export const Numbers = z.array(z.int().min(1))
export const SequenceLine = z.strictObject({ next: z.int().min(1), spent: Numbers })

/** What a fact said, and where it stands. */
export function placed<T extends z.ZodType>(data: T) {
  return z.strictObject({ name: z.string(), position: Count, appendedAt: Count, data })
}

/** Whom people have asked to look at a review instead. */
export const Handovers = z.array(
  z.strictObject({ from: z.string(), to: z.string(), name: z.string() }),
)

export const EnrolmentLine = z.strictObject({
  line: z.literal('enrolment'),
  enrolled: placed(EnrolmentData).extend({ console: z.string() }),
})

export const AbsenceLine = z.strictObject({
  line: z.literal('absence'),
  absence: placed(AbsenceData),
})
