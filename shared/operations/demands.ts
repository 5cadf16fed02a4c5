// By what a review lets people sign their answer, and how long a reason it takes of them.
import { rulesBuiltIn, type Catalog } from '#rules/catalog/catalog'
import { reasonDemanded } from '#rules/chain/reason-demanded'
import type { Demands } from '#schemas/people/demands'
import type { ReviewData } from '#schemas/review'

export function demandsOf(
  catalog: Pick<Catalog, 'defaults'>,
  { questions, demands }: ReviewData,
): Demands {
  const asksReason = questions.some(({ kind }) => kind === 'justification')
  const { justificationCharacters } = rulesBuiltIn(catalog)
  return {
    signedWith: demands?.signedWith ?? 'key_file',
    reason: reasonDemanded({ asksReason, demands }, justificationCharacters),
  }
}
