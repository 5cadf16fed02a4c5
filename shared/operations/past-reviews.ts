// What people were asked before: nothing that was asked ever disappears.
import { readData } from '#record/event'
import { nameOf, partsInRealm, patternsOf, token, type Place } from '#record/names'
import { countsAt } from '#state/eras'
import type { Fact } from '#ports/log'
import { utc } from '#present/wording'
import type { Kind } from '#schemas/kinds'
import { pastReviewsAsked, type PastReview } from '#schemas/operations/reviews'
import type { OperationAnswer } from '#schemas/operations/table'
import type { DecisionData, ReviewData } from '#schemas/review'
import { answersOf, rowsShown, type Columns } from './answering.ts'
import { weighed } from './facts.ts'
import { factsByTime, type FoundIn } from './finding/by-time.ts'
import { answeredNow, instant, ofLog, type Asker, type Realm, type RealmLog } from './realm.ts'
import { isShownTo } from './review.ts'

/** So many facts are looked at for one page. */
const lookedMax = 20_000

/**
 * Newest first, by when it ended: each stands at the fact that ended it, else at the last answer of
 * those who are meant, else where it was asked.
 */
export const pastReviewsAnswered = answersOf(pastReviewsAsked, {
  async answer({ realm, by }, { person, cursor, limit }) {
    const people = peopleMeant(by, person)
    const reading = await factsByTime(realm, {
      newestFirst: true,
      cursor,
      names: ({ state: { place } }) => [
        ...patternsOf(place, 'verdict', '*', '*', '*'),
        ...patternsOf(place, 'review', '*', '*', '*', '*'),
        ...(people ?? []).flatMap((id) => {
          return patternsOf(place, 'decision', '*', '*', '*', '*', token(id))
        }),
      ],
      lookedMax,
    })
    const found: FoundPast[] = []
    for await (const one of reading.facts) {
      const row = await pastRow(one, people, { by, now: realm.now })
      if (row === null) continue
      found.push({ ...one, row })
      if (found.length >= limit) break
    }
    return {
      ...answeredNow(realm),
      rows: await derivedAgain(realm, found),
      next: reading.next(),
      isWhole: !reading.hasStopped(),
    }
  },
  shown: pastOnScreen,
})

/** Null for all. Who may not read all of the log is asked about alone. */
export function peopleMeant(
  { principal, readsAll }: Asker,
  person: readonly string[] | undefined,
): readonly string[] | null {
  if (readsAll) return person ?? null
  return [principal ?? ''].filter((id) => person?.includes(id) !== false)
}

interface FoundPast extends FoundIn {
  readonly row: PastReview
}

/** A review that was ended by an allow which no stage bound came to nothing. */
async function derivedAgain(realm: Realm, found: readonly FoundPast[]): Promise<PastReview[]> {
  const allowed = found.filter(({ row }) => row.ended === 'allowed')
  const { why } = await weighed(realm, allowed)
  return found.map(({ fact, row }) => {
    return row.ended === 'allowed' && why.has(fact.name) ? { ...row, ended: 'void' } : row
  })
}

async function pastRow(
  { at, fact }: FoundIn,
  people: readonly string[] | null,
  { by, now }: { readonly by: Asker; readonly now: number },
): Promise<PastReview | null> {
  const { log, state } = at
  if (!countsAt(state, fact)) return null
  const name = reviewNamed(state.place, fact)
  if (name === null) return null
  const asked = name === fact.name ? fact : await log.get(name)
  const review = readData('review', asked)
  if (asked === undefined || review === null) return null
  const isAsked = people === null || people.some((id) => review.confirmers.includes(id))
  // A deputy is not asked, and may have answered.
  if (!isAsked && review.demands?.deputies !== true) return null
  const since = partsInRealm(asked.name, state.place.realm)?.place.era ?? 1
  const answers = await answersTo(at, { review, since }, people)
  const last = answers.at(-1)
  if (!isAsked && last === undefined) return null
  // Anyone may bind an answer under their own name.
  if (!isAsked && !(await isShownTo(at, review.intent.address, { by, now }))) return null
  const ended = await endOf(at, { review, since }, now)
  if (ended === null && (people === null || last === undefined)) return null
  const stands = ended?.by ?? (people === null ? undefined : last?.fact.name) ?? asked.name
  if (stands !== fact.name) return null
  return {
    intent: review.intent.address,
    review: asked.name,
    position: asked.position,
    endedAt: instant(ended?.at ?? last?.fact.appendedAt ?? asked.appendedAt),
    ended: ended?.how ?? 'answered',
    agent: review.intent.agent,
    tool: review.terms.capability,
    answers: answers.map(({ data }) => {
      return { person: data.confirmer, agreed: data.answers.every((yes) => yes) }
    }),
    ...ofLog(at),
  }
}

