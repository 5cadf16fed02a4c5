// Builders of cases: everything allowed, so that a test writes only what matters to it.
import { Capability } from '#schemas/catalog'
import type { Case, MessageCase, PrincipalCase } from '#core/rules/rule-input'
import type { Violation } from '#core/rules/violation'

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

export const write = {
  capability: capability({ safetyClass: 'WRITE' }),
  principal: principal('writer'),
}
export const memoryWrite = capability({ safetyClass: 'WRITE', sensitivity: 'MEMORY' })
