// Open reviews, oldest first: the call, who asks and why, what is known, the questions, and how far
// it is. One that shows something else than its digest covers is not shown at all.
import type { OnScreen } from '#present/lines'
import { treeOfIntent } from '#present/grounding-tree'
import { reviewChanges } from '#present/review-change'
import { waitsAnswer } from '#present/story/waits'
import { waitsOf } from '#present/story/waits-of'
import { Fault } from '#record/fault'
import { groundingOf, openReviewOf, previousOf } from '#runtime/engine/gathering/open-reviews'
import type { Page } from '#schemas/operations/operation'
import { reviewsAsked, type ReviewRow } from '#schemas/operations/reviews'
import { countedDecisions } from '#state/decision'
import type { OpenIntent } from '#state/intent'
import { answersOf, pageLeft } from './answering.ts'
import { isAskedBy } from './finding/theirs.ts'
import { firstLogOf, instant, ofLog, pageByTime, type RealmLog } from './realm.ts'
import { reviewInShort } from './review-lines.ts'

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
  shown: reviewsOnScreen,
})

export function reviewsOnScreen({ rows, now, count, next }: Page<ReviewRow>): readonly OnScreen[] {
  return [
    ...rows.flatMap((row) => reviewInShort(row, Date.parse(now))),
    ...(count === 0 ? ['nothing is pending'] : []),
    ...(next === null ? [] : ['', pageLeft(rows.length, { count, next })]),
  ]
}

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
