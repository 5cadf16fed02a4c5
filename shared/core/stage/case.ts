// The case that the rule chain judges, from what is known of an intent at a view. The policy stage,
// the release of a review and a replay all judge by this.
import type { Ground, MessageFinding } from '#schemas/facts'
import { limitOf } from '../catalog/catalog.ts'
import type { Case } from '../judge/judge.ts'
import type { Violation } from '../judge/violation.ts'
import { waitForUse } from '../world/uses.ts'
import { capabilityOf, type View } from './view.ts'

export interface Known {
  readonly finding: MessageFinding
  readonly ground: Ground | null
  readonly violations: readonly Violation[]
}

export function caseOf(view: View, known: Known, review?: Case['review']): Case {
  const capability = capabilityOf(view)
  const { request } = view.opening
  const { agent } = view.ref
  const principal = view.catalog.principals.get(agent) ?? null
  const { finding, ground, violations } = known
  const gaps = ground === null ? null : { grounded: ground.grounded, gaps: ground.gaps }
  return {
    message: finding,
    principal,
    ...(request !== null && { capability, request }),
    ...(gaps !== null && { grounding: gaps }),
    violations,
    rate: rateOf(view),
    ...(review !== undefined && { review }),
    withdrawn: view.intent.withdrawnAt !== null,
  }
}

/** The limit on uses of the capability by this agent; null where there is none. */
export function usesLimit(view: View): { readonly uses: number; readonly windowMs: number } | null {
  const capability = capabilityOf(view)
  if (capability === null) return null
  return limitOf(view.catalog, capability, view.catalog.principals.get(view.ref.agent))
}

function rateOf(view: View): { readonly limited: boolean; readonly waitMs: number } {
  const limit = usesLimit(view)
  // The use that this intent holds already is its own; it is not counted against it.
  if (limit === null || view.intent.use !== null) return { limited: false, waitMs: 0 }
  const waitMs = waitForUse(view.uses, limit, view.now)
  return { limited: waitMs > 0, waitMs }
}
