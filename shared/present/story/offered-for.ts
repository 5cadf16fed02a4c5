// Which offer an intent cites: what its agent was offered for a goal, in the same session and
// before it asked.
import { offerCited } from '#messages/offer'
import { checkBytes } from '#messages/check'
import type { Catalog } from '#rules/catalog/catalog'
import type { NameParts } from '#record/names'
import type { LoggedFact } from '#state/folded'

interface WithParts extends LoggedFact {
  readonly parts: NameParts
  readonly catalog: Catalog
}

interface Offers<Fact> {
  /** The offer that this fact cites where it is the intent's message; else null. */
  citedBy(fact: Fact): Fact | null
}

/** The latest of one agent in one session that may still be cited. */
const offersMax = 64

export function offersFor<Fact extends WithParts>(address: string): Offers<Fact> {
  const [agent = '', session = ''] = address.split('.')
  const offers = new Map<string, Fact>()
  return {
    citedBy(fact) {
      const { kind, tokens } = fact.parts
      if (kind === 'routing' && tokens[0] === agent && tokens[1] === session) {
        offers.set(tokens.join('.'), fact)
        const [oldest] = offers.keys()
        if (offers.size > offersMax && oldest !== undefined) offers.delete(oldest)
        return null
      }
      if (kind !== 'vlp' || fact.parts.address !== address || offers.size === 0) return null
      const cited = offerCited(checkBytes(fact.bytes, fact.catalog).message)
      return cited === null ? null : (offers.get(cited) ?? null)
    },
  }
}
