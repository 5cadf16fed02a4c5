// The constraints of a verdict as far as they bound what is shown. What no rule could have written
// is a problem, never a guess.
import { z } from 'zod'
import { firstProblem, type Problem } from '#record/problem'
import type { FrameConstraints } from './frame.ts'

const Constraints = z.looseObject({
  max_rows: z.int().min(0).optional(),
  allowed_fields: z.array(z.string()).optional(),
})

export type ConstraintsRead =
  | { readonly constraints: FrameConstraints; readonly problem?: never }
  | { readonly problem: Problem; readonly constraints?: never }

/** `given` is an object as terms hold it; other members are left alone. */
export function frameConstraints(given: unknown): ConstraintsRead {
  const parsed = Constraints.safeParse(given)
  if (!parsed.success) return { problem: firstProblem(parsed.error.issues, ['constraints']) }
  const { max_rows: maxRows, allowed_fields: allowedFields } = parsed.data
  return {
    constraints: {
      ...(maxRows !== undefined && { maxRows }),
      ...(allowedFields !== undefined && { allowedFields }),
    },
  }
}
