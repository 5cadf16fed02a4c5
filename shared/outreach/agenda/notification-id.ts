// The names of notifications: they follow from what is to be sent to whom, so that of any number of
// services that mean the same one binds it, and sends it.
import { sha256 } from '#record/crypto/crypto'
import type { NotificationData } from '#schemas/outreach/notification'
import { canonical } from '#record/canonical'

/** What distinguishes one notification from all others. */
export type NotificationKey = Pick<
  NotificationData,
  'review' | 'person' | 'channel' | 'step' | 'number'
>

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const idLength = 26

/** By which everything that is recorded of it belongs together. */
export function notificationKey(of: NotificationKey): string {
  const { review, person, channel, step, number } = of
  return canonical([review, person, channel, step, number])
}

/** The identifier of its attempt, or of how that ended, shaped as a ULID. */
export function notificationId(
  of: NotificationKey & Pick<NotificationData, 'attempt'>,
  what: 'attempt' | 'result',
): string {
  return idOf([notificationKey(of), of.attempt, what])
}

/** The same for all attempts: by which the other side recognises a repetition. */
export function channelMessageId(of: NotificationKey): string {
  return idOf([notificationKey(of)])
}

/** Between 0 and 1, the same for the same: what fails together is not tried together again. */
export function retrySpread(of: NotificationKey & Pick<NotificationData, 'attempt'>): number {
  return (digestOfParts([notificationKey(of), of.attempt, 'spread'])[0] ?? 0) / 256
}

function idOf(parts: readonly (string | number)[]): string {
  const digest = digestOfParts(parts)
  return Array.from(digest.subarray(0, idLength), (byte) => alphabet[byte & 31]).join('')
}

function digestOfParts(parts: readonly (string | number)[]): Uint8Array {
  return sha256(canonical(parts))
}
