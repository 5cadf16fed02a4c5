// Who may look at a review beside those whom it asks: the deputies of who is away, and those to
// whom others have handed it over.
import { readData } from '#record/event'
import { deputyOf } from '#messages/people/people-said'
import { deputyRefusal } from '#messages/people/standing-in'
import { answererOf } from '#state/decision'
import type { State } from '#state/state'
import type { Runtime } from '#runtime/engine/runtime'
import type { CardAnswer } from '#schemas/console/reviews'
import type { FoundReview } from './found-review.ts'

/** In the order of the review; those whose answer is there already need no deputy. */
export function deputiesOf(
  { catalog, people }: Pick<State, 'catalog' | 'people'>,
  { review, answers }: FoundReview,
  now: number,
): CardAnswer['deputies'] {
  const given = new Set(answers.map(({ data }) => answererOf(data)))
  const absent = review.confirmers.filter((id) => !given.has(id))
  return absent.flatMap((instead) => {
    const deputy = deputyOf(people, instead, now)
    const until = people.absences.get(instead)?.data.until
    if (deputy === null || until === undefined || until === null) return []
    const of = { deputy, absent: instead, at: now }
    if (deputyRefusal({ catalog, people }, review, of) !== null) return []
    return [{ person: deputy, instead, until: new Date(until).toISOString() }]
  })
}

/** As far as the intent is open. */
export async function handoversOf(
  { log }: Pick<Runtime, 'log'>,
  { intent }: FoundReview,
): Promise<CardAnswer['handovers']> {
  const all = (intent?.handovers ?? []).map(async ({ from, to, name }) => {
    const fact = await log.get(name)
    const at = new Date(fact?.appendedAt ?? 0).toISOString()
    return { from, to, at, note: readData('handover', fact)?.note ?? null }
  })
  return Promise.all(all)
}
