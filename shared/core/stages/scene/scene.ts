// What the conditions about an intent read: of the catalog, of the call, and of what those whom the
// catalog trusts said in its session.
import type { Ground } from '#schemas/facts'
import type { Capability, Principal } from '#schemas/catalog'
import { argumentFault } from '../../catalog/arguments.ts'
import type { ConditionInput } from '../../conditions/input.ts'
import { typeOfArguments } from '../../conditions/types.ts'
import { jsonOf, type Json, type JsonMap } from '../../kernel/canonical.ts'
import { evidenceFor } from '../evidence/evidence.ts'
import { capabilityOf, type Context, type View } from '../view.ts'

interface Known {
  readonly context: Context
  readonly ground: Ground | null
  readonly input: ConditionInput | null
}

// A decision asks several times, each time of the same.
const known = new WeakMap<View, Known>()

/** Null where the request cannot be read: it is refused for that, and no condition is asked. */
export function sceneOf(
  view: View,
  context: Context,
  ground: Ground | null,
): ConditionInput | null {
  const before = known.get(view)
  if (before?.context === context && before.ground === ground) return before.input
  const input = drawnUp(view, context, ground)
  known.set(view, { context, ground, input })
  return input
}

function drawnUp(view: View, context: Context, ground: Ground | null): ConditionInput | null {
  const { catalog, ref, now, opening } = view
  const capability = capabilityOf(view)
  const { request } = opening
  if (capability === null || request === null) return null
  const principal = catalog.principals.get(ref.agent)
  return callInput({
    capability,
    request,
    principal,
    owner: principal?.owner === undefined ? undefined : catalog.principals.get(principal.owner),
    session: ref.session,
    ground,
    now: catalog.now === null ? now : Date.parse(catalog.now),
    evidence: () => evidenceFor(view, context),
  })
}

/** A call as conditions read it: an intent in a log, or a line that is judged alone. */
interface ReadCall {
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
}

/** Null where its arguments are not those of the capability: it is refused for that. */
export function callInput(of: ReadCall): ConditionInput | null {
  const { capability, request, principal, owner, session, ground, now, evidence } = of
  const { args = {} } = request
  if (argumentFault(capability, args) !== null) return null
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
  }
}

function personOf(principal: Principal | undefined): ConditionInput['principal'] {
  return principal ?? null
}

function mapOf(value: unknown): JsonMap {
  const json = jsonOf(value ?? {})
  return isMap(json) ? json : {}
}

function isMap(json: Json): json is JsonMap {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
