// The inbox: what waits for the person who asks, and what they were asked before.
import type { Hono } from 'hono'
import { canonical, jsonOf } from '#core/kernel/canonical'
import { readData } from '#core/kernel/event'
import { nameOf, patternsOf, token } from '#core/kernel/names'
import { countsAt } from '#core/state/eras'
import { waitsOf } from '#present/story/waits'
import type { Fact } from '#ports/log'
import { openReviewOf } from '#runtime/engine/gathering/open-reviews'
import { requestInvalid } from '#runtime/serving/problem'
import { InboxQuery, type InboxAnswer, type InboxRow, type PastRow } from '#schemas/console/reviews'
import type { ReviewData } from '#schemas/review'
import { readBackwards } from '#services/client/reading/log/backwards'
import type { z } from 'zod'
import type { ConsoleOn } from '../console.ts'
import { addFor, queryAsked } from '../routed.ts'
import { demandsOf } from './demands.ts'
import type { WaitingReview } from './inbox.ts'

type PageAsked = z.output<typeof InboxQuery>
type Row = z.output<typeof InboxRow>
type Past = z.output<typeof PastRow>

/** A row has no more of the arguments than this; the card has them all. */
const argsBytesMax = 2_048
/** So many reviews are looked at for one page of the past. */
const lookedAtMax = 2_000

export function addInbox(app: Hono, on: ConsoleOn): void {
  addFor(app, on, 'inbox', async ({ c, person }) => {
    const query = queryAsked(c, InboxQuery)
    const { clock, follower } = on.runtime
    const now = clock.now()
    const { position } = follower.state
    const at = { position, now: new Date(now).toISOString() }
    const waiting = on.inbox.of(person.id, now)
    const { length: count } = waiting
    if (query.state === 'past') {
      const { past, next } = await pastOf(on, person.id, query)
      return c.json({ ...at, count, open: [], past, next } satisfies InboxAnswer)
    }
    const { page, next } = pageOf(waiting, query)
    const rows = await Promise.all(page.map((asked) => rowOf(on, asked, now)))
    const open = rows.filter((row) => row !== null)
    return c.json({ ...at, count, open, past: [], next } satisfies InboxAnswer)
  })
}

/** What comes after the last that was shown, whatever came or went before it. */
function pageOf(waiting: readonly WaitingReview[], { after, limit }: PageAsked) {
  const last = after === undefined ? null : cursorIn(after)
  const first = last === null ? 0 : waiting.findIndex((one) => isAfter(one, last))
  const page = first === -1 ? [] : waiting.slice(first, first + limit)
  const end = page.at(-1)
  const isLast = first === -1 || first + limit >= waiting.length || end === undefined
  return { page, next: isLast ? null : `${end.decideBy}.${end.position}` }
}

function isAfter(one: WaitingReview, last: Pick<WaitingReview, 'decideBy' | 'position'>): boolean {
  if (one.decideBy !== last.decideBy) return one.decideBy > last.decideBy
  return one.position > last.position
}

function cursorIn(text: string): Pick<WaitingReview, 'decideBy' | 'position'> {
  const [, decideBy, position] = /^([0-9]{1,16})\.([0-9]{1,16})$/.exec(text) ?? []
  if (decideBy === undefined) throw requestInvalid(400, '`after` takes `next` of the page before')
  return { decideBy: Number(decideBy), position: Number(position) }
}

