// The card of one review: all that is shown of it, and whether the person there may answer it.
import type { Hono } from 'hono'
import type { Catalog } from '#rules/catalog/catalog'
import { canSign } from '#rules/catalog/people/signed-words'
import { foundReview } from '#operations/found-review'
import { isOfThese, reviewShown } from '#operations/review'
import { Refusal } from '#serving/problem'
import type { CannotAnswer, CardAnswer } from '#schemas/console/reviews'
import type { ReviewShown } from '#schemas/operations/reviews'
import type { z } from 'zod'
import { realmLogOf } from '../asked.ts'
import { answersLeftFor } from '../attending/answers-left.ts'
import type { ConsoleOn } from '../console.ts'
import type { ConsolePerson } from '../people/recognised.ts'
import { addFor } from '../routed.ts'

export function addCard(app: Hono, on: ConsoleOn): void {
  addFor(app, on, 'card', async ({ on: at, c, person }) => {
    const address = c.req.param('intent') ?? ''
    return c.json(await reviewCard(at, { person, address }))
  })
}

export interface CardAsked {
  readonly person: ConsolePerson
  readonly address: string
}

/** Throws a Fault `no_review`, and a Refusal 403 for who was not asked and may not read the log. */
export async function reviewCard(
  on: ConsoleOn,
  { person, address }: CardAsked,
): Promise<CardAnswer> {
  const { follower, clock } = on.runtime
  const { state } = follower
  const answersLeft = answersLeftFor(on, person.id)
  const left = answersLeft !== null && { answersLeft }
  const at = realmLogOf(on)
  const now = clock.now()
  const found = await reviewShown(at, await foundReview(at, address), now)
  if (!isOfThese(person.id, found) && !person.rights.includes('auditor')) {
    const what = `\`${person.id}\` is not asked about this, and may not read all of the log`
    throw new Refusal(403, 'caller_refused', what, { reason: 'not_asked' })
  }
  const { answered: _, known: __, changes: ___, ...shown } = found
  return {
    ...shown,
    asOf: state.position,
    now: new Date(now).toISOString(),
    cannot: cannotAnswer(state.catalog, person.id, found),
    ...left,
  }
}

/** Null where nothing stands in the way. */
function cannotAnswer(
  catalog: Catalog,
  id: string,
  found: ReviewShown,
): z.output<typeof CannotAnswer> | null {
  const { review, answers, state } = found
  const person = catalog.principals.get(id)
  if (person === undefined || person.suspended) return 'suspended'
  if (!isOfThese(id, found)) return 'not_asked'
  if (state !== 'open') return state
  const hasAnswered = answers.some(({ data, counts }) => {
    return data.confirmer === id && (counts || review.spoiltBy === undefined)
  })
  if (hasAnswered) return 'answered'
  return canSign(catalog, person, review.demands?.signedWith) ? null : 'no_key'
}
