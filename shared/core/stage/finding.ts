// What is found of an opening message where it stands in the log: whether its sender is the one
// whose name it came under, and what its session says of it.
import type { MessageFinding } from '#schemas/facts'
import type { VlpIssue, VlpMessage } from '#schemas/vlp'
import { sessionToken, token } from '../names.ts'
import { isSignedBy } from '../signature.ts'
import { messageSignature } from '../vlp/signed.ts'
import { issueOf } from '../vlp/issue.ts'
import { checkInSession, citesTooMany, type SessionMessage } from '../vlp/session.ts'
import type { Opening } from './opening.ts'
import type { Context, View } from './view.ts'

const issuesMax = 64

export function findingOf(view: View, context: Context): MessageFinding {
  const { opening } = view
  const { check } = opening
  const issues = [...check.issues, ...placeIssues(view, context)]
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
    ...(omitted > 0 && { issuesOmitted: omitted }),
    malformed: opening.request === null || issues.some(({ code }) => code === 'schema_invalid'),
    outcome: failed ? 'fail' : doubted ? 'review' : 'pass',
    position: opening.position,
    requiresHuman: check.requiresHuman,
    safetyLevel: check.safetyLevel,
    senderMatches: isFrom(view.intent.name, check.message, view),
    unearnedConfidence: check.unearnedConfidence,
  }
}

/** Whether the message says the sender of its name, and is signed if that one ever had a key. */
export function isFrom(
  name: string,
  message: Opening['check']['message'],
  { catalog, log }: Pick<View, 'catalog' | 'log'>,
): boolean {
  // What says nothing that can be believed is malformed; whose it is does not matter any more.
  if (message === null) return true
  if (token(message.sender) !== name.split('.')[3]) return false
  const keys = catalog.principals.get(message.sender)?.keys ?? []
  // Taking a key away must not open the name to whoever has none.
  if (keys.length === 0) return !catalog.keyed.has(message.sender)
  const known = verified.get(message)
  if (known?.keys === keys && known.name === name && known.log === log) return known.signed
  const signature = messageSignature(message)
  const signed =
    signature !== null && isSignedBy(keys, { log, name }, signature.unsigned, signature.signature)
  verified.set(message, { keys, log, name, signed })
  return signed
}

// A signature costs more than all else about a message, and many rules ask about the same one.
const verified = new WeakMap<
  VlpMessage,
  {
    readonly keys: readonly string[]
    readonly log: string | null
    readonly name: string
    readonly signed: boolean
  }
>()

/** Whether the message names the session of its name. */
export function isInSession(name: string, message: Opening['check']['message']): boolean {
  return message === null || name.split('.')[4] === sessionToken(message.session_id ?? null)
}

function placeIssues(view: View, context: Context): VlpIssue[] {
  const { opening, intent } = view
  const { message } = opening.check
  const issues: VlpIssue[] = []
  if (opening.refusal !== null) {
    const { path, keyword, expected } = opening.refusal
    issues.push(issueOf('schema_invalid', path, { keyword, expected }))
  }
  if (message === null) return issues
  if (!isInSession(intent.name, message)) {
    issues.push(issueOf('schema_invalid', '/session_id', { cause: 'other_session' }))
  }
  const freshAt = opening.request?.freshAt ?? 0
  if (freshAt > view.basis) {
    issues.push(issueOf('schema_invalid', '/payload/intent/freshAt', { cause: 'not_reached' }))
  }
  if (citesTooMany(message)) {
    issues.push(issueOf('schema_invalid', '/refers_to', { cause: 'cites_too_many' }))
  }
  if (context.overlong) {
    issues.push(issueOf('session_unknown', '/session_id', { cause: 'session_overlong' }))
  }
  const earlier = context.session.filter(({ position }) => position < opening.position)
  const self: SessionMessage = {
    name: opening.name,
    sender: message.sender,
    position: opening.position,
    check: opening.check,
  }
  return [...issues, ...checkInSession(self, [...earlier, ...context.referred])]
}
