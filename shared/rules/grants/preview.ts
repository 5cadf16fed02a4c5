// What may make a grant wider than it looks, as its signer is shown before the yes.
import type { Catalog } from '../catalog/catalog.ts'
import { readsOf } from '#conditions/condition'
import { typeOfArguments } from '#conditions/types'
import type { GrantWarning } from '#schemas/action/grant'
import type { GrantContent } from './drafted.ts'

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
