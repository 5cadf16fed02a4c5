// What the rules judge of those whom an agent acts for: each as the catalog of the basis has them.
import type { Ground } from '#schemas/facts'
import type { ConditionInput } from '#conditions/input'
import type { DelegatedCase } from '#rules/chain/rule-input'
import { sceneWith } from '../scene/scene.ts'
import type { Context, View } from '../view.ts'
import { actingFor, type ActingFor } from './acting-for.ts'

// A decision asks several times, each time of the same.
const known = new WeakMap<ActingFor, { readonly ground: Ground | null; of: DelegatedCase }>()

/** Null where the agent acts for itself alone. */
export function delegatedCase(
  view: View,
  context: Context,
  ground: Ground | null,
): DelegatedCase | null {
  const acting = actingFor(view, context)
  if (acting === null) return null
  const before = known.get(acting)
  if (before !== undefined && before.ground === ground) return before.of
  const of = drawnUp(view, context, { ground, acting })
  known.set(acting, { ground, of })
  return of
}

/** What conditions read of the others; those of what does not count are not asked. */
export function othersScenes(
  view: View,
  context: Context,
  ground: Ground | null,
): readonly (ConditionInput | null)[] {
  const found = delegatedCase(view, context, ground)
  if (found === null || found.refusal !== null) return []
  return found.principals.map(({ input }) => input)
}

function drawnUp(
  view: View,
  context: Context,
  { ground, acting }: { readonly ground: Ground | null; readonly acting: ActingFor },
): DelegatedCase {
  const { refusal, principals, links } = acting
  const found = principals.flatMap((agent) => {
    const principal = view.catalog.principals.get(agent)
    if (principal === undefined) return []
    return [{ principal, input: sceneWith(view, context, { ground, agent }) }]
  })
  // Of whom the catalog does not know nothing is permitted.
  const isKnown = found.length === principals.length
  const unknown = isKnown ? null : { cause: 'unknown_principal' }
  return { refusal: refusal ?? unknown, principals: found, links }
}
