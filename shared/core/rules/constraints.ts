// What an allow is bound to: what the agent asked to be bound to, and above it what the capability
// and the agent's roles impose. Keys that no rule knows pass through untouched.
import type { JsonValue, JsonObject } from '#schemas/catalog'
import type { Case } from './rule-input.ts'

const maxRowsCap = 50
const maxRowsCapOfService = 500

/** The constraints of an allow; `max_rows` is always among them where a capability is used. */
export function constraintsOf({ capability, principal, request }: Case): JsonObject {
  const asked = request?.constraints ?? {}
  if (capability === undefined || capability === null) return { ...asked }
  const roles = principal?.roles ?? []
  const { sensitivity, allowedFields } = capability
  const personal = sensitivity === 'PII' || sensitivity === 'PCI'
  const narrowed = personal && allowedFields.length > 0 && !roles.includes('pii_reader')
  return {
    ...asked,
    ...(narrowed && { allowed_fields: [...allowedFields] }),
    max_rows: rowsWithin(
      maxRowsAsked(request?.constraints),
      roles.includes('service') ? maxRowsCapOfService : maxRowsCap,
    ),
  }
}

/** The `max_rows` of the request as it came, or undefined where it asks for none. */
export function maxRowsAsked(constraints: JsonObject | undefined): JsonValue | undefined {
  if (constraints === undefined || !Object.hasOwn(constraints, 'max_rows')) return undefined
  return constraints['max_rows']
}

// INVARIANT: what is no safe integer has been refused as `invalid_constraint`:
// test/core/rules/judge.test.ts.
function rowsWithin(asked: JsonValue | undefined, cap: number): number {
  return typeof asked === 'number' ? Math.min(cap, Math.max(0, asked)) : cap
}
