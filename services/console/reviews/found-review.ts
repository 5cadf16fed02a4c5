// The latest review of an intent, be it open or long decided, with what became of it.
import { readData } from '#record/event'
import { Fault } from '#record/fault'
import { isName, nameOf, patternsOf } from '#record/names'
import { answererOf, decisionRefusal } from '#state/decision'
import { countsAt } from '#state/eras'
import type { OpenIntent } from '#state/intent'
import type { Fact } from '#ports/log'
import { factAbout } from '#runtime/engine/binding'
import { openReviewOf } from '#runtime/engine/gathering/open-reviews'
import type { Runtime } from '#runtime/engine/runtime'
import type { DecisionData, ReviewData } from '#schemas/review'
import type { VerdictData } from '#schemas/facts'

type Looks = Pick<Runtime, 'log' | 'follower'>

export interface FoundReview {
  readonly name: string
  readonly position: number
  readonly openedAt: number
  readonly review: ReviewData
  /** Null where the intent is decided. */
  readonly intent: OpenIntent | null
  readonly verdict: { readonly fact: Fact; readonly data: VerdictData } | null
  readonly answers: readonly GivenAnswer[]
}

export interface GivenAnswer {
  readonly fact: Fact
  readonly data: DecisionData
  readonly counts: boolean
}

/** Throws a Fault `no_review` where no one was ever asked about it. */
export async function foundReview(runtime: Looks, address: string): Promise<FoundReview> {
  const { state } = runtime.follower
  const intent = state.intents.get(address) ?? null
  const open = intent === null ? null : await openReviewOf(runtime, intent)
  const latest = open ?? (await latestReview(runtime, address))
  if (latest === null) {
    throw new Fault('no_review', `no one was asked about \`${address.slice(0, 200)}\``)
  }
  const verdict = intent === null ? await verdictOn(runtime, address) : null
  return {
    name: latest.name,
    position: latest.position,
    openedAt: latest.openedAt,
    review: latest.review,
    intent,
    verdict,
    answers: await answersTo(runtime, latest, { intent, verdict: verdict?.data ?? null }),
  }
}

interface LatestReview {
  readonly name: string
  readonly position: number
  readonly openedAt: number
  readonly review: ReviewData
}

async function latestReview(
  { log, follower }: Looks,
  address: string,
): Promise<LatestReview | null> {
  const { place } = follower.state
  if (!isAddress(follower.state.place, address)) return null
  let found: LatestReview | null = null
  const names = patternsOf(place, 'review', ...address.split('.'), '*')
  for await (const fact of log.read({}, names)) {
    const review = countsAt(follower.state, fact) ? readData('review', fact) : null
    if (review === null) continue
    found = { name: fact.name, position: fact.position, openedAt: fact.appendedAt, review }
  }
  return found
}

/** Whether names of facts can have it in them. */
export function isAddress(place: Parameters<typeof nameOf>[0], address: string): boolean {
  return address.split('.').length === 3 && isName(nameOf(place, 'verdict', address))
}

async function verdictOn(runtime: Looks, address: string): Promise<FoundReview['verdict']> {
  const fact = await factAbout(runtime, 'verdict', address)
  const data = fact === undefined ? null : readData('verdict', fact)
  return fact === undefined || data === null ? null : { fact, data }
}

async function answersTo(
  { log, follower }: Looks,
  { review }: LatestReview,
  of: { readonly intent: OpenIntent | null; readonly verdict: VerdictData | null },
): Promise<readonly GivenAnswer[]> {
  const { state } = follower
  const { address } = review.intent
  const names = patternsOf(
    state.place,
    'decision',
    ...address.split('.'),
    // Where the same was only opened again, what was answered before counts on.
    review.spoiltBy === undefined ? String(review.number) : '*',
    '*',
  )
  const agreed = new Set(of.verdict?.release?.confirmedBy ?? [])
  const given: GivenAnswer[] = []
  for await (const fact of log.read({}, names)) {
    const data = readData('decision', fact)
    if (data === null) continue
    const { name, position, appendedAt } = fact
    const open = of.intent?.review
    // Of a decided one the verdict says whose yes counted; a no that was decided by counted too.
    const counts =
      open === null || open === undefined
        ? agreed.has(answererOf(data)) || of.verdict?.reasons[0]?.code === 'declined'
        : decisionRefusal(
            state,
            open,
            { name, position, appendedAt, data },
            of.intent?.decisions ?? [],
          ) === null
    const isOfThis = data.review === nameOf(state.place, 'review', address, review.number)
    if (counts || isOfThis || review.spoiltBy === undefined) given.push({ fact, data, counts })
  }
  return given
}
