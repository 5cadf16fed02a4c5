// What the log has of reaching people: whom which channel was to notify about which review, and how
// that ended. It must never have where a person is reached, nor what was sent.
import { z } from 'zod'
import { webhookKinds } from './webhook-channels.ts'
import { later } from '../later.ts'

export const ChannelKind = later(() => z.enum(['push', 'mail', ...webhookKinds]))
export type ChannelKind = z.infer<typeof ChannelKind>

/** `asked`: when the review opens. `escalated` goes to those whom the confirmation names. */
export const NotificationStep = later(() => z.enum(['asked', 'reminder', 'escalated']))
export type NotificationStep = z.infer<typeof NotificationStep>

/** Why a channel did not take it. */
export const ChannelFailureCode = later(() =>
  z.enum([
    /** What is known of the person there cannot be used. */
    'target_invalid',
    /** No longer an address of anyone: a subscription that ended, a mailbox that is not there. */
    'gone',
    'secret_missing',
    'secret_invalid',
    /** The rules on addresses refuse it. */
    'url_blocked',
    'unresolved',
    'unreachable',
    'connection_lost',
    'timed_out',
    /** The other side does not know who sends. */
    'unauthorized',
    /** It does not take this, no matter who sends it. */
    'refused',
    /** It takes no more for now. */
    'rate_limited',
    /** It cannot take anything for now. */
    'unavailable',
    'redirected',
    'tls_failed',
    'protocol_error',
  ]),
)
export type ChannelFailureCode = z.infer<typeof ChannelFailureCode>

/** How often one notification is attempted. */
export const attemptsMax = 5

const notified = {
  /** The name of the review. */
  review: z.string(),
  person: z.string(),
  /** The confirmer who is away, and whose deputy this person is. */
  for: z.string().optional(),
  channel: ChannelKind,
  step: NotificationStep,
  /** The n-th of that step, counting from 1. */
  number: z.int().min(1),
  attempt: z.int().min(1).max(attemptsMax),
}

export const NotificationData = later(() =>
  z.discriminatedUnion('state', [
    /** No one else sends it until then. */
    z.strictObject({
      ...notified,
      state: z.literal('begun'),
      until: z.iso.datetime({ offset: true }),
    }),
    /** The other side has taken it; whether anyone read it is not known. */
    z.strictObject({ ...notified, state: z.literal('sent') }),
    z.strictObject({
      ...notified,
      state: z.literal('failed'),
      code: ChannelFailureCode,
      /** Whether the same may succeed later. */
      mayPass: z.boolean(),
    }),
  ]),
)
export type NotificationData = z.infer<typeof NotificationData>