interface Answered {
  readonly fact: Fact
  readonly data: DecisionData
}

interface AskedSince {
  readonly review: ReviewData
  /** The era in which people were asked: what followed may be in a later one. */
  readonly since: number
}

/** The first of that name in the eras from then on. */
async function factSince(
  { log, state }: RealmLog,
  since: number,
  [kind, ...tokens]: readonly [Kind, ...(string | number)[]],
): Promise<Fact | undefined> {
  const { realm, era: last } = state.place
  for (let era = since; era <= last; era += 1) {
    const fact = await log.get(nameOf({ realm, era }, kind, ...tokens))
    if (fact !== undefined && countsAt(state, fact)) return fact
  }
  return undefined
}

/** Of these people, or of all, in the order in which they came. */
async function answersTo(
  at: RealmLog,
  { review: { intent, number }, since }: AskedSince,
  people: readonly string[] | null,
): Promise<readonly Answered[]> {
  const { address } = intent
  const answers: Answered[] = []
  const take = (fact: Fact | undefined): void => {
    const data = readData('decision', fact)
    if (fact !== undefined && data !== null) answers.push({ fact, data })
  }
  if (people === null) {
    const names = patternsOf(at.state.place, 'decision', address, String(number), '*')
    for await (const fact of at.log.read({}, names)) take(fact)
    return answers
  }
  for (const id of people) {
    take(await factSince(at, since, ['decision', address, number, token(id)]))
  }
  return answers.toSorted((one, other) => one.fact.position - other.fact.position)
}

/** The review that a fact ends, answers, or is, by its kind. */
const reviewIn: Partial<Record<Kind, (fact: Fact) => string | null>> = {
  verdict: (fact) => readData('verdict', fact)?.review ?? null,
  decision: (fact) => readData('decision', fact)?.review ?? null,
  review: ({ name }) => name,
}

function reviewNamed({ realm }: Place, fact: Fact): string | null {
  const kind = partsInRealm(fact.name, realm)?.kind
  return kind === undefined ? null : (reviewIn[kind]?.(fact) ?? null)
}

interface Ended {
  readonly how: PastReview['ended']
  readonly at: number
  /** The verdict that ended it; null where there is none. */
  readonly by: string | null
}

/** Null where it is open still. */
async function endOf(
  at: RealmLog,
  { review: { intent, number, decideBy }, since }: AskedSince,
  now: number,
): Promise<Ended | null> {
  const open = at.state.intents.get(intent.address)
  if (open?.review !== undefined && open.review !== null) {
    if (open.review.number > number)
      return { how: 'replaced', at: open.review.appendedAt, by: null }
    const until = Date.parse(decideBy)
    return now > until ? { how: 'expired', at: until, by: null } : null
  }
  const fact = await factSince(at, since, ['verdict', intent.address])
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

const columns: Columns<PastReview> = {
  empty: 'nothing was asked before',
  columns: [
    ['ended', ({ endedAt }) => utc(endedAt)],
    ['how', ({ ended }) => ended],
    ['tool', ({ tool }) => tool],
    ['agent', ({ agent }) => agent],
    ['agreed', ({ answers }) => peopleWho(answers, true)],
    ['declined', ({ answers }) => peopleWho(answers, false)],
    ['intent', ({ intent }) => intent],
  ],
}

function peopleWho(answers: PastReview['answers'], agreed: boolean): string {
  return answers.flatMap((one) => (one.agreed === agreed ? [one.person] : [])).join(', ')
}

function pastOnScreen({ rows, next, isWhole }: OperationAnswer<'pastReviews'>) {
  return [
    ...rowsShown(columns, rows),
    ...(next === null ? [] : ['', `There may be more: cursor of the next page: ${next}`]),
    ...(isWhole ? [] : ['It looked no further for now.']),
  ]
}
