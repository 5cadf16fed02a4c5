// The card of one review: what a person needs to decide, and where it stands. It is data; the page
// puts it into words.
import type { Hono } from 'hono'
import { jsonOf } from '#record/canonical'
import { readData } from '#record/event'
import type { Catalog } from '#rules/catalog/catalog'
import { canSign } from '#rules/catalog/people/signed-words'
import { waitsAnswer } from '#present/story/waits'
import { waitsOf } from '#present/story/waits-of'
import { groundingOf, previousOf } from '#runtime/engine/gathering/open-reviews'
import { Refusal } from '#serving/problem'
import type { CannotAnswer, CardAnswer } from '#schemas/console/reviews'
import type { z } from 'zod'
import { answersLeftFor } from '../attending/answers-left.ts'
import type { ConsoleOn } from '../console.ts'
import type { ConsolePerson } from '../people/recognised.ts'
import { jsonDifferences } from '#present/console/json-difference'
import { addFor } from '../routed.ts'
import { demandsOf } from './demands.ts'
import { foundReview, type FoundReview } from './found-review.ts'
import type { LastApproved } from './last-approved.ts'
import { deputyOf } from '#messages/people/people-said'
import { deputyRefusal } from '#messages/people/standing-in'
import { answererOf } from '#state/decision'
import type { State } from '#state/state'
import type { Runtime } from '#runtime/engine/runtime'

type Cannot = z.output<typeof CannotAnswer>

const differencesMax = 200

export function addCard(app: Hono, on: ConsoleOn): void {
  addFor(app, on, 'card', async ({ on: at, c, person }) => {
    const address = c.req.param('intent') ?? ''
    return c.json(await reviewCard(at, at.lastApproved, { person, address }))
  })
}

export interface CardAsked {
  readonly person: ConsolePerson
  readonly address: string
}

/** Throws a Fault `no_review`, and a Refusal 403 for who was not asked and may not read the log. */
export async function reviewCard(
  { logs, runtime }: Pick<ConsoleOn, 'logs' | 'runtime'>,
  lastApproved: LastApproved,
  { person, address }: CardAsked,
): Promise<CardAnswer> {
  const { follower, clock } = runtime
  const { state } = follower
  const answersLeft = answersLeftFor({ logs, runtime }, person.id)
  const left = answersLeft !== null && { answersLeft }
  const found = await foundReview(runtime, address)
  const { review, intent, verdict } = found
  const now = clock.now()
  const deputies = deputiesOf(state, found, now)
  if (!isOfThese(person.id, found, deputies) && !person.rights.includes('auditor')) {
    const what = `\`${person.id}\` is not asked about this, and may not read all of the log`
    throw new Refusal(403, 'caller_refused', what, { reason: 'not_asked' })
  }
  return {
    intent: address,
    name: found.name,
    position: found.position,
    openedAt: iso(found.openedAt),
    asOf: state.position,
    now: iso(now),
    state: stateOf(found, now),
    review,
    waits: intent === null ? null : waitsAnswer(waitsOf(state, intent, now)),
    cannot: cannotAnswer(state.catalog, person.id, { found, deputies, now }),
    demands: demandsOf(state.catalog, review),
    grounding:
      intent === null ? await groundingNamed(runtime, review) : await groundingOf(runtime, intent),
    previous: await previousOf(runtime, review),
    ...(await comparedWith(runtime, lastApproved, review, verdict?.fact.position)),
    answers: found.answers.map(({ fact, data, counts }) => {
      const { name, position, appendedAt } = fact
      return { name, position, appendedAt: iso(appendedAt), data, counts }
    }),
    deputies,
    handovers: await handoversOf(runtime, found),
    verdict:
      verdict === null
        ? null
        : {
            name: verdict.fact.name,
            position: verdict.fact.position,
            appendedAt: iso(verdict.fact.appendedAt),
            data: verdict.data,
          },
    ...left,
  }
}

async function groundingNamed({ log }: ConsoleOn['runtime'], { grounding }: FoundReview['review']) {
  return readData('grounding', await log.get(grounding))
}

async function comparedWith(
  runtime: ConsoleOn['runtime'],
  lastApproved: LastApproved,
  review: FoundReview['review'],
  decidedAt?: number,
): Promise<Pick<CardAnswer, 'lastApproved' | 'differs'>> {
  const last = await lastOf(runtime, lastApproved, review, decidedAt)
  if (last === null) return { lastApproved: null, differs: null }
  const differs = jsonDifferences(jsonOf(last.args), jsonOf(review.terms.args), differencesMax)
  return { lastApproved: last, differs: [...differs] }
}

async function lastOf(
  { log }: ConsoleOn['runtime'],
  lastApproved: LastApproved,
  { intent, terms }: FoundReview['review'],
  before?: number,
): Promise<CardAnswer['lastApproved']> {
  // Once it is decided, its own verdict may be the last, and later ones say nothing of it.
  const call = await lastApproved.of(intent.agent, terms.capability, before)
  if (call === null || call.intent === intent.address) return null
  const then = readData('review', await log.get(call.review))
  if (then === null) return null
  const { position, decidedAt, confirmedBy } = call
  return {
    intent: call.intent,
    position,
    decidedAt: iso(decidedAt),
    confirmedBy: [...confirmedBy],
    args: then.terms.args,
  }
}

function stateOf({ intent, verdict, review }: FoundReview, now: number): CardAnswer['state'] {
  const reasons = verdict?.data.reasons ?? []
  if (reasons[0]?.code === 'review_expired') return 'expired'
  if (reasons.at(-1)?.code === 'withdrawn') return 'withdrawn'
  if (intent === null) return 'decided'
  if (intent.withdrawn !== null) return 'withdrawn'
  if (intent.review === null || intent.review.number > review.number) return 'replaced'
  return now > Date.parse(review.decideBy) ? 'expired' : 'open'
}

type Deputies = CardAnswer['deputies']

/** Whether that person was asked, may answer for another, or has answered. */
function isOfThese(id: string, { review, answers }: FoundReview, deputies: Deputies): boolean {
  return (
    review.confirmers.includes(id) ||
    deputies.some(({ person }) => person === id) ||
    answers.some(({ data }) => data.confirmer === id)
  )
}

interface Answering {
  readonly found: FoundReview
  readonly deputies: Deputies
  readonly now: number
}

/** Null where nothing stands in the way. */
function cannotAnswer(
  catalog: Catalog,
  id: string,
  { found, deputies, now }: Answering,
): Cannot | null {
  const { review, answers } = found
  const person = catalog.principals.get(id)
  if (person === undefined || person.suspended) return 'suspended'
  if (!isOfThese(id, found, deputies)) return 'not_asked'
  const state = stateOf(found, now)
  if (state !== 'open') return state
  const hasAnswered = answers.some(({ data, counts }) => {
    return data.confirmer === id && (counts || review.spoiltBy === undefined)
  })
  if (hasAnswered) return 'answered'
  return canSign(catalog, person, review.demands?.signedWith) ? null : 'no_key'
}

function iso(time: number): string {
  return new Date(time).toISOString()
}

// Who may look at a review beside those whom it asks: the deputies of who is away, and those to
// whom others have handed it over.

/** In the order of the review; those whose answer is there already need no deputy. */
function deputiesOf(
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
async function handoversOf(
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
