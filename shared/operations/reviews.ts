// Open reviews, oldest first: the call, who asks and why, what is known, the questions, and how far
// it is. One that shows something else than its digest covers is not shown at all.
import { treeOfIntent } from '#present/grounding-tree'
import { reviewChanges } from '#present/review-change'
import { questionText } from '#present/question-text'
import { waitsAnswer } from '#present/story/waits'
import { waitsOf } from '#present/story/waits-of'
import { duration, utc } from '#present/wording'
import { Fault } from '#record/fault'
import { groundingOf, openReviewOf, previousOf } from '#runtime/engine/gathering/open-reviews'
import { reviewsAsked, type ReviewRow } from '#schemas/operations/reviews'
import { countedDecisions } from '#state/decision'
import type { OpenIntent } from '#state/intent'
import { answersOf, listShown, type Columns } from './answering.ts'
import { isAskedBy } from './finding/theirs.ts'
import { firstLogOf, instant, ofLog, pageByTime, type RealmLog } from './realm.ts'

export const reviewsAnswered = answersOf(reviewsAsked, {
  async answer({ realm, by }, { person, ...page }) {
    const { principals } = firstLogOf(realm).state.catalog
    const unknown = by.readsAll ? person?.find((id) => !principals.has(id)) : undefined
    if (unknown !== undefined) throw new Fault('usage', `the catalog has no \`${unknown}\``)
    const isMeant = ({ state }: RealmLog, { review }: OpenIntent): boolean => {
      const { principal: id } = by
      if (by.readsAll || review === null || id === null) return by.readsAll
      return person?.includes(id) !== false && isAskedBy(state, review, { id, now: realm.now })
    }
    const each = realm.logs.map(async (at) => {
      const intents = [...at.state.intents.values()].filter((open) => isMeant(at, open))
      const rows = intents.map((open) => reviewRow(at, open, realm.now))
      return (await Promise.all(rows)).flatMap((row) => {
        if (row === null) return []
        const standsIn = !by.readsAll && !row.review.confirmers.includes(by.principal ?? '')
        if (!isAskedOf(row, person) && !standsIn) return []
        return [{ at, position: row.position, appendedAt: Date.parse(row.openedAt), row }]
      })
    })
    return pageByTime(realm, (await Promise.all(each)).flat(), page, ({ row }) => row)
  },
  shown: (page) => listShown(columnsAt(Date.parse(page.now)), page),
})

/** Whether one of these people may answer it still; true for all. */
export function isAskedOf({ waits }: ReviewRow, people: readonly string[] | undefined): boolean {
  return people === undefined || people.some((id) => waits.people.includes(id))
}

/** Null where no one is asked. Throws a Fault `review_altered`. */
export async function reviewRow(
  at: Pick<RealmLog, 'log' | 'state' | 'cell'>,
  intent: OpenIntent,
  now: number,
): Promise<ReviewRow | null> {
  const { log, state } = at
  if (intent.review === null) return null
  const reader = { log, follower: { state } }
  const open = await openReviewOf(reader, intent)
  if (open === null) return null
  const { name, position, openedAt, review } = open
  const before = await previousOf(reader, review)
  const grounding = await groundingOf(reader, intent)
  return {
    intent: intent.address,
    name,
    position,
    openedAt: instant(openedAt),
    review,
    waits: waitsAnswer(waitsOf(state, intent, now)),
    answered: countedDecisions(state, intent.review, intent.decisions).map(
      ({ data }) => data.confirmer,
    ),
    handovers: (intent.handovers ?? []).map(({ from, to, name: by }) => ({ from, to, name: by })),
    known: treeOfIntent(grounding?.ground ?? null, intent.address),
    changes: before === null ? [] : [...reviewChanges(before, review)],
    ...ofLog(at),
  }
}

function columnsAt(now: number): Columns<ReviewRow> {
  return {
    empty: 'nothing is pending',
    columns: [
      ['age', ({ openedAt }) => duration(Math.max(0, now - Date.parse(openedAt)))],
      ['tool', ({ review }) => review.terms.capability],
      ['agent', ({ review }) => review.intent.agent],
      ['asks', ({ review }) => review.questions.map((one) => questionText(one)).join(' / ')],
      ['may answer', ({ waits }) => waits.people.join(', ')],
      ['approved', ({ waits }) => `${waits.agreed.length} of ${waits.needed}`],
      ['until', ({ review }) => utc(review.decideBy)],
      ['intent', ({ intent }) => intent],
    ],
  }
}
