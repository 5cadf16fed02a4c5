// What the conditions about an intent read: of the catalog, of the call, and of what those whom the
// catalog trusts said in its session.
import type { Ground } from '#schemas/facts'
import type { ConditionInput } from '#conditions/input'
import { evidenceFor } from '../evidence/evidence.ts'
import { capabilityOf, type Context, type View } from '../view.ts'
import { actsOf } from '../values/earlier-acts.ts'
import { callInput } from './call-input.ts'

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
  return sceneWith(view, context, { ground, agent: view.judged })
}

/** The same call as if that one of those whom the agent acts for made it. */
export function sceneWith(
  view: View,
  context: Context,
  { ground, agent }: { readonly ground: Ground | null; readonly agent: string },
): ConditionInput | null {
  const { catalog, ref, now, opening } = view
  const capability = capabilityOf(view)
  const { request } = opening
  if (capability === null || request === null) return null
  const principal = catalog.principals.get(agent)
  return callInput({
    catalog,
    capability,
    request,
    principal,
    owner: principal?.owner === undefined ? undefined : catalog.principals.get(principal.owner),
    session: ref.session,
    ground,
    now: catalog.now === null ? now : Date.parse(catalog.now),
    evidence: () => evidenceFor(view, context),
    acts: actsOf(context, { agent: ref.agent, judged: agent }),
  })
}
