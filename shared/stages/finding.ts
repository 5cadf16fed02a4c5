// What is found of an opening message where it stands in the log: whether its sender is the one
// whose name it came under, and what its session says of it.
import type { MessageFinding } from '#schemas/facts'
import type { VlpIssue } from '#schemas/vlp'
import { issueOf } from '#messages/issue'
import { isFrom, isInSession } from '#messages/sender'
import { checkInSession, citesTooMany, type SessionMessage } from '#messages/session'
import { isFresh } from './fresh.ts'
import { idCharactersMax } from '#messages/opening'
import type { Context, View } from './view.ts'

const issuesMax = 64
const identifiers = ['id', 'sender', 'receiver', 'session_id'] as const

export function findingOf(view: View, context: Context): MessageFinding {
  const { opening } = view
  const { check } = opening
  const placed = placeIssues(view, context)
  const issues = placed.length === 0 ? check.issues : [...check.issues, ...placed]
  const omitted = Math.max(0, issues.length - issuesMax) + check.issuesOmitted
  const failed = issues.some(({ severity }) => severity === 'error')
  const doubted = issues.some(({ severity }) => severity === 'warning')
  return {
    depth: check.depth,
    digest: opening.digest,
    // Evidence that is never read may be the one that refuses.
    gate: context.overlong ? 'fail' : check.gate,
    integrity: check.integrity,
    issues: issues.slice(0, issuesMax),
    malformed: opening.request === null || issues.some(({ code }) => code === 'schema_invalid'),
    outcome: failed ? 'fail' : doubted ? 'review' : 'pass',
    position: opening.position,
    requiresHuman: check.requiresHuman,
    safetyLevel: check.safetyLevel,
    senderMatches: isFrom(view.intent.name, check.message, view),
    unearnedConfidence: check.unearnedConfidence,
    ...(omitted > 0 && { issuesOmitted: omitted }),
  }
}

function placeIssues(view: View, context: Context): VlpIssue[] {
  const { opening, intent } = view
  const { check } = opening
  const { message } = check
  const issues: VlpIssue[] = []
  if (opening.refusal !== null) {
    const { path, keyword, expected } = opening.refusal
    issues.push(issueOf('schema_invalid', path, { keyword, expected }))
  }
  if (check.inexact !== undefined) {
    issues.push(issueOf('schema_invalid', check.inexact, { fault: 'number_inexact' }))
  }
  const { untimely: cause } = intent
  if (cause !== undefined) issues.push(issueOf('schema_invalid', '', { cause }))
  if (message === null) return issues
  for (const name of identifiers) {
    const limit = idCharactersMax
    if ((message[name]?.length ?? 0) <= limit) continue
    issues.push(
      issueOf('schema_invalid', `/${name}`, { keyword: 'maxLength', expected: { limit } }),
    )
  }
  if (!isInSession(intent.name, message)) {
    issues.push(issueOf('schema_invalid', '/session_id', { cause: 'other_session' }))
  }
  const { basis, catalogRevision, graphRevision } = view
  const reached = { position: basis, catalogRevision, graphRevision }
  if (!isFresh(opening.request?.freshAt, reached)) {
    issues.push(issueOf('schema_invalid', '/payload/intent/freshAt', { cause: 'not_reached' }))
  }
  if (citesTooMany(message)) {
    issues.push(issueOf('schema_invalid', '/refers_to', { cause: 'cites_too_many' }))
  }
  if (context.overlong) {
    issues.push(issueOf('session_unknown', '/session_id', { cause: 'session_overlong' }))
  }
  // Alone it repeats nothing, and has no place to be in.
  const isAlone = context.session.length === 0 && (message.session_id ?? null) === null
  if (isAlone && (message.refers_to ?? null) === null) return issues
  const self: SessionMessage = {
    name: opening.name,
    sender: message.sender,
    position: opening.position,
    check,
  }
  const { session, referred } = context
  const around = referred.length === 0 ? session : [...session, ...referred]
  return [...issues, ...checkInSession(self, around)]
}
