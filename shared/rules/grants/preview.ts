// What a grant would have let through, as it is shown to its signer before the yes, and what may
// make it wider than it looks.
import type { Catalog } from '../catalog/catalog.ts'
import { readsOf } from '#conditions/condition'
import { typeOfArguments } from '#conditions/types'
import type { GrantContent } from './beside.ts'

/** A call that it would have answered for. */
export interface WouldFit {
  /** The address of its intent. */
  readonly intent: string
  readonly agent: string
  /** Milliseconds since 1970. */
  readonly askedAt: number
  readonly args: unknown
  /** What became of it; null where it is open. */
  readonly outcome: 'allow' | 'deny' | null
  /** Whether people declined it. */
  readonly declined: boolean
  /** Whether by then the grant would have been used up. */
  readonly beyond: boolean
}

/**
 * Why it may be wider than it looks: its condition reads nothing; or nothing but what the agent
 * says of itself; or every call that was asked about fits.
 */
export type GrantWarning = 'reads_nothing' | 'own_words' | 'all_fit'

export interface GrantPreview {
  readonly days: number
  /** About how many calls of those agents and that capability people were asked. */
  readonly asked: number
  /** Some that fit: what people declined comes first, and then the oldest. */
  readonly first: readonly WouldFit[]
  /** How many fit. */
  readonly fits: number
  /** Of those that fit: how many people declined, and for how many it would not have lasted. */
  readonly declined: number
  readonly beyond: number
  /** What those within it come to; null where it has no budget. */
  readonly amount: string | null
  /** Of those that fit: how many people each needed at most. */
  readonly quorum: number
  readonly warnings: readonly GrantWarning[]
}

/** All of fewer would say little. */
const allFitMin = 3

/** What to say of a grant that fits so many of those that were asked about. */
export function grantWarnings(
  { capabilities }: Catalog,
  { capability, when }: GrantContent,
  { asked, fits }: { readonly asked: number; readonly fits: number },
): readonly GrantWarning[] {
  const reads = readsOf(when, typeOfArguments(capabilities.get(capability)?.argsSchema ?? {}))
  if (reads.size === 0) return ['reads_nothing']
  const warnings: GrantWarning[] = []
  if ([...reads].every((name) => name === 'intent')) warnings.push('own_words')
  if (asked >= allFitMin && fits === asked) warnings.push('all_fit')
  return warnings
}
