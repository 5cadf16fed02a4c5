// The rules, one function for each reason, in a table by code. The order of the codes is the order
// of precedence. A rule says that it refuses and why; it never asks, allows or looks at another
// rule.
import type { Question } from '#schemas/facts'
import type { Reason, ReasonCode, Recover } from '#schemas/reasons'
import { argumentFault } from '../catalog/arguments.ts'
import { maxRowsAsked } from './constraints.ts'
import { isJustified, justificationCharactersMin } from './justification.ts'
import type { Case } from './judge.ts'
import { lacksJustification } from './questions.ts'
import { listed, quoted, short } from './quote.ts'

type Finding = Omit<Reason, 'code' | 'recover'>

export interface Rule {
  readonly recover: Recover
  /** `questions` are what people would have to agree to. */
  readonly find: (of: Case, questions: readonly Question[]) => readonly Finding[]
}

export const rules: Readonly<Record<ReasonCode, Rule>> = {
  malformed_message: { recover: 'fix', find: malformedMessage },
  sender_mismatch: { recover: 'never', find: senderMismatch },
  message_blocked: { recover: 'never', find: messageBlocked },
  context_gate_failed: { recover: 'fix', find: contextGateFailed },
  agent_suspended: { recover: 'never', find: agentSuspended },
  unknown_capability: { recover: 'fix', find: unknownCapability },
  invalid_arguments: { recover: 'fix', find: invalidArguments },
  missing_role: { recover: 'never', find: missingRole },
  missing_tenant_attribute: { recover: 'never', find: missingTenantAttribute },
  memory_write_requires_writer: { recover: 'never', find: memoryWriteRequiresWriter },
  memory_sensitive_read_denied: { recover: 'never', find: memorySensitiveReadDenied },
  invalid_constraint: { recover: 'fix', find: invalidConstraint },
  ungrounded: { recover: 'learn', find: ungrounded },
  policy_faulted: { recover: 'never', find: policyFaulted },
  policy_blocked: { recover: 'never', find: policyBlocked },
  // `ask` where it is all that is missing: the judgement sees that, a rule cannot.
  insufficient_justification: { recover: 'fix', find: insufficientJustification },
  rate_limited: { recover: 'wait', find: rateLimited },
  no_confirmer: { recover: 'never', find: noConfirmer },
  declined: { recover: 'never', find: declined },
  review_stale: { recover: 'fix', find: reviewStale },
  review_expired: { recover: 'fix', find: reviewExpired },
  withdrawn: { recover: 'never', find: withdrawn },
}

const none: readonly Finding[] = []
const issuesShownMax = 3
const gapsShownMax = 32
const messageCharactersMax = 1_000

function malformedMessage({ message }: Case): readonly Finding[] {
  if (message === undefined) return none
  // `block` is an error too, of a message that is perfectly sound.
  const errors = message.issues.filter(({ code, severity }) => {
    return severity === 'error' && code !== 'safety_block'
  })
  if (!message.malformed && errors.length === 0) return none
  const shown = errors
    .slice(0, issuesShownMax)
    .map(({ code, path }) => `${code} at ${quoted(path)}`)
  const why = shown.length === 0 ? 'nothing in it can be believed' : shown.join(', ')
  return [{ message: `the message is not sound: ${why}` }]
}

// Who is nobody to the catalog answers to nobody: not even reading is free to it.
function senderMismatch({ message, principal }: Case): readonly Finding[] {
  if (message === undefined) return none
  if (!message.senderMatches) {
    return [{ message: 'the message is not from the sender under whose name it came' }]
  }
  if (principal !== null || message.malformed) return none
  return [{ message: 'the catalog knows no such agent: add it to the principals' }]
}

function messageBlocked({ message }: Case): readonly Finding[] {
  if (message?.safetyLevel !== 'block') return none
  return [{ message: 'the message itself says that it must be blocked' }]
}

function contextGateFailed({ message }: Case): readonly Finding[] {
  if (message?.gate !== 'fail') return none
  return [
    { message: 'the message has too little behind it: cite more, name only known constraints' },
  ]
}

function agentSuspended({ principal }: Case): readonly Finding[] {
  if (principal?.suspended !== true) return none
  return [{ message: `${quoted(principal.id)} is suspended` }]
}

function unknownCapability({ capability, request }: Case): readonly Finding[] {
  if (capability !== null) return none
  const { tool } = request ?? {}
  const named = tool === undefined ? 'that was named' : quoted(tool)
  return [{ message: `the catalog has no capability ${named}` }]
}

function invalidArguments({ capability, request }: Case): readonly Finding[] {
  if (capability === undefined || capability === null) return none
  const { args = {} } = request ?? {}
  const fault = argumentFault(capability, args)
  if (fault === null) return none
  const at = short(fault.path, messageCharactersMax)
  const where = at === '' ? 'the arguments' : `the argument at ${quoted(at)}`
  const message = `${where} ${short(fault.message, messageCharactersMax)}`
  return [{ message, path: `/args${at}` }]
}

const rolesOfClass = { READ: null, WRITE: ['writer', 'admin'], DESTRUCTIVE: ['admin'] } as const
const rolesOfSecrets = ['secrets_reader', 'admin'] as const

function missingRole({ capability, principal }: Case): readonly Finding[] {
  if (capability === undefined || capability === null) return none
  const { safetyClass, sensitivity } = capability
  const byClass = rolesOfClass[safetyClass]
  const missing: string[] = []
  if (byClass !== null && !hasRole(principal, byClass)) {
    missing.push(`${safetyClass} needs the role ${listed(byClass, 'or')}`)
  }
  if (sensitivity === 'SECRETS' && !hasRole(principal, rolesOfSecrets)) {
    missing.push(`SECRETS needs the role ${listed(rolesOfSecrets, 'or')}`)
  }
  return missing.length === 0 ? none : [{ message: missing.join(', and ') }]
}

