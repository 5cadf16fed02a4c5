// The inbox: what waits for the person who asks.
import type { Hono } from 'hono'
import type { Catalog } from '#rules/catalog/catalog'
import { canonical, jsonOf } from '#record/canonical'
import type { Waits } from '#present/story/waits'
import { waitsOf } from '#present/story/waits-of'
import { openReviewOf, type OpenReviewShown } from '#runtime/engine/gathering/open-reviews'
import { demandsOf } from '#operations/demands'
import { requestInvalid } from '#serving/problem'
import { InboxQuery, type InboxAnswer, type InboxRow } from '#schemas/console/reviews'
import type { z } from 'zod'
import { answersLeftFor } from '../answers-left.ts'
import type { ConsoleOn } from '../console.ts'
import { ofCell, positionsNow } from '../logs.ts'
import { addFor, queryAsked } from '../routed.ts'
import type { WaitingReview } from './inbox.ts'

type PageAsked = z.output<typeof InboxQuery>
type Row = z.output<typeof InboxRow>

/** A row has no more of the arguments than this; the card has them all. */
const argsBytesMax = 2_048

export function addInbox(app: Hono, on: ConsoleOn): void {
  addFor(app, on, 'inbox', async ({ c, person }) => {
    const query = queryAsked(c, InboxQuery)
    const now = on.runtime.clock.now()
    const at = { position: positionsNow(on), now: new Date(now).toISOString() }
    const each = on.logs.map((log) => ({ log, waiting: log.inbox.of(person.id, now) }))
    const count = each.reduce((sum, { waiting }) => sum + waiting.length, 0)
    const { page, next } = pageOf(each, query)
    const rows = await Promise.all(page.map((asked) => rowOf(asked, { person: person.id, now })))
    const open = rows.filter((row) => row !== null)
    const answersLeft = on.logs.flatMap((log) => answersLeftFor(log, person.id) ?? [])
    const left = answersLeft.length > 0 && { answersLeft }
    return c.json({ ...at, count, open, next, ...left } satisfies InboxAnswer)
  })
}

interface WaitingIn {
  readonly log: ConsoleOn
  readonly waiting: readonly WaitingReview[]
}

interface AskedIn {
  readonly log: ConsoleOn
  readonly asked: WaitingReview
}

/** What comes after the last that was shown, whatever came or went before it. */
function pageOf(each: readonly WaitingIn[], { after, limit }: PageAsked) {
  const last = after === undefined ? null : cursorIn(after)
  const following = each.flatMap(({ log, waiting }) => {
    const first = last === null ? 0 : waiting.findIndex((one) => isAfter({ log, asked: one }, last))
    return first === -1
      ? []
      : waiting.slice(first, first + limit + 1).map((asked) => ({ log, asked }))
  })
  const all = each.length === 1 ? following : following.toSorted(inOrder)
  const page = all.slice(0, limit)
  const end = page.at(-1)
  return { page, next: end === undefined || all.length <= limit ? null : cursorOf(end) }
}

/** By when they expire; at one time by their cells, and in each as they came. */
function inOrder(one: AskedIn, other: AskedIn): number {
  return one.asked.decideBy - other.asked.decideBy || cellOrder(one.log) - cellOrder(other.log)
}

function cellOrder(log: ConsoleOn): number {
  return ofCell(log).cell ?? 0
}

interface Cursor extends Pick<WaitingReview, 'decideBy' | 'position'> {
  readonly cell: number
}

function isAfter({ log, asked }: AskedIn, last: Cursor): boolean {
  if (asked.decideBy !== last.decideBy) return asked.decideBy > last.decideBy
  const cell = cellOrder(log)
  return cell === last.cell ? asked.position > last.position : cell > last.cell
}

/** With its cell, where there are several. */
function cursorOf({ log, asked: { decideBy, position } }: AskedIn): string {
  const { cell } = ofCell(log)
  return [decideBy, position, ...(cell === undefined ? [] : [cell])].join('.')
}

function cursorIn(text: string): Cursor {
  const found = /^([0-9]{1,16})\.([0-9]{1,16})(?:\.([0-9]{1,3}))?$/.exec(text)
  const [, decideBy, position, cell = '0'] = found ?? []
  if (decideBy === undefined) throw requestInvalid(400, '`after` takes `next` of the page before')
  return { decideBy: Number(decideBy), position: Number(position), cell: Number(cell) }
}

async function rowOf(
  { log, asked }: AskedIn,
  { person, now }: { readonly person: string; readonly now: number },
): Promise<Row | null> {
  const { runtime } = log
  const { state } = runtime.follower
  const { for: instead = null } = asked
  const intent = state.intents.get(asked.intent)
  const open = intent === undefined ? null : await openReviewOf(runtime, intent)
  if (intent === undefined || open === null) return null
  const row = rowFor(open, waitsOf(state, intent, now), state.catalog)
  const handedOver = (intent.handovers ?? []).filter(({ to }) => to === person)
  return { ...ofCell(log), ...row, for: instead, askedBy: handedOver.map(({ from }) => from) }
}

function rowFor(
  { review, intent, name, position, openedAt }: OpenReviewShown,
  { agreed, needed }: Waits,
  catalog: Catalog,
): Omit<Row, 'for' | 'askedBy'> {
  const { shown, terms, questions } = review
  const bytes = Buffer.byteLength(canonical(jsonOf(terms.args)))
  return {
    intent,
    review: name,
    number: review.number,
    position,
    openedAt: new Date(openedAt).toISOString(),
    decideBy: review.decideBy,
    agent: review.intent.agent,
    owner: shown.owner,
    capability: terms.capability,
    safetyClass: shown.safetyClass,
    goal: shown.goal,
    questions: questions.length,
    tier: review.tier,
    agreed: [...agreed],
    needed,
    digest: review.digest,
    args: bytes > argsBytesMax ? null : terms.args,
    argsBytes: bytes,
    demands: demandsOf(catalog, review),
  }
}
