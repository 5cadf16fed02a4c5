// Why a person's answer would count for nothing, reported before it is signed: a name is used by an
// answer that does not count, and that person could not answer again.
import { isJustified } from '#rules/chain/justification'
import { reasonDemanded } from '#rules/chain/reason-demanded'
import { rulesBuiltIn } from '#rules/catalog/catalog'
import type { Catalog } from '#rules/catalog/catalog'
import type { OpenIntent, OpenReview } from '#state/intent'
import { counted, duration } from '#present/wording'

export interface IntendedAnswer {
  readonly intent: OpenIntent
  readonly review: OpenReview
  readonly catalog: Pick<Catalog, 'principals' | 'defaults'>
  readonly signer: { readonly id: string; readonly publicKey: string }
  readonly answers: readonly boolean[]
  readonly note: string | undefined
  /** Whose deputy the signer is. */
  readonly inPlaceOf: string | undefined
  readonly now: number
}

/** Null where nothing stands in its way. */
export function answerFault(of: IntendedAnswer): string | null {
  const { intent, review, catalog, signer, answers, note, now, inPlaceOf } = of
  const { confirmers, decideBy, questions } = review
  const { id } = signer
  if (!confirmers.includes(inPlaceOf ?? id)) {
    const who = confirmers.map((name) => `\`${name}\``).join(', ')
    return `\`${inPlaceOf ?? id}\` may not answer it, ${who} may: give --as and --key`
  }
  const principal = catalog.principals.get(id)
  if (principal === undefined || principal.suspended)
    return `\`${id}\` is suspended or not in the catalog`
  if (!principal.keys.includes(signer.publicKey)) {
    const how = `add ${signer.publicKey} to its \`keys\` and seed it`
    return `the catalog does not bind this key to \`${id}\`: ${how}`
  }
  if (intent.decisions.some(({ data }) => data.confirmer === id)) {
    return `\`${id}\` has answered it already`
  }
  if (now > decideBy) return `too late: it expired ${duration(now - decideBy)} ago`
  if (answers.length !== questions) {
    return `it asks ${questions} questions, and ${answers.length} answers were given`
  }
  const { justificationCharacters } = rulesBuiltIn(catalog)
  const { approving, declining } = reasonDemanded(review, justificationCharacters)
  const min = answers.every((answer) => answer) ? approving : declining
  if (min === 0 || isJustified(note, min)) return null
  return `it asks for a reason of at least ${counted(min, 'character')}: give --note`
}
