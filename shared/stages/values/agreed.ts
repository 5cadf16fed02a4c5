// What people agreed to in the session before: of an intent that was allowed after a review, the
// values which that review asked about. Which facts to read is stated here too, so that a worker,
// a replay and a test read the same.
import type { ConfirmedValue } from '#knowledge/known/evidence/value-evidence'
import { readData } from '#record/event'
import { agentIn, eraOf, nameOf, partsInRealm } from '#record/names'
import { revokedBy } from '#messages/warrants/revocations'
import type { SessionMessage } from '#messages/session'
import { hasRules } from '#rules/catalog/rules-version'
import type { VerdictData } from '#schemas/facts'
import type { Question } from '#schemas/review'
import { countsIn } from '#state/eras'
import { digestOfContent, panelOf } from '../review.ts'
import { capabilityOf, type AgreedReview, type Agreement } from '../view.ts'
import type { Context, View } from '../view.ts'

/** So many of the latest requests of the session are looked at. */
const requestsMax = 64

interface ReadFact {
  readonly name: string
  readonly position: number
  readonly appendedAt: number
  readonly bytes: Uint8Array
}

/** The name of a review, and how people agreed to it. */
interface Behind {
  readonly review: string
  readonly agreement: Agreement
}

/** Of the agent's requests before this one, the latest first: the names of their verdicts. */
export function verdictsBefore(view: View, session: readonly SessionMessage[]): readonly string[] {
  const { known = [] } = capabilityOf(view) ?? {}
  if (known.every(({ confirmed }) => confirmed === undefined)) return []
  const { place, intent, opening } = view
  const agent = agentIn(intent.address)
  return session
    .filter(({ position }) => position < opening.position)
    .flatMap(({ name }) => {
      const [sender, ...more] = partsInRealm(name, place.realm)?.tokens ?? []
      const isOwn = sender === agent && eraOf(name) === place.era
      return isOwn ? nameOf(place, 'verdict', [sender, ...more].join('.')) : []
    })
    .slice(-requestsMax)
    .toReversed()
}

/** The review that people agreed to before; null where the verdict is another. */
export function reviewBehind(view: View, verdict: ReadFact | undefined): Behind | null {
  if (verdict === undefined || !isBefore(view, verdict)) return null
  const data = readData('verdict', verdict)
  if (data === null || data.outcome !== 'allow' || data.observed || data.review === null)
    return null
  const { review, release } = data
  const by = release?.confirmedBy ?? []
  if (by.length === 0) return null
  if (isTakenBack(view, verdict, data)) return null
  return { review, agreement: { by, at: verdict.appendedAt } }
}

/** Whether what was allowed was revoked since. */
export function isTakenBack(
  view: View,
  { name: verdict, position: decidedAt }: Pick<ReadFact, 'name' | 'position'>,
  { intent: { agent }, grants, terms }: VerdictData,
): boolean {
  const { capability, chain } = terms ?? {}
  const of = { verdict, agent, grants, chain, decidedAt }
  return revokedBy(view, { ...of, ...(capability !== undefined && { capability }) }) !== null
}

export function agreedReview(
  view: View,
  fact: ReadFact | undefined,
  agreement: Agreement | undefined,
): AgreedReview | null {
  if (fact === undefined || agreement === undefined || !isBefore(view, fact)) return null
  const review = readData('review', fact)
  if (review === null || review.intent.agent !== view.ref.agent) return null
  // What is done for another is agreed to for that one alone.
  if (review.terms.chain !== undefined || review.terms.subject !== undefined) return null
  const isWhole = digestOfContent({ ...review, agent: review.intent.agent }) === review.digest
  return isWhole ? { name: fact.name, review, agreement } : null
}

function isBefore({ eras, opening }: View, fact: ReadFact): boolean {
  return fact.position < opening.position && countsIn(eras, fact)
}

/** The values that were asked about, by those whom this capability asks. */
export function confirmedIn(view: View, context: Context): readonly ConfirmedValue[] {
  const { confirmation } = capabilityOf(view) ?? {}
  const isNamed = hasRules(view.catalog, 'standingConfirmers')
  return context.agreed.flatMap(({ name, review, agreement }) => {
    const asked = review.questions.filter((one) => one.confirmation === confirmation)
    if (isNamed && !couldStillAgree(view, context, asked, agreement)) return []
    return asked.flatMap(({ kind, value }) => {
      if (kind !== 'value_unknown' || value === undefined) return []
      // What was cut for people to read may be another value.
      if (value.value.endsWith('…')) return []
      const { capability: tool } = review.terms
      const found = { kind: value.kind, value: value.value, tool, review: name }
      return isNamed ? { ...found, agreement } : found
    })
  })
}

// As their answers of this moment would: who left the group, is suspended or lost the key is not
// asked any more, and where more people have to agree by now, those are too few.
function couldStillAgree(
  view: View,
  context: Context,
  questions: readonly Question[],
  { by }: Agreement,
): boolean {
  const panel = panelOf(view, context, questions)
  if (typeof panel === 'string') return false
  const standing = by.filter((id) => {
    const isKnown = view.catalog.principals.get(id)?.suspended === false
    return isKnown && panel.confirmers.includes(id)
  })
  return standing.length >= panel.quorum
}
