// What an allow is bound to: what the agent asked to be bound to, and above it what the capability
// and the agent's roles impose. Keys that no rule knows pass through untouched.
import type { JsonValue, JsonObject } from '#schemas/catalog'
import { builtInRules, type BuiltInRules } from '#schemas/rules/built-in'
import { hasRole, type Case } from './rule-input.ts'

/**
 * The constraints of an allow; `max_rows` is always among them where a capability is used, unless
 * the catalog sets no cap.
 */
export function constraintsOf({ capability, principal, request, builtIn }: Case): JsonObject {
  const asked = request?.constraints ?? {}
  if (capability === undefined || capability === null) return { ...asked }
  const { sensitivity, allowedFields } = capability
  const rules = builtIn ?? builtInRules
  const isLimited = sensitivity !== 'NONE' && rules.fieldsFor.includes(sensitivity)
  const narrowed = isLimited && allowedFields.length > 0 && !hasRole(principal, rules.fieldsReaders)
  const rows = rowsWithin(maxRowsAsked(request?.constraints), capOf(principal, rules))
  return {
    ...asked,
    ...(narrowed && { allowed_fields: [...allowedFields] }),
    ...(rows !== null && { max_rows: rows }),
  }
}

function capOf(principal: Case['principal'], rules: BuiltInRules): number | 'unlimited' {
  return hasRole(principal, rules.serviceRoles) ? rules.serviceMaxRows : rules.maxRows
}

/** The `max_rows` of the request as it came, or undefined where it asks for none. */
export function maxRowsAsked(constraints: JsonObject | undefined): JsonValue | undefined {
  if (constraints === undefined || !Object.hasOwn(constraints, 'max_rows')) return undefined
  return constraints['max_rows']
}

// INVARIANT: what is no safe integer has been refused as `invalid_constraint`:
// test/core/rules/judge.test.ts.
function rowsWithin(asked: JsonValue | undefined, cap: number | 'unlimited'): number | null {
  if (typeof asked !== 'number') return cap === 'unlimited' ? null : cap
  const rows = Math.max(0, asked)
  return cap === 'unlimited' ? rows : Math.min(cap, rows)
}