function hasRole(principal: Case['principal'], roles: readonly string[]): boolean {
  return roles.some((role) => principal?.roles.includes(role) === true)
}

function missingTenantAttribute({ capability, principal }: Case): readonly Finding[] {
  const sensitivity = capability?.sensitivity
  if (sensitivity !== 'PII' && sensitivity !== 'PCI') return none
  if (Object.hasOwn(principal?.attributes ?? {}, 'tenant')) return none
  return [{ message: `${sensitivity} needs the attribute \`tenant\`` }]
}

const memoryWriters = ['memory_writer', 'admin'] as const
const sensitiveMemoryReaders = ['memory_reader_sensitive', 'admin'] as const

function memoryWriteRequiresWriter({ capability, principal }: Case): readonly Finding[] {
  if (capability?.sensitivity !== 'MEMORY' || capability.safetyClass === 'READ') return none
  if (hasRole(principal, memoryWriters)) return none
  return [{ message: `writing memory needs the role ${listed(memoryWriters, 'or')}` }]
}

function memorySensitiveReadDenied({ capability, principal, request }: Case): readonly Finding[] {
  if (capability?.sensitivity !== 'MEMORY' || capability.safetyClass !== 'READ') return none
  const scope = request?.scope ?? {}
  if (!Object.hasOwn(scope, 'memory_scope') || scope['memory_scope'] !== 'sensitive') return none
  if (hasRole(principal, sensitiveMemoryReaders)) return none
  const roles = listed(sensitiveMemoryReaders, 'or')
  return [{ message: `reading sensitive memory needs the role ${roles}` }]
}

function invalidConstraint({ request }: Case): readonly Finding[] {
  const asked = maxRowsAsked(request?.constraints)
  if (asked === undefined || Number.isSafeInteger(asked)) return none
  return [
    { message: 'the constraint `max_rows` must be a whole number', path: '/constraints/max_rows' },
  ]
}

function ungrounded({ grounding }: Case): readonly Finding[] {
  if (grounding === undefined || grounding.grounded) return none
  const { gaps } = grounding
  const omitted = gaps.length - gapsShownMax
  const things = gaps.length === 1 ? 'one thing it needs is' : `${gaps.length} things it needs are`
  return [
    {
      message: `${things} not known well enough`,
      gaps: gaps.slice(0, gapsShownMax),
      ...(omitted > 0 && { gapsOmitted: omitted }),
    },
  ]
}

// Whatever the policy says of confirmation: a check that did not run has shown nothing that a
// person could overrule.
function policyFaulted({ violations }: Case): readonly Finding[] {
  const findings: Finding[] = []
  for (const { policy, source, target, callback } of violations) {
    if (callback?.fault === undefined) continue
    const why = callback.fault.code
    const message = `the check of the policy ${quoted(policy.name)} failed to run: ${why}`
    findings.push({ message, policy: policy.name, source, target })
  }
  return findings
}

// No person is asked by such a policy, so nobody can lift it, and agreeing to others does not.
function policyBlocked({ violations }: Case): readonly Finding[] {
  const findings: Finding[] = []
  for (const { policy, source, target, message, callback } of violations) {
    if (policy.requiresConfirmation || callback?.passed !== false) continue
    const why = short(callback.message ?? message, messageCharactersMax)
    findings.push({ message: why, policy: policy.name, source, target })
  }
  return findings
}

function insufficientJustification(of: Case, questions: readonly Question[]): readonly Finding[] {
  if (!lacksJustification(of)) return none
  const { review } = of
  const reasonWasAsked = review?.state === 'answered' && questions[0]?.kind === 'justification'
  if (reasonWasAsked && isJustified(review.note)) return none
  const whose = reasonWasAsked ? 'the approval' : 'the request'
  const message = `${whose} gives no reason of at least ${justificationCharactersMin} characters`
  return [{ message }]
}

function rateLimited({ rate }: Case): readonly Finding[] {
  if (rate?.limited !== true) return none
  const { waitMs } = rate
  const message = 'the limit of uses in its window is reached'
  return [waitMs === undefined ? { message } : { message, waitMs: Math.max(0, Math.ceil(waitMs)) }]
}

function noConfirmer({ review }: Case, questions: readonly Question[]): readonly Finding[] {
  if (review?.state !== 'no_confirmer') return none
  // A missing reason the agent can still give itself.
  if (questions.every(({ kind }) => kind === 'justification')) return none
  return [{ message: 'people must agree, and nobody is there who may' }]
}

function declined({ review }: Case): readonly Finding[] {
  if (review?.state !== 'answered' || review.answers.every((answer) => answer === true)) return none
  return [{ message: 'a person who had to agree did not' }]
}

function reviewStale({ review }: Case, questions: readonly Question[]): readonly Finding[] {
  if (review === undefined) return none
  const answersOthers = review.state === 'answered' && review.answers.length !== questions.length
  if (review.state !== 'stale' && !answersOthers) return none
  return [{ message: 'what people agreed to is no longer what would be done' }]
}

function reviewExpired({ review }: Case): readonly Finding[] {
  if (review?.state !== 'expired') return none
  return [{ message: 'the time for people to answer is over' }]
}

function withdrawn(of: Case): readonly Finding[] {
  return of.withdrawn === true ? [{ message: 'the agent has withdrawn it' }] : none
}
