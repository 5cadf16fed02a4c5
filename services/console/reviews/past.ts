// What people were asked before: nothing that was asked ever disappears.
import { readData } from '#record/event'
import { nameOf, partsInRealm, patternsOf, token, type Place } from '#record/names'
import { countsAt } from '#state/eras'
import type { Fact } from '#ports/log'
import type { InboxQuery, PastRow } from '#schemas/console/reviews'
import type { ReviewData } from '#schemas/review'
import type { z } from 'zod'
import { weighed } from '#operations/facts'
import { factsByTime, type FoundIn } from '#operations/finding/by-time'
import type { Realm, RealmLog } from '#operations/realm'
import { realmServed } from '../asked.ts'
import type { ConsoleOn } from '../console.ts'

type PageAsked = z.output<typeof InboxQuery>
type Past = z.output<typeof PastRow>

/** So many facts are looked at for one page. */
const lookedMax = 20_000

/**
 * Newest first, by when it ended: each stands at the fact that ended it, else at that person's own
 * answer, else where it was asked.
 */
export async function pastOf(on: ConsoleOn, person: string, { after, limit }: PageAsked) {
  const realm = realmServed(on)
  const reading = await factsByTime(realm, {
    newestFirst: true,
    cursor: after,
    names: ({ state: { place } }) => [
      ...patternsOf(place, 'verdict', '*', '*', '*'),
      ...patternsOf(place, 'decision', '*', '*', '*', '*', token(person)),
      ...patternsOf(place, 'review', '*', '*', '*', '*'),
    ],
    lookedMax,
  })
  const found: FoundPast[] = []
  for await (const one of reading.facts) {
    const row = await pastRow(one, person, realm.now)
    if (row === null) continue
    found.push({ ...one, row })
    if (found.length >= limit) break
  }
  const next = reading.next()
  return { past: await derivedAgain(realm, found), next: next === null ? null : String(next) }
}

interface FoundPast extends FoundIn {
  readonly row: Past
}

/** A review that was ended by an allow which no stage bound came to nothing. */
async function derivedAgain(realm: Realm, found: readonly FoundPast[]): Promise<Past[]> {
  const allowed = found.filter(({ row }) => row.ended === 'allowed')
  const { why } = await weighed(realm, allowed)
  return found.map(({ fact, row }) => {
    return row.ended === 'allowed' && why.has(fact.name) ? { ...row, ended: 'void' } : row
  })
}

async function pastRow({ at, fact }: FoundIn, person: string, now: number): Promise<Past | null> {
  const { log, state } = at
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
  const ended = await endOf(at, review, now)
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
function reviewNamed(place: Place, fact: Fact): string | null {
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
  { log, state }: RealmLog,
  { intent, number, decideBy }: ReviewData,
  now: number,
): Promise<Ended | null> {
  const open = state.intents.get(intent.address)
  if (open?.review !== undefined && open.review !== null) {
    if (open.review.number > number)
      return { how: 'replaced', at: open.review.appendedAt, by: null }
    const until = Date.parse(decideBy)
    return now > until ? { how: 'expired', at: until, by: null } : null
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
