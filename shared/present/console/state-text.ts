// What has come of a review, in words: who answered what, and the verdict.
import type { DecisionData } from '#schemas/review'

/** Who answered, and whether it counts. */
export function answeredText({ confirmer, answers }: DecisionData, counts: boolean): string {
  const did = answers.every(Boolean) ? 'approved' : 'declined'
  return counts ? `${confirmer} ${did}` : `${confirmer} ${did}, which does not count`
}

export function verdictText(outcome: string): string {
  return outcome === 'allow' ? 'Allowed: the agent may do this once.' : 'Denied: nothing was done.'
}
