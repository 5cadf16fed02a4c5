// One message judged alone, for tests in a user's own pipeline: no session, duplicate or reference
// is looked up and no catalog is at hand, so no constraint counts as unknown.
import type { VlpIssueCode, VlpOutcome, VlpSeverity } from '#schemas/vlp'
import { checkMessage } from '#core/vlp/check'

export interface CheckedLine {
  readonly outcome: VlpOutcome
  readonly issues: readonly {
    readonly code: VlpIssueCode
    readonly severity: VlpSeverity
    readonly path: string
  }[]
  /** Integer hundredths, 0 to 100. */
  readonly integrity: number
  readonly gate: VlpOutcome
}

export function vlpCheckLine(value: unknown): CheckedLine {
  const { outcome, issues, integrity, gate } = checkMessage(value, { knownConstraints: [] })
  return {
    outcome,
    issues: issues.map(({ code, severity, path }) => ({ code, severity, path })),
    integrity,
    gate,
  }
}
