// A call as conditions and budgets read it, from an intent in a log or from a line that is judged
// alone.
import type { Ground } from '#schemas/facts'
import type { Capability, Principal } from '#schemas/catalog'
import { argumentFault, patternsUnder } from '#rules/catalog/arguments'
import { hasRules } from '#rules/catalog/rules-version'
import type { ConditionInput } from '#conditions/input'
import { typeOfArguments } from '#conditions/types'
import { jsonOf, type Json, type JsonMap } from '#record/canonical'

export interface ReadCall {
  /** Whose rules it is judged by. */
  readonly catalog: { readonly rules: number }
  readonly capability: Capability
  // From the agent: may be anything.
  readonly request: {
    readonly args?: unknown
    readonly goal?: string | undefined
    readonly justification?: string | undefined
    readonly scope?: object | undefined
    readonly constraints?: object | undefined
  }
  readonly principal: Principal | undefined
  readonly owner: Principal | undefined
  readonly session: string | null
  readonly ground: Pick<Ground, 'grounded' | 'concepts'> | null
  readonly now: number
  readonly evidence: () => readonly unknown[]
  readonly acts?: ConditionInput['acts']
}

/** Null where its arguments are not those of the capability: it is refused for that. */
export function callInput(of: ReadCall): ConditionInput | null {
  const { capability, request, principal, owner, session, ground, now, evidence } = of
  const { args = {} } = request
  if (argumentFault(capability, args, patternsUnder(of.catalog)) !== null) return null
  return {
    args: mapOf(args),
    argsType: typeOfArguments(capability.argsSchema),
    capability,
    principal: personOf(principal),
    owner: personOf(owner),
    intent: {
      goal: request.goal ?? '',
      justification: request.justification ?? '',
      session: session ?? '',
      scope: mapOf(request.scope),
      constraints: mapOf(request.constraints),
    },
    grounding: { grounded: ground?.grounded ?? true, concepts: ground?.concepts ?? [] },
    now,
    evidence: () => evidence().map(mapOf),
    lenient: !hasRules(of.catalog, 'strictConversions'),
    ...(of.acts !== undefined && { acts: of.acts }),
  }
}

function personOf(principal: Principal | undefined): ConditionInput['principal'] {
  return principal ?? null
}

function mapOf(value: unknown): JsonMap {
  if (value === undefined) return empty
  const json = jsonOf(value)
  return isMap(json) ? json : empty
}

const empty: JsonMap = {}

function isMap(json: Json): json is JsonMap {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
