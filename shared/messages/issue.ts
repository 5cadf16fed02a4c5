// What a check has to say, gathered with a bound: a message of nothing but mistakes must not
// become a fact too large to store.
import type { VlpIssue, VlpIssueCode, VlpIssueParams, VlpSeverity } from '#schemas/vlp'

export type Issue = VlpIssue

/** As many are kept of one message; further ones are counted and not kept. */
export const issuesMax = 64

export const severities = {
  schema_invalid: 'error',
  evidence_missing_refers_to: 'error',
  evidence_missing_provenance: 'error',
  response_missing_refers_to: 'error',
  correction_missing_refers_to: 'error',
  safety_block: 'error',
  missing_provenance_high_confidence: 'warning',
  safety_review: 'warning',
  requires_human: 'warning',
  low_integrity_gate: 'warning',
  refers_to_unresolved: 'warning',
  refers_to_self: 'warning',
  seq_gap: 'warning',
  seq_duplicate: 'warning',
  session_unknown: 'warning',
  duplicate_id: 'warning',
  provenance_empty_ref: 'info',
  timestamp_invalid: 'info',
  session_id_invalid: 'info',
  computed_field_spoofed: 'info',
} as const satisfies Record<VlpIssueCode, VlpSeverity>

/** The issues of one message while they are being gathered. */
export interface IssueList {
  readonly kept: Issue[]
  omitted: number
}

export function noIssues(): IssueList {
  return { kept: [], omitted: 0 }
}

/** Params must hold no text of the message: they are stored and shown. */
export function report(
  findings: IssueList,
  code: VlpIssueCode,
  path: string,
  params: VlpIssueParams = {},
): void {
  if (findings.kept.length === issuesMax) findings.omitted += 1
  else findings.kept.push(issueOf(code, path, params))
}

export function issueOf(code: VlpIssueCode, path: string, params: VlpIssueParams = {}): Issue {
  return { code, severity: severities[code], path, params }
}
