// A relata policy that an action triggers, and what its callback said. Nothing here decides: all
// triggered policies are collected first, satisfied ones too, and the rule chain resolves them
// together.
import type { CallbackFault } from '#schemas/callbacks'
import type { Cardinality, PlacedPolicy, Policy } from '#schemas/graph'

/** What a callback said. One that threw, hung, answered nonsense or is not there has a fault. */
export type CallbackResult =
  | {
      readonly passed: boolean
      readonly message?: string | undefined
      readonly fault?: never
    }
  | { readonly fault: CallbackFault; readonly passed?: never }

/**
 * One triggered policy on one edge; the same policy on two edges is two. A policy whose callback
 * says that it does not apply (`applies: false`) is not triggered: anyone who collects leaves it
 * out.
 */
export interface Violation {
  readonly policy: Pick<Policy, 'name' | 'requiresConfirmation' | 'confirmation'>
  readonly source: string
  readonly target: string
  /** What its author says of it; null where the author is silent. */
  readonly message: string | null
  /**
   * Null where the policy has no callback. One whose condition faulted has that fault, whether it
   * has a callback or not.
   */
  readonly callback: CallbackResult | null
  /** Of a policy with a condition: that it holds. */
  readonly applies?: true
}

/** The policies that this cardinality triggers, in stored order. Of an unknown one, all of them. */
export function trigger(
  policies: readonly PlacedPolicy[],
  cardinality: Cardinality | null,
): readonly PlacedPolicy[] {
  if (cardinality === null) return policies
  return policies.filter(({ policy: { triggerCardinality } }) => {
    return triggerCardinality === null || triggerCardinality === cardinality
  })
}

/**
 * The policy's message; null where it has none. Only the literal `{action}` is replaced: a message
 * is text and no program.
 */
export function render(policy: Pick<Policy, 'confirmationMessage'>, source: string): string | null {
  return policy.confirmationMessage?.replaceAll('{action}', () => source) ?? null
}
