// The arguments of a guarded call: what is judged is what runs.
import { jsonFault } from '#record/json'
import { describeJsonFault } from '#record/json-fault'
import { Fault } from '#record/fault'
import { messageLimits } from '#messages/check'
import type { JsonObject } from '#schemas/catalog'
import { Intent } from '#schemas/intent'

/** A copy that its caller cannot change meanwhile, without what is not there at all. */
export function copied<A extends object>(given: A): A {
  const copy = structuredClone(given)
  dropUndefined(copy, new Set())
  return copy
}

// JSON says the same of a property that is `undefined` and of one that is absent.
function dropUndefined(value: object, seen: Set<object>): void {
  if (seen.has(value)) return
  seen.add(value)
  const members: readonly (readonly [string, unknown])[] = Object.entries(value)
  for (const [key, member] of members) {
    if (member === undefined && !Array.isArray(value)) Reflect.deleteProperty(value, key)
    else if (typeof member === 'object' && member !== null) dropUndefined(member, seen)
  }
}

// What JSON would drop or change would be judged without it, and run with it.
export function argumentsOf(given: object): JsonObject {
  const fault = jsonFault(given, messageLimits)
  const parsed = Intent.shape.args.safeParse(given)
  if (fault === null && parsed.success) return { ...parsed.data }
  const why = fault === null ? 'they are not an object' : describeJsonFault({ code: fault })
  throw new Fault('intent_invalid', `the arguments cannot be judged: ${why}`)
}
