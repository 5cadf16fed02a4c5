// What an allow is bound to: what the agent asked to be bound to, and above it what the capability
// and the agent's roles impose. Keys that no rule knows pass through untouched.
import type { JsonValue, JsonObject } from '#schemas/catalog'
import type { Delegation } from '#schemas/intent'
import { builtInRules, type BuiltInRules } from '#schemas/rules/built-in'
import { hasRole, othersOf, type Case } from './rule-input.ts'

/**
 * The constraints of an allow; `max_rows` is always among them where a capability is used, unless
 * the catalog sets no cap. For others it is bound to the narrowest of all.
 */
export function constraintsOf(of: Case): JsonObject {
  const own = ownConstraints(of)
  const { delegated } = of
  if (delegated === undefined) return own
  const left = delegated.links.map(({ data }) => leftBy(data))
  return [...othersOf(of).map(ownConstraints), ...left].reduce(narrower, own)
}

function leftBy({ constraints }: Pick<Delegation, 'constraints'>): JsonObject {
  const { max_rows: rows, allowed_fields: fields } = constraints ?? {}
  return {
    ...(rows !== undefined && { max_rows: rows }),
    ...(fields !== undefined && { allowed_fields: fields }),
  }
}

/** Of two that bind, the rows and fields that both leave. What no rule could read binds nothing. */
function narrower(one: JsonObject, other: JsonObject): JsonObject {
  const [rows, rowsMax] = [one['max_rows'], other['max_rows']]
  const [fields, fieldsMax] = [fieldsIn(one), fieldsIn(other)]
  return {
    ...one,
    ...(typeof rowsMax === 'number' && {
      max_rows: typeof rows === 'number' ? Math.min(rows, rowsMax) : rowsMax,
    }),
    ...(fieldsMax !== null && {
      allowed_fields: fields === null ? fieldsMax : fields.filter((id) => fieldsMax.includes(id)),
    }),
  }
}

function fieldsIn({ allowed_fields: fields }: JsonObject): string[] | null {
  if (!Array.isArray(fields)) return null
  return fields.filter((field) => typeof field === 'string')
}

function ownConstraints({ capability, principal, request, builtIn }: Case): JsonObject {
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
// test/rules/chain/judge.test.ts.
function rowsWithin(asked: JsonValue | undefined, cap: number | 'unlimited'): number | null {
  if (typeof asked !== 'number') return cap === 'unlimited' ? null : cap
  const rows = Math.max(0, asked)
  return cap === 'unlimited' ? rows : Math.min(cap, rows)
}
