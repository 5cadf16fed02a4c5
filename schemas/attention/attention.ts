// What the catalog says of people’s attention: how many answers a day count of one person one by
// one. Absent, nothing is counted.
import { z } from 'zod'
import { Id } from '../rules/terms.ts'
import { later } from '../later.ts'

/** One person, or everyone in a group. */
const Person = later(() => z.strictObject({ person: Id }))
const Group = later(() => z.strictObject({ group: Id }))

const answerFields = {
  /** So many answers within 24 hours; beyond them one alone may only decline. */
  perDay: z.int().min(1).max(1000),
  /** Whether each cell of a realm counts its own questions alone. */
  perCell: z.literal(true).optional(),
}

/** Where several are about a person, the smallest counts. */
const AnswerBudget = later(() => z.union([Person.extend(answerFields), Group.extend(answerFields)]))

export const Attention = later(() =>
  z.strictObject({
    answers: z.array(AnswerBudget).max(64).optional(),
    /** Under rules before version 7: who agreed to be shown questions that must be declined. */
    drills: z
      .array(z.union([Person, Group]))
      .max(64)
      .optional(),
  }),
)
export type Attention = z.infer<typeof Attention>

/** The reviews that are answered together, by their names. */
export const AnsweredTogether = later(() => z.array(z.string().min(1).max(600)).min(2).max(50))
