// One review with all that a person needs to decide, be it open or long decided: what is asked and
// known, what differs from the last that people agreed to, each answer, and what came of it.
import { jsonOf } from '#record/canonical'
import { readData } from '#record/event'
import { Fault } from '#record/fault'
import { deputyOf } from '#messages/people/people-said'
import { deputyRefusal } from '#messages/people/standing-in'
import { jsonDifferences } from '#present/console/json-difference'
import { treeOfIntent } from '#present/grounding-tree'
import { reviewChanges } from '#present/review-change'
import { waitsAnswer } from '#present/story/waits'
import { waitsOf } from '#present/story/waits-of'
import { groundingOf, previousOf } from '#runtime/engine/gathering/open-reviews'
import { reviewAsked, type ReviewShown } from '#schemas/operations/reviews'
import { answererOf } from '#state/decision'
import type { State } from '#state/state'
import { answersOf } from './answering.ts'
import { demandsOf } from './demands.ts'
import { wasAsked } from './finding/theirs.ts'
import { foundReview, noReview, type FoundReview } from './found-review.ts'
import { lastApprovedIn } from './last-approved.ts'
import { answeredNow, instant, ofLog, type Asker, type RealmLog } from './realm.ts'
import { shownReviewOnScreen } from './review-lines.ts'

const differencesMax = 200

export const reviewAnswered = answersOf(reviewAsked, {
  async answer({ realm, by }, { intent }) {
    for (const at of realm.logs) {
      const found = await foundReview(at, intent).catch(noneThere)
      if (found === null) continue
      if (!(await isShownTo(at, intent, { by, now: realm.now }))) continue
      return { ...answeredNow(realm), review: await reviewShown(at, found, { by, now: realm.now }) }
    }
    throw noReview(intent)
  },
  shown: (answer) => shownReviewOnScreen(answer.review, Date.parse(answer.now)),
})

function noneThere(error: unknown): null {
  if (error instanceof Fault && error.code === 'no_review') return null
  throw error
}

interface Looking {
  readonly by: Asker
  readonly now: number
}

/** To anyone else, the agent that asked too, it is not there. */
export async function isShownTo(
  at: RealmLog,
  intent: string,
  { by: { principal: id, readsAll }, now }: Looking,
): Promise<boolean> {
  return readsAll || (id !== null && (await wasAsked(at, intent, { id, now })))
}

export async function reviewShown(
  at: RealmLog,
  found: FoundReview,
  { by, now }: Looking,
): Promise<ReviewShown> {
  const { log, state } = at
  const { review, intent, verdict } = found
  const reader = { log, follower: { state } }
  const grounding =
    intent === null
      ? readData('grounding', await log.get(review.grounding))
      : await groundingOf(reader, intent)
  const previous = await previousOf(reader, review)
  const answers = found.answers.map(({ fact: { name, position, appendedAt }, data, counts }) => {
    return { name, position, appendedAt: instant(appendedAt), data, counts }
  })
  return {
    intent: review.intent.address,
    name: found.name,
    position: found.position,
    openedAt: instant(found.openedAt),
    state: stateOf(found, now),
    review,
    waits: intent === null ? null : waitsAnswer(waitsOf(state, intent, now)),
    answered: answers.filter(({ counts }) => counts).map(({ data }) => data.confirmer),
    known: treeOfIntent(grounding?.ground ?? null, review.intent.address),
    changes: previous === null ? [] : [...reviewChanges(previous, review)],
    demands: demandsOf(state.catalog, review),
    grounding,
    previous,
    ...(await comparedWith(at, review, { by, now, decidedAt: verdict?.fact.position })),
    answers,
    deputies: deputiesOf(state, found, now),
    handovers: await handoversOf(at, found),
    verdict:
      verdict === null
        ? null
        : {
            name: verdict.fact.name,
            position: verdict.fact.position,
            appendedAt: instant(verdict.fact.appendedAt),
            data: verdict.data,
          },
    ...ofLog(at),
  }
}

function stateOf({ intent, verdict, review }: FoundReview, now: number): ReviewShown['state'] {
  const reasons = verdict?.data.reasons ?? []
  if (reasons[0]?.code === 'review_expired') return 'expired'
  if (reasons.at(-1)?.code === 'withdrawn') return 'withdrawn'
  if (intent === null) return 'decided'
  if (intent.withdrawn !== null) return 'withdrawn'
  if (intent.review === null || intent.review.number > review.number) return 'replaced'
  return now > Date.parse(review.decideBy) ? 'expired' : 'open'
}

/** With the last of which people agreed to, where that is shown to who asks. */
async function comparedWith(
  at: RealmLog,
  review: FoundReview['review'],
  { decidedAt, ...looking }: Looking & { readonly decidedAt: number | undefined },
): Promise<Pick<ReviewShown, 'lastApproved' | 'differs'>> {
  const last = await lastOf(at, review, decidedAt)
  const isSeen = last !== null && (await isShownTo(at, last.intent, looking))
  if (!isSeen) return { lastApproved: null, differs: null }
  const differs = jsonDifferences(jsonOf(last.args), jsonOf(review.terms.args), differencesMax)
  return { lastApproved: last, differs: [...differs] }
}

async function lastOf(
  at: RealmLog,
  { intent, terms: { capability } }: FoundReview['review'],
  before?: number,
): Promise<ReviewShown['lastApproved']> {
  const { log, state } = at
  const { agent } = intent
  // Once it is decided, its own verdict may be the last, and later ones say nothing of it.
  const to = before === undefined ? state.position : before - 1
  const call = await (at.lastApproved?.(agent, capability, before) ??
    lastApprovedIn(at, { agent, capability, to }))
  if (call === null || call.intent === intent.address) return null
  const then = readData('review', await log.get(call.review))
  if (then === null) return null
  const { position, decidedAt, confirmedBy } = call
  return {
    intent: call.intent,
    position,
    decidedAt: instant(decidedAt),
    confirmedBy: [...confirmedBy],
    args: then.terms.args,
  }
}

// Who may look at a review beside those whom it asks: the deputies of who is away, and those to
// whom others have handed it over.

/** In the order of the review; those whose answer is there already need no deputy. */
function deputiesOf(
  { catalog, people }: Pick<State, 'catalog' | 'people'>,
  { review, answers }: FoundReview,
  now: number,
): ReviewShown['deputies'] {
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
  { log }: RealmLog,
  { intent }: FoundReview,
): Promise<ReviewShown['handovers']> {
  const all = (intent?.handovers ?? []).map(async ({ from, to, name }) => {
    const fact = await log.get(name)
    const note = readData('handover', fact)?.note ?? null
    return { from, to, at: instant(fact?.appendedAt ?? 0), note }
  })
  return Promise.all(all)
}
