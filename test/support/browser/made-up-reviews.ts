// Reviews as the server would answer them, made up in part: what a test is about is written out,
// and the digest is that of what they show.
import { digestOfContent } from '#stages/review'
import { CardAnswer, InboxRow } from '#schemas/console/reviews'
import { PastReview } from '#schemas/operations/reviews'
import type { ReviewData } from '#schemas/review'

const minute = 60_000
const log = `sha256:${'a1'.repeat(32)}`

type Changes = Partial<Omit<CardAnswer, 'review'>> & { readonly review?: Partial<ReviewData> }

export interface MadeUp extends Changes {
  readonly id?: string
  readonly args?: ReviewData['terms']['args']
  readonly minutes?: number
}

/** A refund that one person may approve, and whatever else the test says. */
export function cardOf({
  id = 'r1',
  args,
  minutes = 42,
  review,
  ...rest
}: MadeUp = {}): CardAnswer {
  const intent = `desk-bot.shop-7.${id}`
  const name = `main.1.review.${intent}.1`
  const data = withDigest({ ...refund(intent, minutes), ...review }, args)
  return CardAnswer.parse({
    intent,
    name,
    position: 91,
    openedAt: new Date(Date.now() - 3 * minute).toISOString(),
    asOf: 100,
    now: new Date().toISOString(),
    state: 'open',
    review: data,
    waits: null,
    cannot: null,
    demands: { signedWith: 'passkey', reason: { approving: 0, declining: 0 } },
    grounding: null,
    previous: null,
    lastApproved: null,
    differs: null,
    answers: [],
    deputies: [],
    handovers: [],
    verdict: null,
    ...rest,
  })
}

function withDigest(review: ReviewData, args: ReviewData['terms']['args'] | undefined): ReviewData {
  const terms = args === undefined ? review.terms : { ...review.terms, args }
  const whole = { ...review, terms }
  return { ...whole, digest: digestOfContent({ ...whole, agent: whole.intent.agent }) }
}

function refund(address: string, minutes: number): ReviewData {
  return {
    intent: { address, agent: 'desk-bot', session: 'shop-7' },
    grounding: `main.1.grounding.${address}.1`,
    number: 1,
    previous: null,
    tier: 'confirm',
    confirmation: 'refunds',
    confirmers: ['ann', 'olga'],
    excluded: [],
    quorum: 1,
    questions: [
      {
        kind: 'condition',
        message: 'More than 100 dollars go back to the customer. Is that right?',
        rule: 'large-refunds',
        confirmation: 'refunds',
      },
    ],
    terms: {
      capability: 'refund_order',
      args: { order: 'O-4711', amount: 240, to: 'visa ending in 4242', note: 'Arrived broken' },
      argsDigest: `sha256:${'b2'.repeat(32)}`,
      constraints: {},
      scope: {},
      useWithinMs: 15 * minute,
    },
    gaps: [],
    policies: [],
    values: [
      {
        arg: '/order',
        kind: 'id',
        value: 'O-4711',
        found: 'message',
        message: 'm-1',
        sender: 'customer-31',
        pointer: '/text',
      },
      { arg: '/to', kind: 'account', value: 'visa ending in 4242', found: 'nowhere' },
    ],
    shown: {
      owner: 'ann',
      description: 'Pays money back to the card that paid for an order',
      safetyClass: 'DESTRUCTIVE',
      sensitivity: 'PCI',
      goal: 'Help the customer whose order arrived broken',
      justification: 'The customer sent a photo of the broken vase and asked for the money back',
    },
    log,
    digest: log,
    decideBy: new Date(Date.now() + minutes * minute).toISOString(),
    callbacks: [],
  }
}

export function inboxRow(
  { intent, name, review, demands, position }: CardAnswer,
  at = 0,
): InboxRow {
  const suffix = at === 0 ? '' : `-${at}`
  return InboxRow.parse({
    intent,
    review: `${name}${suffix}`,
    number: 1,
    position,
    openedAt: new Date().toISOString(),
    decideBy: review.decideBy,
    agent: review.intent.agent,
    owner: review.shown.owner,
    capability: `${review.terms.capability}${suffix}`,
    safetyClass: review.shown.safetyClass,
    goal: review.shown.goal,
    questions: review.questions.length,
    tier: review.tier,
    agreed: [],
    needed: review.quorum,
    digest: review.digest,
    args: review.terms.args,
    argsBytes: JSON.stringify(review.terms.args).length,
    demands,
    for: null,
    askedBy: [],
  })
}

export function pastRow({ intent, name, position, review }: CardAnswer): PastReview {
  return PastReview.parse({
    intent,
    review: name,
    position,
    endedAt: new Date().toISOString(),
    ended: 'allowed',
    agent: review.intent.agent,
    tool: review.terms.capability,
    answers: [],
  })
}
