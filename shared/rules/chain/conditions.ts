// What the conditions of a call come to: those of the catalog first, then those of the capability,
// each in the order in which it is stored.
import type { CallbackFault } from '#schemas/callbacks'
import type { Condition } from '#schemas/catalog'
import { conditionHolds, type ConditionFault } from '#conditions/condition'
import type { Case } from './rule-input.ts'

export interface ConditionResult {
  readonly condition: Condition
  readonly holds: boolean | CallbackFault
}

const none: readonly ConditionResult[] = []

// The rules look at them one after the other, and a case is never changed.
const known = new WeakMap<Case, readonly ConditionResult[]>()

export function conditionResults(of: Case): readonly ConditionResult[] {
  const { capability, rules = [] } = of
  if (capability === undefined || capability === null) return none
  const own = capability.conditions ?? []
  if (rules.length === 0 && own.length === 0) return none
  const before = known.get(of)
  if (before !== undefined) return before
  const results = [...rules, ...own].flatMap((condition) => resultOf(condition, of.input))
  known.set(of, results)
  return results
}

// Of a request that cannot be read there is nothing to ask: that is refused already.
function resultOf(condition: Condition, input: Case['input']): readonly ConditionResult[] {
  if (input === null) return none
  if (input === undefined) return [{ condition, holds: conditionFault('condition_failed') }]
  const holds = conditionHolds(condition.when, input)
  return [{ condition, holds: typeof holds === 'boolean' ? holds : conditionFault(holds) }]
}

export function conditionFault(code: ConditionFault): CallbackFault {
  return { code, params: {} }
}
