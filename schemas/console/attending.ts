// What the console says of a person’s attention: how many answers a day are left, and by which
// browsers someone is notified.
import { z } from 'zod'
import { PushTarget } from '../outreach/reach.ts'
import { Digest } from '../values.ts'
import { OfCell } from './positions.ts'

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
