// What the console says of a person’s attention: how many answers a day are left, what people make
// of questions, and by which browsers someone is notified.
import { z } from 'zod'
import { PushTarget } from '../outreach/reach.ts'
import { Digest } from '../values.ts'
import { OfCell, LogPositions } from './positions.ts'

/** How many answers of a person count one by one. */
export const AnswersLeft = z.strictObject({
  ...OfCell,
  perDay: z.int(),
  /** Within 24 hours. */
  left: z.int(),
  /** When one more does, where none is left. */
  nextAt: z.iso.datetime().nullable(),
  /** What was answered together last, by the names of the reviews. */
  batch: z.array(z.string()),
  /** What of that waits still, by the addresses of the intents: it comes before another batch. */
  unfinished: z.array(z.string()),
})
export type AnswersLeft = z.infer<typeof AnswersLeft>

export const AttentionQuery = z.strictObject({
  /** Of reviews that were opened within so many days. */
  days: z.coerce.number().int().min(1).max(365).default(30),
})

const Share = z.number().min(0).max(1).nullable()
const Milliseconds = z.number().nullable()

const rateFields = {
  answers: z.int(),
  agreed: z.int(),
  declined: z.int(),
  agreedShare: Share,
  /** Within three seconds. */
  quick: z.int(),
  quickShare: Share,
  timeToDecide: z.strictObject({ medianMs: Milliseconds, p90Ms: Milliseconds }),
}

const PersonAttention = z.strictObject({
  person: z.string(),
  ...rateFields,
  asked: z.int(),
  unanswered: z.int(),
  perDay: z.strictObject({ mean: z.number(), most: z.int() }),
  /** How many answers count one by one within 24 hours; null where nothing limits them. */
  answersLeft: AnswersLeft.pick({ perDay: true, left: true }).nullable(),
})
export type PersonAttention = z.infer<typeof PersonAttention>

const RuleAttention = z.strictObject({
  /** Of the question. */
  kind: z.string(),
  rule: z.string().nullable(),
  ...rateFields,
  questions: z.int(),
  refused: z.int(),
  refusedShare: Share,
  expired: z.int(),
  /** Whether it was answered often enough, and always with yes. */
  changesNothing: z.boolean(),
})
export type RuleAttention = z.infer<typeof RuleAttention>

/** What people make of the questions that they are asked. */
export const AttentionAnswer = z.strictObject({
  position: LogPositions,
  now: z.iso.datetime(),
  /** Since when it is counted. */
  from: z.iso.datetime(),
  all: z.strictObject({
    ...rateFields,
    reviews: z.int(),
    expired: z.int(),
    /** How long agents waited for people, all together. */
    waitedMs: z.number(),
  }),
  /** Only of those whom the one who asks may see: themselves, and everyone for a policy admin. */
  people: z.array(PersonAttention),
  rules: z.array(RuleAttention),
  /** So many answers a rule must have before it is reported that it changes nothing. */
  answersMin: z.int(),
})
export type AttentionAnswer = z.infer<typeof AttentionAnswer>

/** A browser that a person is notified by. Its address stays at the server. */
const Subscribed = z.strictObject({
  /** The digest of its address, by which that browser recognises itself. */
  id: Digest,
  /** Of its push service. */
  host: z.string(),
  label: z.string().nullable(),
})
export type Subscribed = z.infer<typeof Subscribed>

export const ReachAnswer = z.strictObject({
  /** By which a browser subscribes; null where nothing is pushed. */
  publicKey: z.string().nullable(),
  browsers: z.array(Subscribed),
})
export type ReachAnswer = z.infer<typeof ReachAnswer>

export const SubscribeBody = PushTarget.omit({ channel: true })
export const UnsubscribeBody = z.strictObject({ id: Digest })
