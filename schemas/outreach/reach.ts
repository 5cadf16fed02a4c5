// Where a person is reached, and when not: a line of the store of a console, which can be erased.
// It must never stand in the log.
import { z } from 'zod'
import { Id } from '../rules/terms.ts'
import { webhookKinds } from './webhook-channels.ts'

/** One address, and nothing with which a header could go on. */
const MailAddress = z.email().max(254)
/** A secret by its name, as drivers of tools name theirs. */
const SecretName = z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/)

/** What a browser gives a page that subscribes, without what else is in it. */
const PushSubscriptionKeys = z.strictObject({
  /** An uncompressed point of P-256. */
  p256dh: z.string().regex(/^B[A-Za-z0-9_-]{86}$/),
  auth: z.string().regex(/^[A-Za-z0-9_-]{22}$/),
})

export const PushTarget = z.strictObject({
  channel: z.literal('push'),
  /** By which a person recognises it in a list. */
  label: z.string().max(64).optional(),
  url: z.url({ protocol: /^https?$/ }).max(1024),
  keys: PushSubscriptionKeys,
})

export const ReachTarget = z.discriminatedUnion('channel', [
  z.strictObject({ channel: z.literal('mail'), address: MailAddress }),
  /** The secret is the address of an incoming webhook. */
  z.strictObject({ channel: z.enum(webhookKinds), secret: SecretName }),
  PushTarget,
])
export type ReachTarget = z.infer<typeof ReachTarget>

const TimeOfDay = z.string().regex(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/)

/** From when until when a person is left alone, by the clocks of that zone. */
export const QuietHours = z.strictObject({
  from: TimeOfDay,
  to: TimeOfDay,
  /** Such as `Europe/Vienna`. */
  zone: z.string().min(1).max(64),
  /** Whether what expires before they end comes all the same. */
  wakes: z.boolean().default(false),
})
export type QuietHours = z.infer<typeof QuietHours>

export const targetsMax = 16

export const Reach = z.strictObject({
  person: Id,
  targets: z.array(ReachTarget).max(targetsMax),
  quiet: QuietHours.optional(),
})
export type Reach = z.infer<typeof Reach>
