// The rules, one function for each reason, in a table by code. The order of the codes is the order
// of precedence. A rule refuses with params and no sentence; it never asks, allows or looks at
// another rule.
import type { Question } from '#schemas/review'
import type { ReasonCode, ReasonParams, Recover } from '#schemas/reasons'
import type { Condition } from '#schemas/catalog'
import { builtInRules } from '#schemas/rules/built-in'
import { argumentFault } from '../catalog/arguments.ts'
import { isListed } from '../catalog/catalog.ts'
import { conditionResults } from './conditions.ts'
import { maxRowsAsked } from './constraints.ts'
import { isJustified } from './justification.ts'
import { isKnown, valuesMax } from '#knowledge/known/known-value'
import { hasRole, type Case } from './rule-input.ts'
import {
  agentMoving,
  agentSuspended,
  capabilitySuspended,
  otherCell,
  standingRefused,
  subjectRefused,
  tooManyOpen,
  unknownAgent,
  unknownCapability,
} from './asked-by-whom.ts'
import { delegationRefused } from './delegated.ts'
import { lacksJustification } from './questions.ts'
import { short } from '#record/quote'
import type { CallbackResult } from './violation.ts'

/** The params of one reason. */
type Finding = ReasonParams

export interface Rule {
  readonly recover: Recover
  /** Whether it counts or adds up: nothing else is asked of a call that it refuses. */
  readonly isLimit?: true
  /** `questions` are what people would have to agree to. */
  readonly find: (of: Case, questions: readonly Question[]) => readonly Finding[]
}

export const rules: Readonly<Record<ReasonCode, Rule>> = {
  malformed_message: { recover: 'fix', find: malformedMessage },
  sender_mismatch: { recover: 'never', find: senderMismatch },
  unknown_agent: { recover: 'never', find: unknownAgent },
  agent_moving: { recover: 'wait', find: agentMoving },
  other_cell: { recover: 'never', find: otherCell },
  message_blocked: { recover: 'never', find: messageBlocked },
  context_gate_failed: { recover: 'fix', find: contextGateFailed },
  agent_suspended: { recover: 'never', find: agentSuspended },
  delegation_refused: { recover: 'fix', find: delegationRefused },
  subject_refused: { recover: 'never', find: subjectRefused },
  too_many_open: { recover: 'wait', find: tooManyOpen },
  unknown_capability: { recover: 'fix', find: unknownCapability },
  capability_suspended: { recover: 'never', find: capabilitySuspended },
  invalid_arguments: { recover: 'fix', find: invalidArguments },
  duplicate_request: { recover: 'fix', find: duplicateRequest },
  not_permitted: { recover: 'never', find: notPermitted },
  standing_refused: { recover: 'never', find: standingRefused },
  missing_role: { recover: 'never', find: missingRole },
  missing_tenant_attribute: { recover: 'never', find: missingTenantAttribute },
  memory_write_requires_writer: { recover: 'never', find: memoryWriteRequiresWriter },
  memory_sensitive_read_denied: { recover: 'never', find: memorySensitiveReadDenied },
  invalid_constraint: { recover: 'fix', find: invalidConstraint },
  ungrounded: { recover: 'learn', find: ungrounded },
  policy_faulted: { recover: 'never', find: policyFaulted },
  policy_blocked: { recover: 'never', find: policyBlocked },
  value_unknown: { recover: 'fix', find: valueUnknown },
  // `ask` where it is all that is missing: the judgement sees that, a rule cannot.
  insufficient_justification: { recover: 'fix', find: insufficientJustification },
  rate_limited: { recover: 'wait', find: rateLimited, isLimit: true },
  budget_invalid: { recover: 'fix', find: budgetInvalid, isLimit: true },
  // `never` where it is more than the whole budget.
  budget_exceeded: { recover: 'wait', find: budgetExceeded, isLimit: true },
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
  const shown = errors.slice(0, issuesShownMax)
  return [
    {
      issues: shown.map(({ code, path, params }) => {
        const cause = params?.cause
        const isOfTime = cause === 'clock_ahead' || cause === 'stale_identifier'
        return { code, path, ...(isOfTime && { cause }) }
      }),
    },
  ]
}

function senderMismatch({ message }: Case): readonly Finding[] {
  return message?.senderMatches === false ? [{}] : none
}

function messageBlocked({ message, block }: Case): readonly Finding[] {
  if (message?.safetyLevel === 'block') return [{ cause: 'own' }]
  if (block === undefined || block === null) return none
  return [{ cause: 'sender', principal: block.sender, fact: block.name }]
}

function contextGateFailed({ message }: Case): readonly Finding[] {
  return message?.gate === 'fail' ? [{}] : none
}

