// How long a reason must be that goes with an answer: one rule for every place that asks for one
// before it is signed.
import { demandsReason } from '../catalog/people/demands.ts'
import type { AnswerDemands } from '#schemas/people/demands'

/** Characters that count, at least; 0 where no reason is needed. */
export interface ReasonDemanded {
  readonly approving: number
  readonly declining: number
}

interface Asking {
  /** Whether one of the questions is answered by a reason. Who declines has answered it. */
  readonly asksReason: boolean
  readonly demands?: AnswerDemands | undefined
}

/** `justification`: how long one must be that answers a question. */
export function reasonDemanded(
  { asksReason, demands = {} }: Asking,
  justification: number,
): ReasonDemanded {
  const any = (declines: boolean): number => (demandsReason(demands, declines) ? 1 : 0)
  return { approving: asksReason ? justification : any(false), declining: any(true) }
}
