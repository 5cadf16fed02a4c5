// What is answered where something is refused: a problem as RFC 9457 has it, with the code of the
// fault. It repeats nothing of what was sent.
import { redactText } from '#firewall/redact'
import { Fault } from '#record/fault'
import { faultEntry, type FaultCode } from '#schemas/faults/registry'
import type { TokenRefusal } from '#schemas/action/warrant'

export const problemType = 'application/problem+json'

/** A fault that has a status of its own. */
export class Refusal extends Fault {
  readonly status: number
  /** Why, where the code has several reasons. */
  readonly reason: string | undefined
  /** After how many seconds the same may be tried again. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    code: FaultCode,
    message: string,
    more: { readonly reason?: string; readonly retryAfter?: number } = {},
  ) {
    super(code, message, more.retryAfter === undefined ? {} : { retry: 'soon' })
    this.name = 'Refusal'
    this.status = status
    this.reason = more.reason
    this.retryAfter = more.retryAfter
  }
}

export function requestInvalid(status: number, what: string): Refusal {
  return new Refusal(status, 'request_invalid', what)
}

/** Of a token or its proof. */
export function tokenRefused(reason: TokenRefusal): Refusal {
  return new Refusal(401, 'token_refused', `the warrant is refused: ${reason}`, { reason })
}

const statuses: Partial<Record<FaultCode, number>> = {
  no_verdict: 404,
  not_decided: 404,
  no_intent: 404,
  no_contract: 404,
  contract_refused: 422,
  claim_refused: 422,
  handle_refused: 403,
  not_yours: 403,
  not_allowed: 403,
  no_warrant: 403,
  agent_suspended: 403,
  warrant_revoked: 403,
  warrant_expired: 403,
  capability_changed: 409,
  warrant_differs: 409,
  warrant_used: 409,
  verdict_void: 409,
  verdict_not_derived: 409,
  verdict_late: 409,
  session_budget_exceeded: 429,
  not_for_gateway: 422,
  driver_missing: 422,
  gateway_busy: 429,
  gateway_closed: 503,
  tool_failed: 502,
  outcome_unknown: 502,
  issuer_unknown: 404,
  intent_invalid: 400,
  message_invalid: 400,
  request_differs: 422,
  signature_needed: 422,
  gateway_only: 422,
  door_refused: 403,
  capability_suspended: 403,
  caller_busy: 429,
  door_closed: 503,
  name_taken: 409,
  address_used: 409,
  not_started: 409,
  outcome_recorded: 409,
  token_too_large: 422,
}

export interface HttpProblem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: FaultCode
  readonly retry: 'never' | 'soon'
  readonly reason?: string
}

/** What no fault describes is a defect of ours, and nothing of it is shown. */
export function problemOf(error: unknown): HttpProblem {
  const fault = error instanceof Fault ? error : unexpected
  const { code, retry } = fault
  const isOurs = fault instanceof Refusal
  const status = isOurs ? fault.status : (statuses[code] ?? (retry === 'soon' ? 503 : 500))
  return {
    type: `urn:warrant:fault:${code}`,
    title: faultEntry(code).means,
    status,
    detail: redactText(fault.message),
    code,
    retry,
    ...(isOurs && fault.reason !== undefined && { reason: fault.reason }),
  }
}

const unexpected = new Fault('unexpected', 'the server met an error that it does not know')
