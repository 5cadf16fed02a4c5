// Each issue of a message in English: a phrase about what its path points to. It adds nothing that
// the issue does not hold.
import { unreachable } from '#record/fault'
import { describeJsonFault } from '#record/json-fault'
import { namesReferredMax } from '#messages/session'
import type { VlpIssue } from '#schemas/vlp'
import { expectedText, identifierText } from '../schema-text.ts'

export type IssueText = Pick<VlpIssue, 'code' | 'params'>

export function issueText({ code, params }: IssueText): string {
  switch (code) {
    case 'schema_invalid':
      return schemaText(params)
    case 'evidence_missing_refers_to':
    case 'response_missing_refers_to':
    case 'correction_missing_refers_to':
      return 'it must name what it is about'
    case 'evidence_missing_provenance':
      return 'evidence must say where it is from'
    case 'safety_block':
      return 'its sender blocks it'
    case 'missing_provenance_high_confidence':
      return 'confidence of 0.9 or more needs provenance or review'
    case 'safety_review':
      return 'its sender asks for review'
    case 'requires_human':
      return 'its sender asks for a person'
    case 'low_integrity_gate':
      return 'integrity is below 50 hundredths, so safe was raised to review'
    case 'refers_to_unresolved':
      return 'it does not refer to exactly one earlier message'
    case 'refers_to_self':
      return 'a message cannot refer to itself'
    case 'seq_gap':
      return 'it is not the number after the highest one'
    case 'seq_duplicate':
      return 'its sender has used this number before'
    case 'session_unknown':
      return sessionText(params)
    case 'duplicate_id':
      return 'its sender has used this id before'
    case 'provenance_empty_ref':
      return 'a blank ref proves nothing'
    case 'timestamp_invalid':
      return 'it is not a time of RFC 3339 in UTC that ends in Z'
    case 'session_id_invalid':
      return 'it does not have the shape S-YYYY-MM-DD-slug-suffix'
    case 'computed_field_spoofed':
      return 'it is computed here, and the given value is ignored'
    default:
      return unreachable(code)
  }
}

function schemaText({ keyword, expected, fault, cause }: VlpIssue['params']): string {
  if (fault !== undefined) return describeJsonFault({ code: fault })
  if (cause === 'other_session') {
    return 'the message names another session than the subject it was published to'
  }
  if (cause === 'cites_too_many') return `it cites more than ${namesReferredMax} messages by name`
  if (cause === 'not_reached') return 'the log ends before this position'
  if (cause === 'clock_ahead' || cause === 'stale_identifier') return identifierText(cause)
  const text = `${keyword ?? 'schema'}: it ${expectedText(keyword ?? 'schema', expected)}`
  if (cause !== 'old_protocol') return text
  return `${text}; VLP/1.0 is not read, its sender must upgrade it`
}

function sessionText({ cause }: VlpIssue['params']): string {
  switch (cause) {
    case 'session_overlong':
      return 'the session holds more messages than are read; open a new one'
    case 'first_missing':
      return 'the first message of its sender is not there'
    default:
      return 'its sender has closed this session'
  }
}