function invalidArguments(judged: Case): readonly Finding[] {
  const { capability, request, patterns, argumentNames: names } = judged
  if (capability === undefined || capability === null) return none
  const { args = {} } = request ?? {}
  const fault = argumentFault(capability, args, patterns, { names })
  if (fault === null) return none
  const { keyword, expected } = fault
  return [{ path: `/args${short(fault.path, messageCharactersMax)}`, keyword, expected }]
}

// Not `wait`: its own verdict will never be another, and that of the first is what it wants.
function duplicateRequest({ equalTo }: Case): readonly Finding[] {
  return equalTo === undefined ? none : [{ fact: equalTo, path: '/distinct' }]
}

// Whom a list keeps out is kept out, whatever else lets them in.
function notPermitted({ capability, principal }: Case): readonly Finding[] {
  if (capability === undefined || capability === null) return none
  const { id: tool, allow, deny = [] } = capability
  if (isListed(deny, principal)) return [{ tool, cause: 'deny' }]
  return allow === undefined || isListed(allow, principal) ? none : [{ tool, cause: 'allow' }]
}

function missingRole({ capability, principal, builtIn }: Case): readonly Finding[] {
  if (capability === undefined || capability === null) return none
  const { safetyClass, sensitivity } = capability
  const { rolesFor } = builtIn ?? builtInRules
  const needs = [
    ...needOf(principal, safetyClass, rolesFor[safetyClass]),
    ...(sensitivity === 'SECRETS' ? needOf(principal, sensitivity, rolesFor.SECRETS) : []),
  ]
  return needs.length === 0 ? none : [{ needs }]
}

type Need = NonNullable<Finding['needs']>[number]

/** Without roles nothing is needed. */
function needOf(principal: Case['principal'], by: string, roles: readonly string[]): Need[] {
  return roles.length === 0 || hasRole(principal, roles) ? [] : [{ by, roles: [...roles] }]
}

function missingTenantAttribute({ capability, principal, builtIn }: Case): readonly Finding[] {
  const { sensitivity = 'NONE' } = capability ?? {}
  const { tenantFor, tenantAttribute: attribute } = builtIn ?? builtInRules
  if (sensitivity === 'NONE' || !tenantFor.includes(sensitivity)) return none
  if (Object.hasOwn(principal?.attributes ?? {}, attribute)) return none
  return [{ attribute, sensitivity }]
}

function memoryWriteRequiresWriter({ capability, principal, builtIn }: Case): readonly Finding[] {
  if (capability?.sensitivity !== 'MEMORY' || capability.safetyClass === 'READ') return none
  const { rolesFor } = builtIn ?? builtInRules
  const needs = needOf(principal, 'MEMORY', rolesFor.MEMORY_WRITE)
  return needs.length === 0 ? none : [{ needs }]
}

function memorySensitiveReadDenied(of: Case): readonly Finding[] {
  const { capability, principal, request, builtIn } = of
  if (capability?.sensitivity !== 'MEMORY' || capability.safetyClass !== 'READ') return none
  const scope = request?.scope ?? {}
  if (!Object.hasOwn(scope, 'memory_scope') || scope['memory_scope'] !== 'sensitive') return none
  const { rolesFor } = builtIn ?? builtInRules
  const needs = needOf(principal, 'MEMORY', rolesFor.MEMORY_SENSITIVE)
  return needs.length === 0 ? none : [{ needs }]
}

function invalidConstraint({ request }: Case): readonly Finding[] {
  const asked = maxRowsAsked(request?.constraints)
  if (asked === undefined || Number.isSafeInteger(asked)) return none
  return [{ path: '/constraints/max_rows', keyword: 'type', expected: { type: 'integer' } }]
}

function ungrounded({ grounding }: Case): readonly Finding[] {
  if (grounding === undefined || grounding.grounded) return none
  const { gaps } = grounding
  const omitted = gaps.length - gapsShownMax
  return [{ gaps: gaps.slice(0, gapsShownMax), ...(omitted > 0 && { gapsOmitted: omitted }) }]
}

// Whatever the policy says of confirmation: a check that did not run has shown nothing that a
// person could overrule.
function policyFaulted(of: Case): readonly Finding[] {
  const findings: Finding[] = []
  for (const { condition, holds } of conditionResults(of)) {
    if (typeof holds !== 'boolean') findings.push({ rule: condition.name, fault: holds })
  }
  for (const { policy, source, target, callback } of of.violations) {
    if (callback?.fault === undefined) continue
    findings.push({ policy: policy.name, source, target, fault: callback.fault })
  }
  return findings
}

// No person is asked by such a policy, so no one can lift it, and agreeing to others does not.
function policyBlocked(of: Case): readonly Finding[] {
  const findings: Finding[] = []
  for (const { condition, holds } of conditionResults(of)) {
    if (!refuses(condition, holds)) continue
    const { name: rule, message } = condition
    findings.push({ rule, ...(message !== undefined && { message }) })
  }
  for (const { policy, source, target, message, callback, applies } of of.violations) {
    if (policy.requiresConfirmation || !isBlocking(callback, applies)) continue
    const said = callback?.fault === undefined ? (callback?.message ?? message) : message
    const text = said === null ? {} : { message: short(said, messageCharactersMax) }
    findings.push({ policy: policy.name, source, target, ...text })
  }
  return findings
}

