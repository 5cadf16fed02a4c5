// What a grant would have let through: the calls of the last 30 days about which people were asked,
// each judged by the grant and by the catalog of now. It only reads.
import type { GrantContent } from '#rules/grants/drafted'
import { amountText, amountWritten } from '#rules/budgets/decimal'
import { fitsClass } from '#rules/grants/class'
import { grantWarnings } from '#rules/grants/preview'
import { answersQuestion } from '#rules/grants/question'
import { readData } from '#record/event'
import { nameOf, partsInRealm, patternsOf } from '#record/names'
import { openingOf } from '#messages/opening'
import { sceneOf } from '#stages/scene/scene'
import { viewOf } from '#stages/view'
import { openIntent } from '#state/intent'
import type { State } from '#state/state'
import type { Fact, LogReader } from '#ports/log'
import type { GrantPreview, WouldFit } from '#schemas/action/grant'
import type { ReviewData } from '#schemas/review'
import { gatherContext, readerOf, type Reader } from '../engine/gathering/gather.ts'

const previewDays = 30
const dayMs = 24 * 3_600_000
const shownMax = 5
export async function previewGrant(
  { log, state, now }: { readonly log: LogReader; readonly state: State; readonly now: number },
  grant: GrantContent,
): Promise<GrantPreview> {
  const since = now - previewDays * dayMs
  const reader = readerOf(log)
  const latest = new Map<string, { readonly fact: Fact; readonly review: ReviewData }>()
  for await (const fact of log.read({}, patternsOf(state.place, 'review'))) {
    const review = fact.appendedAt < since ? null : readData('review', fact)
    if (review?.terms.capability !== grant.capability) continue
    // No grant answers what others are asked, and its signer does not see that.
    if (!review.confirmers.includes(grant.confirmer)) continue
    if (grant.agents.includes(review.intent.agent)) {
      latest.set(review.intent.address, { fact, review })
    }
  }
  const fitting: WouldFit[] = []
  const used = { uses: 0, amount: 0n }
  let quorum = 1
  for (const asked of latest.values()) {
    const amount = await amountOf({ reader, state }, grant, asked)
    if (amount === null) continue
    quorum = Math.max(quorum, asked.review.quorum)
    const max = grant.budget === undefined ? null : amountWritten(grant.budget.max)
    const exceeds = max !== null && used.amount + amount > max
    const beyond = used.uses >= grant.uses || exceeds
    if (!beyond) {
      used.uses += 1
      used.amount += amount
    }
    fitting.push({ ...(await cameTo(reader, asked)), beyond })
  }
  return {
    days: previewDays,
    asked: latest.size,
    // What people declined matters more than what they allowed.
    first: fitting.toSorted((a, b) => Number(b.declined) - Number(a.declined)).slice(0, shownMax),
    fits: fitting.length,
    declined: fitting.filter(({ declined }) => declined).length,
    beyond: fitting.filter(({ beyond }) => beyond).length,
    amount: grant.budget === undefined ? null : amountText(used.amount),
    quorum,
    warnings: [
      ...grantWarnings(state.catalog, grant, { asked: latest.size, fits: fitting.length }),
    ],
  }
}

interface Asked {
  readonly fact: Fact
  readonly review: ReviewData
}

interface Folded {
  readonly reader: Reader
  readonly state: State
}

/** What it would have taken of the budget; null where the grant does not answer for it. */
async function amountOf(
  { reader, state }: Folded,
  grant: GrantContent,
  { fact, review }: Asked,
): Promise<bigint | null> {
  if (!review.questions.every((question) => answersQuestion(grant, question))) return null
  const { address } = review.intent
  const opened = await openedBy(reader, fact, address)
  const opening = opened === undefined ? null : openingOf(opened, state.catalog)
  if (opened === undefined || opening === null) return null
  const { position, appendedAt } = fact
  const asked = openIntent(address, opened, { id: null, beyond: false })
  const ground = { name: review.grounding, position, attempt: 1, grounded: true }
  const intents = new Map([[address, { ...asked, grounding: ground }]])
  // As it was asked about, and by the catalog of now.
  const then = { ...state, sealed: null, position: position - 1, appendedAt, intents }
  const view = viewOf(then, address, opening)
  if (view === null) return null
  const context = await gatherContext(reader, view)
  const input = sceneOf(view, context, context.grounding?.ground ?? null)
  return input === null ? null : (fitsClass(grant, input)?.amount ?? null)
}

// It may have been opened in an era before.
async function openedBy(
  reader: Reader,
  { name }: Fact,
  address: string,
): Promise<Fact | undefined> {
  const [realm = '', era = '1'] = name.split('.')
  for (let before = Number(era); before >= 1; before -= 1) {
    const found = await reader.get(nameOf({ realm, era: before }, 'vlp', address))
    if (found !== undefined) return found
  }
  return undefined
}

async function cameTo(reader: Reader, { fact, review }: Asked): Promise<Omit<WouldFit, 'beyond'>> {
  const { address, agent } = review.intent
  const place = partsInRealm(fact.name, fact.name.split('.')[0] ?? '')?.place
  const found = place && (await reader.get(nameOf(place, 'verdict', address)))
  const verdict = readData('verdict', found)
  const declined = verdict?.reasons.some(({ code }) => code === 'declined') === true
  const outcome = verdict?.outcome ?? null
  const askedAt = new Date(fact.appendedAt).toISOString()
  return { intent: address, agent, askedAt, args: review.terms.args, outcome, declined }
}
