// A delegation as a message says it: its sender lets its receiver act for it. Whether it counts is
// decided where it is cited; here is only what it says.
import { Delegation } from '#schemas/intent'
import type { VlpMessage } from '#schemas/vlp'
import type { MessageCheck } from './check.ts'

export interface DelegationSaid {
  readonly from: string
  readonly to: string
  readonly data: Delegation
}

/** Null for what is no delegation, or is no sound message. From an agent: may be anything. */
export function delegationIn(check: MessageCheck): DelegationSaid | null {
  const { message, outcome, safetyLevel, requiresHuman } = check
  // A query, since who lets another act asks it to: no rule takes it for a second pair of eyes.
  if (message?.type !== 'query' || outcome === 'fail') return null
  // What its own sender wants looked at first is not given yet.
  if (safetyLevel !== 'safe' || requiresHuman) return null
  const { sender: from, receiver: to = null } = message
  if (to === null || asksItself(message)) return null
  const parsed = Delegation.safeParse(message.payload?.['delegation'])
  return parsed.success ? { from, to, data: parsed.data } : null
}

function asksItself({ payload }: VlpMessage): boolean {
  return payload?.['intent'] !== undefined
}

/** Whether it leaves more than the one that its sender hands on. What it is silent about stays. */
export function isWider(data: Delegation, parent: Delegation): boolean {
  const { max_rows: rows = 0, allowed_fields: fields = [] } = data.constraints ?? {}
  const { max_rows: rowsMax = rows, allowed_fields: fieldsMax = fields } = parent.constraints ?? {}
  if (Date.parse(data.until) > Date.parse(parent.until) || rows > rowsMax) return true
  if (!data.capabilities.every((id) => parent.capabilities.includes(id))) return true
  return !fields.every((field) => fieldsMax.includes(field))
}