function refuses({ effect }: Condition, holds: unknown): boolean {
  return (effect === 'deny' && holds === true) || (effect === 'require' && holds === false)
}

/** Without a callback it is the condition alone that refuses. */
function isBlocking(callback: CallbackResult | null, applies: boolean | undefined): boolean {
  return callback === null ? applies === true : callback.passed === false
}

// The others are questions.
function valueUnknown({ values }: Case): readonly Finding[] {
  if (values === undefined || values.length === 0) return none
  return values.flatMap(({ found, unknown }) => {
    if (unknown !== 'deny' || isKnown(found)) return []
    const path = `/args${short(found.arg, messageCharactersMax)}`
    return [{ path, value: found, ...(found.found === 'beyond' && { max: valuesMax }) }]
  })
}

function insufficientJustification(of: Case, questions: readonly Question[]): readonly Finding[] {
  if (!lacksJustification(of)) return none
  const { review, builtIn } = of
  const { justificationCharacters: max } = builtIn ?? builtInRules
  const reasonWasAsked = review?.state === 'answered' && questions[0]?.kind === 'justification'
  if (reasonWasAsked && isJustified(review.note, max)) return none
  return [{ cause: reasonWasAsked ? 'approval' : 'request', max }]
}

function rateLimited({ rate }: Case): readonly Finding[] {
  if (rate?.limited !== true) return none
  const { waitMs, uses, windowMs } = rate
  return [
    {
      ...(waitMs !== undefined && { waitMs: Math.max(0, Math.ceil(waitMs)) }),
      ...(uses !== undefined && { max: uses }),
      ...(windowMs !== undefined && { windowMs }),
    },
  ]
}

function noConfirmer({ review }: Case, questions: readonly Question[]): readonly Finding[] {
  if (review?.state !== 'no_confirmer') return none
  // A missing reason the agent can still give itself.
  if (questions.every(({ kind }) => kind === 'justification')) return none
  return [{ cause: review.cause ?? 'none_eligible' }]
}

function declined({ review }: Case): readonly Finding[] {
  if (review?.state !== 'answered' || review.answers.every((answer) => answer === true)) return none
  const { declinedBy: principal, declinedNote } = review
  const note = declinedNote === undefined ? {} : { note: short(declinedNote, messageCharactersMax) }
  return [{ ...(principal !== undefined && { principal }), ...note }]
}

function reviewStale({ review }: Case, questions: readonly Question[]): readonly Finding[] {
  if (review === undefined) return none
  if (review.state === 'stale' && review.spoiltBy !== undefined) {
    return [{ cause: 'spoilt', fact: review.spoiltBy }]
  }
  const answersOthers = review.state === 'answered' && review.answers.length !== questions.length
  return review.state === 'stale' || answersOthers ? [{}] : none
}

function reviewExpired({ review }: Case): readonly Finding[] {
  return review?.state === 'expired' ? [{}] : none
}

function withdrawn(of: Case): readonly Finding[] {
  if (of.withdrawn === undefined || of.withdrawn === false) return none
  if (of.withdrawn === true) return [{}]
  if (of.withdrawn === 'correction') return [{ cause: of.withdrawn }]
  return [{ cause: 'replaced', fact: of.withdrawn.replacedBy }]
}

// What is found of the budgets of a call: that it cannot be counted, or that there is no room.

function budgetInvalid({ budgets }: Case): readonly ReasonParams[] {
  if (budgets === undefined || budgets.length === 0) return none
  return budgets.flatMap(({ name: budget, message, fault }) => {
    if (fault === undefined) return []
    return [{ budget, cause: fault, ...(message !== undefined && { message }) }]
  })
}

function budgetExceeded({ budgets }: Case): readonly ReasonParams[] {
  if (budgets === undefined || budgets.length === 0) return none
  return budgets.flatMap((of): readonly ReasonParams[] => {
    if (of.fault !== undefined || of.waitMs === 0) return []
    const { name: budget, key, limit, used, asked, windowMs, counts, waitMs, message } = of
    return [
      {
        budget,
        limit,
        used,
        asked,
        windowMs,
        ...(key !== null && { key }),
        ...(counts && { counts: 'calls' as const }),
        ...(of.tool !== undefined && { tool: of.tool }),
        ...(waitMs === null && { cause: 'alone' }),
        ...(of.kept === true && { cause: 'kept' }),
        ...(typeof waitMs === 'number' && { waitMs: Math.ceil(waitMs) }),
        ...(message !== undefined && { message }),
      },
    ]
  })
}
