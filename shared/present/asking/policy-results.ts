// What the checks of policies came to, for people who answer: one rule for all who show it.
import type { TriggeredPolicy } from '#schemas/review'

type Checked = Pick<TriggeredPolicy, 'requiresConfirmation' | 'result'>

/** Where it also asks, it is among the questions. */
export function isPassed({ requiresConfirmation, result }: Checked): boolean {
  return !requiresConfirmation && result !== null && 'passed' in result && result.passed
}

export function hasFailed({ result }: Checked): boolean {
  return result !== null && ('fault' in result || !result.passed)
}

/** What the check said; null where it said nothing, or did not end. */
export function saidBy({ result }: Checked): string | null {
  return result === null || 'fault' in result ? null : (result.message ?? null)
}
