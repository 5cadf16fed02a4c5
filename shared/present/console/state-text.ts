// What has come of a review, in words: who answered what, and the verdict.
import type { DecisionData } from '#schemas/review'

/** Who answered, and whether it counts. */
export function answeredText(decision: DecisionData, counts: boolean): string {
  const { confirmer, answers, for: absent } = decision
  const whose = absent === undefined ? '' : ` for ${absent}`
  const did = `${confirmer} ${answers.every(Boolean) ? 'approved' : 'declined'}${whose}`
  return counts ? did : `${did}, which does not count`
}

export function verdictText(outcome: string): string {
  return outcome === 'allow' ? 'Allowed: the agent may do this once.' : 'Denied: nothing was done.'
}