async function rowOf(
  { runtime }: ConsoleOn,
  asked: WaitingReview,
  now: number,
): Promise<Row | null> {
  const { state } = runtime.follower
  const intent = state.intents.get(asked.intent)
  const open = intent === undefined ? null : await openReviewOf(runtime, intent)
  if (intent === undefined || open === null) return null
  const { review, name, position, openedAt } = open
  const { shown, terms, questions } = review
  const { agreed, needed, reason } = waitsOf(state, intent, now)
  const bytes = Buffer.byteLength(canonical(jsonOf(terms.args)))
  return {
    intent: asked.intent,
    review: name,
    number: review.number,
    position,
    openedAt: new Date(openedAt).toISOString(),
    decideBy: new Date(asked.decideBy).toISOString(),
    agent: review.intent.agent,
    owner: shown.owner,
    capability: terms.capability,
    safetyClass: shown.safetyClass,
    goal: shown.goal,
    questions: questions.length,
    asksReason: reason,
    tier: review.tier,
    agreed: [...agreed],
    needed,
    digest: review.digest,
    args: bytes > argsBytesMax ? null : terms.args,
    argsBytes: bytes,
    demands: demandsOf(review),
  }
}

/** Newest first, by when they were asked. */
async function pastOf(on: ConsoleOn, person: string, { after, limit }: PageAsked) {
  const { log, follower } = on.runtime
  const { state } = follower
  const before = after === undefined ? state.position + 1 : Number(after)
  if (!Number.isSafeInteger(before) || before < 1) {
    throw requestInvalid(400, '`after` takes `next` of the page before')
  }
  const names = patternsOf(state.place, 'review', '*', '*', '*', '*')
  const past: Past[] = []
  let lookedAt = 0
  for await (const { from, facts } of readBackwards(log, { before, names })) {
    for (const fact of facts) {
      const row = await pastRow(on, person, fact)
      if (row === null) continue
      past.push(row)
      if (past.length >= limit) return { past, next: String(fact.position) }
    }
    lookedAt += facts.length
    if (lookedAt >= lookedAtMax) return { past, next: from === 1 ? null : String(from) }
  }
  return { past, next: null }
}

async function pastRow({ runtime }: ConsoleOn, person: string, fact: Fact): Promise<Past | null> {
  const { log, follower } = runtime
  const { state } = follower
  const review = countsAt(state, fact) ? readData('review', fact) : null
  if (review === null || !review.confirmers.includes(person)) return null
  const { address, agent } = review.intent
  const own = await log.get(decisionName(runtime, review, person))
  const answer = own === undefined ? null : readData('decision', own)
  const ended = await endOf(runtime, review)
  if (ended === null && answer === null) return null
  return {
    intent: address,
    review: fact.name,
    position: fact.position,
    endedAt: new Date(ended?.at ?? own?.appendedAt ?? fact.appendedAt).toISOString(),
    ended: ended?.how ?? 'answered',
    agent,
    capability: review.terms.capability,
    answered: answer === null ? null : answer.answers.every((yes) => yes),
  }
}

function decisionName(
  { follower }: Pick<ConsoleOn['runtime'], 'follower'>,
  { intent, number }: ReviewData,
  person: string,
): string {
  return nameOf(follower.state.place, 'decision', intent.address, number, token(person))
}

/** Null where it is open still. */
async function endOf(
  { log, follower, clock }: ConsoleOn['runtime'],
  { intent, number, decideBy }: ReviewData,
): Promise<{ readonly how: Past['ended']; readonly at: number } | null> {
  const { state } = follower
  const open = state.intents.get(intent.address)
  if (open?.review !== undefined && open.review !== null) {
    if (open.review.number > number) return { how: 'replaced', at: open.review.appendedAt }
    const until = Date.parse(decideBy)
    return clock.now() > until ? { how: 'expired', at: until } : null
  }
  const fact = await log.get(nameOf(state.place, 'verdict', intent.address))
  const data = fact === undefined ? null : readData('verdict', fact)
  if (fact === undefined || data === null) return null
  const code = data.reasons[0]?.code
  const ends = { review_expired: 'expired', withdrawn: 'withdrawn' } as const
  const how =
    code === 'review_expired' || code === 'withdrawn'
      ? ends[code]
      : data.outcome === 'allow'
        ? 'allowed'
        : 'denied'
  return { how, at: fact.appendedAt }
}
