// Builders of cases: everything allowed, so that a test writes only what matters to it.
import { Capability } from '#schemas/catalog'
import type {
  BudgetCase,
  Case,
  DelegatedCase,
  MessageCase,
  PrincipalCase,
} from '#rules/chain/rule-input'
import type { ReasonCode } from '#schemas/reasons'
import type { Violation } from '#rules/chain/violation'

export function capability(part: Partial<Capability> = {}): Capability {
  return Capability.parse({ id: 'tickets', safetyClass: 'READ', argsSchema: {}, ...part })
}

export function principal(...roles: string[]): PrincipalCase {
  return { id: 'agent', roles, attributes: {}, suspended: false }
}

export const tenant: PrincipalCase = { ...principal(), attributes: { tenant: '' } }

export const soundMessage: MessageCase = {
  malformed: false,
  senderMatches: true,
  issues: [],
  safetyLevel: 'safe',
  requiresHuman: false,
  unearnedConfidence: false,
  gate: 'pass',
}

export const reason = 'the customer asked for it'

export function testCase(part: Partial<Case> = {}): Case {
  return {
    message: soundMessage,
    principal: principal(),
    capability: capability(),
    request: { tool: 'tickets', args: {}, justification: reason },
    violations: [],
    ...part,
  }
}

export function violation(
  part: Partial<Omit<Violation, 'policy'>> & Partial<Violation['policy']> = {},
): Violation {
  const { name = 'rule', requiresConfirmation = false, confirmation, ...rest } = part
  return {
    policy: { name, requiresConfirmation, confirmation },
    source: 'delete',
    target: 'file',
    message: '`delete` needs confirmation',
    callback: null,
    ...rest,
  }
}

export const failed = { callback: { passed: false, message: 'the ticket is closed' } } as const
export const faulted = {
  callback: { fault: { code: 'threw', params: { error: 'Error' } } },
} as const
export const confirmed = { requiresConfirmation: true } as const

export const strangeValue = {
  arg: '/to',
  kind: 'email',
  value: 'eve@x.org',
  found: 'nowhere',
} as const

export const usedUp: BudgetCase = {
  name: 'payments',
  key: 'olga',
  limit: '1000',
  used: '900',
  asked: '200',
  windowMs: 86_400_000,
  counts: false,
  waitMs: 60_000,
}

/** Whom it acts for: no one, unless `part` says otherwise. */
export function delegated(part: Partial<DelegatedCase> = {}): DelegatedCase {
  return { refusal: null, principals: [], links: [], ...part }
}

export const write = {
  capability: capability({ safetyClass: 'WRITE' }),
  principal: principal('writer'),
}
export const memoryWrite = capability({ safetyClass: 'WRITE', sensitivity: 'MEMORY' })

/** How to recover from each code, where it stands alone. */
export const recovers: Record<ReasonCode, string> = {
  malformed_message: 'fix',
  sender_mismatch: 'never',
  unknown_agent: 'never',
  agent_moving: 'wait',
  other_cell: 'never',
  message_blocked: 'never',
  context_gate_failed: 'fix',
  agent_suspended: 'never',
  delegation_refused: 'fix',
  subject_refused: 'never',
  too_many_open: 'wait',
  unknown_capability: 'fix',
  capability_suspended: 'never',
  invalid_arguments: 'fix',
  duplicate_request: 'fix',
  not_permitted: 'never',
  standing_refused: 'never',
  missing_role: 'never',
  missing_tenant_attribute: 'never',
  memory_write_requires_writer: 'never',
  memory_sensitive_read_denied: 'never',
  invalid_constraint: 'fix',
  ungrounded: 'learn',
  policy_faulted: 'never',
  policy_blocked: 'never',
  value_unknown: 'fix',
  insufficient_justification: 'ask',
  rate_limited: 'wait',
  budget_invalid: 'fix',
  budget_exceeded: 'wait',
  no_confirmer: 'never',
  declined: 'never',
  review_stale: 'fix',
  review_expired: 'fix',
  withdrawn: 'never',
}
