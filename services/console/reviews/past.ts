// What people were asked before: nothing that was asked ever disappears.
import { readData } from '#record/event'
import { nameOf, partsInRealm, patternsOf, token } from '#record/names'
import { countsAt } from '#state/eras'
import type { Fact } from '#ports/log'
import type { InboxQuery, PastRow } from '#schemas/console/reviews'
import type { ReviewData } from '#schemas/review'
import type { z } from 'zod'
import type { ConsoleOn } from '../console.ts'
import { forgedInRows } from '../reading/forged-rows.ts'
import { newestFirst, type FoundIn } from '../reading/newest-first.ts'

type PageAsked = z.output<typeof InboxQuery>
type Past = z.output<typeof PastRow>

/** So many facts are looked at for one page. */
const lookedAtMax = 20_000

/**
 * Newest first, by when it ended: each stands at the fact that ended it, else at that person's own
 * answer, else where it was asked.
 */
export async function pastOf(on: ConsoleOn, person: string, { after, limit }: PageAsked) {
  const reading = newestFirst(on, {
    before: after,
    names: ({ runtime: { place } }) => [
      ...patternsOf(place, 'verdict', '*', '*', '*'),
      ...patternsOf(place, 'decision', '*', '*', '*', '*', token(person)),
      ...patternsOf(place, 'review', '*', '*', '*', '*'),
    ],
  })
  const found: FoundPast[] = []
  const ended = async () => {
    const next = reading.next()
    return { past: await derivedAgain(on, found), next: next === null ? null : String(next) }
  }
  let lookedAt = 0
  for await (const one of reading.facts) {
    if (one === null && lookedAt >= lookedAtMax) return ended()
    if (one === null) continue
    lookedAt += 1
    const row = await pastRow(one.at, person, one.fact)
    if (row === null) continue
    found.push({ ...one, row })
    if (found.length >= limit) return ended()
  }
  return { past: await derivedAgain(on, found), next: null }
}

interface FoundPast extends FoundIn {
  readonly row: Past
}

/** A review that was ended by an allow which no stage bound came to nothing. */
async function derivedAgain(on: ConsoleOn, found: readonly FoundPast[]): Promise<Past[]> {
  const allowed = found.filter(({ row }) => row.ended === 'allowed')
  const { why } = await forgedInRows(on, allowed)
  return found.map(({ fact, row }) => {
    return row.ended === 'allowed' && why.has(fact.name) ? { ...row, ended: 'void' } : row
  })
}

async function pastRow({ runtime }: ConsoleOn, person: string, fact: Fact): Promise<Past | null> {
  const { log, follower } = runtime
  const { state } = follower
  if (!countsAt(state, fact)) return null
  const name = reviewNamed(state.place, fact)
  if (name === null) return null
  const asked = name === fact.name ? fact : await log.get(name)
  const review = readData('review', asked)
  if (asked === undefined || review === null) return null
  const { address, agent } = review.intent
  const isAsked = review.confirmers.includes(person)
  // A deputy is not asked, and may have answered.
  if (!isAsked && review.demands?.deputies !== true) return null
  const own = await log.get(nameOf(state.place, 'decision', address, review.number, token(person)))
  if (!isAsked && own === undefined) return null
  const answer = own === undefined ? null : readData('decision', own)
  const ended = await endOf(runtime, review)
  if (ended === null && answer === null) return null
  const stands = ended?.by ?? own?.name ?? asked.name
  if (stands !== fact.name) return null
  return {
    intent: address,
    review: asked.name,
    position: asked.position,
    endedAt: new Date(ended?.at ?? own?.appendedAt ?? asked.appendedAt).toISOString(),
    ended: ended?.how ?? 'answered',
    agent,
    capability: review.terms.capability,
    answered: answer === null ? null : answer.answers.every((yes) => yes),
  }
}

/** The review that the fact ends, answers, or is; null where it does none of these. */
function reviewNamed(place: ConsoleOn['runtime']['place'], fact: Fact): string | null {
  const parts = partsInRealm(fact.name, place.realm)
  switch (parts?.kind) {
    case 'verdict':
      return readData('verdict', fact)?.review ?? null
    case 'decision': {
      const data = readData('decision', fact)
      return data === null ? null : data.review
    }
    case 'review':
      return fact.name
    default:
      return null
  }
}

interface Ended {
  readonly how: Past['ended']
  readonly at: number
  /** The verdict that ended it; null where there is none. */
  readonly by: string | null
}

/** Null where it is open still. */
async function endOf(
  { log, follower, clock }: ConsoleOn['runtime'],
  { intent, number, decideBy }: ReviewData,
): Promise<Ended | null> {
  const { state } = follower
  const open = state.intents.get(intent.address)
  if (open?.review !== undefined && open.review !== null) {
    if (open.review.number > number)
      return { how: 'replaced', at: open.review.appendedAt, by: null }
    const until = Date.parse(decideBy)
    return clock.now() > until ? { how: 'expired', at: until, by: null } : null
  }
  const fact = await log.get(nameOf(state.place, 'verdict', intent.address))
  const data = fact === undefined ? null : readData('verdict', fact)
  if (fact === undefined || data === null) return null
  const { reasons } = data
  const how =
    reasons[0]?.code === 'review_expired'
      ? 'expired'
      : reasons.at(-1)?.code === 'withdrawn'
        ? 'withdrawn'
        : data.outcome === 'allow'
          ? 'allowed'
          : 'denied'
  return { how, at: fact.appendedAt, by: fact.name }
}
