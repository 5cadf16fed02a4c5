// The card of one review: all that is shown of it, and whether the person there may answer it.
import type { Hono } from 'hono'
import type { Catalog } from '#rules/catalog/catalog'
import { routineOffered } from '#client/grants/routine'
import { canSign } from '#rules/catalog/people/signed-words'
import { foundReview, noReview } from '#operations/found-review'
import type { Asker } from '#operations/realm'
import { isShownTo, reviewShown } from '#operations/review'
import type { CannotAnswer, CardAnswer } from '#schemas/console/reviews'
import type { ReviewShown } from '#schemas/operations/reviews'
import type { z } from 'zod'
import { realmLogOf } from '../asked.ts'
import { answersLeftFor } from '../answers-left.ts'
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

/** Throws a Fault `no_review`, also for who was not asked and may not read the log. */
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
  const by = await lookingAt(on, { person, address })
  const found = await reviewShown(at, await foundReview(at, address), { by, now })
  const { answered: _, known: __, changes: ___, ...shown } = found
  const cannot = cannotAnswer(state.catalog, person.id, found)
  const routine = cannot === null ? await routineFor(on, person.id, found) : null
  return {
    ...shown,
    asOf: state.position,
    now: new Date(now).toISOString(),
    cannot,
    ...(routine !== null && { routine }),
    ...left,
  }
}

/** Null where that person could not let later calls like it, too. */
async function routineFor(
  { runtime }: ConsoleOn,
  confirmer: string,
  { intent: address, review }: ReviewShown,
): Promise<string | null> {
  const intent = runtime.follower.state.intents.get(address)
  if (intent === undefined) return null
  const asked = { intent, args: review.terms.args, confirmer }
  return (await routineOffered(runtime, asked))?.when ?? null
}

/** Throws a Fault `no_review` where it is not shown to that person, as where no one was asked. */
export async function lookingAt(on: ConsoleOn, { person, address }: CardAsked): Promise<Asker> {
  const by = { principal: person.id, readsAll: person.rights.includes('auditor') }
  const now = on.runtime.clock.now()
  if (await isShownTo(realmLogOf(on), address, { by, now })) return by
  throw noReview(address)
}

/** Null where nothing stands in the way. */
function cannotAnswer(
  catalog: Catalog,
  id: string,
  found: ReviewShown,
): z.output<typeof CannotAnswer> | null {
  const { review, answers, deputies, state } = found
  const person = catalog.principals.get(id)
  if (person === undefined || person.suspended) return 'suspended'
  const hasGiven = answers.some(({ data }) => data.confirmer === id)
  const standsIn = deputies.some((one) => one.person === id)
  if (!review.confirmers.includes(id) && !standsIn && !hasGiven) return 'not_asked'
  if (state !== 'open') return state
  const hasAnswered = answers.some(({ data, counts }) => {
    return data.confirmer === id && (counts || review.spoiltBy === undefined)
  })
  if (hasAnswered) return 'answered'
  return canSign(catalog, person, review.demands?.signedWith) ? null : 'no_key'
}
