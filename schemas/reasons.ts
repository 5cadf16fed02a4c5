// Why something is refused: the codes in their order of precedence, and how a program may recover.
import { z } from 'zod'
import { Gap } from './graph.ts'

/** The first that holds heads the verdict. */
export const reasonCodes = [
  'malformed_message',
  'sender_mismatch',
  'message_blocked',
  'context_gate_failed',
  'agent_suspended',
  'unknown_capability',
  'invalid_arguments',
  'missing_role',
  'missing_tenant_attribute',
  'memory_write_requires_writer',
  'memory_sensitive_read_denied',
  'invalid_constraint',
  'ungrounded',
  'policy_faulted',
  'policy_blocked',
  'insufficient_justification',
  'rate_limited',
  'no_confirmer',
  'declined',
  'review_stale',
  'review_expired',
  'withdrawn',
] as const

export const ReasonCode = z.enum(reasonCodes)
export type ReasonCode = z.infer<typeof ReasonCode>

/**
 * `never`: the same agent asking again will be refused again. `fix`: change the request. `learn`:
 * close the gaps. `ask`: a person's reason would do. `wait`: ask again after `waitMs`.
 */
export const Recover = z.enum(['never', 'fix', 'learn', 'ask', 'wait'])
export type Recover = z.infer<typeof Recover>

export const Reason = z.strictObject({
  code: ReasonCode,
  recover: Recover,
  message: z.string(),
  /** Of `wait`: how long until another try can succeed. */
  waitMs: z.int().min(0).optional(),
  /** Of `fix`: a JSON pointer into the request, to what is wrong. */
  path: z.string().optional(),
  /** Of `learn`: what is not known; the grounding has those that were omitted here. */
  gaps: z.array(Gap).optional(),
  gapsOmitted: z.int().min(1).optional(),
  /** The relata policy that refuses, and the edge on which it stands. */
  policy: z.string().optional(),
  source: z.string().optional(),
  target: z.string().optional(),
})
export type Reason = z.infer<typeof Reason>
