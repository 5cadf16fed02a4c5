// Why something is refused: the codes in their order of precedence, and how a program may recover.
import { z } from 'zod'
import { CallbackFault } from './callbacks.ts'
import { Gap, OpenMap } from './graph.ts'
import { DecimalText, ValueFound } from './values.ts'
import { IdentifierCause, VlpIssueCode } from './vlp.ts'
import { later } from './later.ts'

/** The first that holds heads the verdict. */
export const reasonCodes = [
  'malformed_message',
  'sender_mismatch',
  'unknown_agent',
  'agent_moving',
  'other_cell',
  'message_blocked',
  'context_gate_failed',
  'agent_suspended',
  'delegation_refused',
  'subject_refused',
  'too_many_open',
  'unknown_capability',
  'capability_suspended',
  'invalid_arguments',
  'duplicate_request',
  'not_permitted',
  'standing_refused',
  'missing_role',
  'missing_tenant_attribute',
  'memory_write_requires_writer',
  'memory_sensitive_read_denied',
  'invalid_constraint',
  'ungrounded',
  'policy_faulted',
  'policy_blocked',
  'value_unknown',
  'insufficient_justification',
  'rate_limited',
  'budget_invalid',
  'budget_exceeded',
  'no_confirmer',
  'declined',
  'review_stale',
  'review_expired',
  'withdrawn',
] as const

export const ReasonCode = later(() => z.enum(reasonCodes))
export type ReasonCode = z.infer<typeof ReasonCode>

/**
 * `never`: the same agent asking again will be refused again. `fix`: change the request. `learn`:
 * close the gaps. `ask`: a person's reason would do. `wait`: ask again after `waitMs`.
 */
export const Recover = later(() => z.enum(['never', 'fix', 'learn', 'ask', 'wait']))
export type Recover = z.infer<typeof Recover>

/** What one need of a capability asks of the roles: one of these would do. */
const NeededRoles = later(() =>
  z.strictObject({ by: z.string(), roles: z.array(z.string()).min(1) }),
)

/** What the sentence about a reason is made of: each code has some of these, and never prose. */
export const ReasonParams = later(() =>
  z.strictObject({
    /** Of `wait`: how long until another try can succeed. */
    waitMs: z.int().min(0).optional(),
    /** How many are allowed: open intents, uses in `windowMs`, or characters of a justification. */
    max: z.int().min(0).optional(),
    windowMs: z.int().min(1).optional(),
    /** Of `fix`: a JSON pointer into the request, to what is wrong. */
    path: z.string().optional(),
    /** The keyword of the JSON Schema that is not met, and what it expects. */
    keyword: z.string().optional(),
    expected: OpenMap.optional(),
    /** The first errors of the message. */
    issues: z
      .array(
        z.strictObject({
          code: VlpIssueCode,
          path: z.string(),
          cause: IdentifierCause.optional(),
        }),
      )
      .optional(),
    /** Of `learn`: what is not known; the grounding has those that were omitted here. */
    gaps: z.array(Gap).optional(),
    gapsOmitted: z.int().min(1).optional(),
    /** The relata policy that refuses, and the edge on which it stands. */
    policy: z.string().optional(),
    source: z.string().optional(),
    target: z.string().optional(),
    /** The condition that refuses. */
    rule: z.string().optional(),
    /** The budget, for whom it is added up, what it allows, what is used, and what this takes. */
    budget: z.string().optional(),
    key: z.string().optional(),
    limit: DecimalText.optional(),
    used: DecimalText.optional(),
    asked: DecimalText.optional(),
    /** Whether it counts calls, and does not add anything up. */
    counts: z.literal('calls').optional(),
    /** What the author of the policy, or its callback, says of it. */
    message: z.string().optional(),
    fault: CallbackFault.optional(),
    /** The value that is not known, and where it was found. */
    value: ValueFound.optional(),
    tool: z.string().optional(),
    principal: z.string().optional(),
    /** Of an agent that acts for others: for which of them it is refused. */
    actingFor: z.string().optional(),
    /** The cell that the agent is in. */
    cell: z.int().min(0).optional(),
    needs: z.array(NeededRoles).optional(),
    /** The standing that refuses, and its level. */
    standing: z.number().min(-1).max(1).optional(),
    level: z.enum(['autonomous', 'standard', 'supervised', 'strict', 'suspended']).optional(),
    attribute: z.string().optional(),
    sensitivity: z.string().optional(),
    /** Where several things end alike, which of them it was. */
    cause: z.string().optional(),
    /** The fact that brought it about: a block, a correction, the message of an equal request. */
    fact: z.string().optional(),
    /** What the person who declined wrote. */
    note: z.string().optional(),
  }),
)
export type ReasonParams = z.infer<typeof ReasonParams>

export const Reason = later(() =>
  z.strictObject({
    code: ReasonCode,
    recover: Recover,
    params: ReasonParams,
  }),
)
export type Reason = z.infer<typeof Reason>
