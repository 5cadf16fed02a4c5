// The latest review of an intent, be it open or long decided, with what became of it.
import { readData } from '#record/event'
import { Fault } from '#record/fault'
import { isName, nameOf, patternsOf } from '#record/names'
import { answererOf, decisionRefusal } from '#state/decision'
import { countsAt } from '#state/eras'
import type { OpenIntent } from '#state/intent'
import type { Fact } from '#ports/log'
import type { ContentOf } from '#schemas/contents'
import { openReviewOf } from '#runtime/engine/gathering/open-reviews'
import type { DecisionData, ReviewData } from '#schemas/review'
import type { VerdictData } from '#schemas/facts'
import type { RealmLog } from './realm.ts'

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
export async function foundReview(at: ReadLog, address: string): Promise<FoundReview> {
  const { log, state } = at
  const intent = state.intents.get(address) ?? null
  const open = intent === null ? null : await openReviewOf({ log, follower: { state } }, intent)
  const latest = open ?? (await latestReview(at, address))
  if (latest === null) throw noReview(address)
  const { name, position, openedAt, review } = latest
  const verdict = intent === null ? await lastOf(at, 'verdict', [address]) : null
  const answers = await answersTo(at, review, { intent, verdict: verdict?.data ?? null })
  return { name, position, openedAt, review, intent, verdict, answers }
}

/** What is not the business of who asks is not there. */
export function noReview(address: string): Fault {
  return new Fault('no_review', `no one was asked about \`${address.slice(0, 200)}\``)
}

type ReadLog = Pick<RealmLog, 'log' | 'state'>

async function latestReview(at: ReadLog, address: string) {
  if (!isAddress(at.state.place, address)) return null
  const last = await lastOf(at, 'review', [address, '*'])
  if (last === null) return null
  const { fact, data: review } = last
  return { name: fact.name, position: fact.position, openedAt: fact.appendedAt, review }
}

/** The last of that name that counts, in any era. */
async function lastOf<K extends 'review' | 'verdict'>(
  { log, state }: ReadLog,
  kind: K,
  tokens: readonly string[],
) {
  const names = patternsOf(state.place, kind, ...tokens)
  let last: { readonly fact: Fact; readonly data: ContentOf<K> } | null = null
  for await (const fact of log.read({}, names)) {
    const data = countsAt(state, fact) ? readData(kind, fact) : null
    if (data !== null) last = { fact, data }
  }
  return last
}

/** Whether names of facts can have it in them. */
export function isAddress(place: Parameters<typeof nameOf>[0], address: string): boolean {
  return address.split('.').length === 3 && isName(nameOf(place, 'verdict', address))
}

async function answersTo(
  { log, state }: ReadLog,
  review: ReviewData,
  of: { readonly intent: OpenIntent | null; readonly verdict: VerdictData | null },
): Promise<readonly GivenAnswer[]> {
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
