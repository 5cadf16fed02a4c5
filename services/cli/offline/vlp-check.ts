// One message judged alone, for tests in a user's own pipeline: no session, duplicate or reference
// is looked up and no catalog is at hand, so no constraint counts as unknown.
import { checkMessage, type MessageCheck } from '#messages/check'
import { issueText } from '#present/story/vlp-text'
import type { VlpIssue, VlpOutcome } from '#schemas/vlp'

type Place = Pick<VlpIssue, 'code' | 'severity' | 'path'>

/** With its parameters, and what they mean in English. */
export interface DetailedIssue extends VlpIssue {
  readonly detail: string
}

export interface CheckedLine<Issue = Place> {
  readonly outcome: VlpOutcome
  readonly issues: readonly Issue[]
  /** Integer hundredths, 0 to 100. */
  readonly integrity: number
  readonly gate: VlpOutcome
}

export function vlpCheckLine(value: unknown): CheckedLine {
  return lineOf(value, ({ code, severity, path }) => ({ code, severity, path }))
}

export function vlpDetailedLine(value: unknown): CheckedLine<DetailedIssue> {
  return lineOf(value, ({ code, severity, path, params }) => {
    return { code, severity, path, detail: issueText({ code, params }), params }
  })
}

function lineOf<Issue>(
  value: unknown,
  shown: (issue: MessageCheck['issues'][number]) => Issue,
): CheckedLine<Issue> {
  const { outcome, issues, integrity, gate } = checkMessage(value, { knownConstraints: [] })
  return { outcome, issues: issues.map(shown), integrity, gate }
}
