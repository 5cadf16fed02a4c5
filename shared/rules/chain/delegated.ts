// The intersection: what an agent does for others must be permitted to each of them, and lie within
// what each of them leaves to the next. It only ever refuses more than for the agent alone.
import type { ReasonParams } from '#schemas/reasons'
import type { Question } from '#schemas/review'
import { conditionHolds } from '#conditions/condition'
import { canonical, jsonOf } from '#record/canonical'
import { constraintsOf } from './constraints.ts'
import { othersOf, type Case } from './rule-input.ts'

const none: readonly ReasonParams[] = []
const path = '/delegation'

/** What is found of the others and not of the agent itself, each with whom it is found of. */
export function ofOthers(
  of: Case,
  own: readonly ReasonParams[],
  find: (other: Case, questions: readonly Question[]) => readonly ReasonParams[],
  questions: readonly Question[],
): readonly ReasonParams[] {
  const others = othersOf(of)
  if (others.length === 0) return none
  const found = new Set(own.map(keyOf))
  return others.flatMap((other) => {
    const actingFor = other.principal?.id ?? ''
    return find(other, questions)
      .filter((params) => !found.has(keyOf(params)))
      .map((params) => ({ ...params, actingFor }))
  })
}

function keyOf(params: ReasonParams): string {
  return canonical(jsonOf(params))
}

export function delegationRefused(of: Case): readonly ReasonParams[] {
  const { delegated, capability, input } = of
  if (delegated === undefined) return []
  const { refusal, links } = delegated
  if (refusal !== null) return [{ ...refusal, path }]
  // What no one knows is refused for that.
  if (capability === undefined || capability === null) return []
  const { id: tool } = capability
  const beyond = links.find(({ data }) => !data.capabilities.includes(tool))
  if (beyond !== undefined) return [{ cause: 'capability', fact: beyond.name, tool, path }]
  const unmet = links.find(({ data: { when } }) => {
    // A request that cannot be read is refused already.
    return when !== undefined && input !== null && !isMet(when, input)
  })
  if (unmet !== undefined) return [{ cause: 'condition', fact: unmet.name, path }]
  return leavesNothing(of) ? [{ cause: 'nothing_left', path }] : []
}

// Without what conditions read, or where it cannot be worked out, it is not met.
function isMet(when: string, input: Exclude<Case['input'], null>): boolean {
  return input !== undefined && conditionHolds(when, input) === true
}

/** Whether no field is left of those that the agent alone would get. */
function leavesNothing(of: Case): boolean {
  const { allowed_fields: left } = constraintsOf(of)
  const { allowed_fields: own } = constraintsOf({ ...of, delegated: undefined })
  const isEmpty = Array.isArray(left) && left.length === 0
  return isEmpty && !(Array.isArray(own) && own.length === 0)
}
