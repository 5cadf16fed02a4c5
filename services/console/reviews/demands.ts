// By what a review lets people sign their answer, and whether it takes a reason of them.
import type { Demands } from '#schemas/console/people'
import type { ReviewData } from '#schemas/review'

export function demandsOf({ questions, demands = {} }: ReviewData): Demands {
  const { signedWith = 'key_file', reason = null } = demands
  const isAsked = questions.some(({ kind }) => kind === 'justification')
  return { signedWith, reason: isAsked ? 'always' : reason }
}
