// How it is put into words that someone was to be notified: by what, of which step, and how it
// ended.
import { quoted } from '#record/quote'
import type { ChannelFailureCode, NotificationData } from '#schemas/outreach/notification'
import { webhookChannels } from '#schemas/outreach/webhook-channels'

const stepTexts = {
  asked: 'of a review',
  reminder: 'again of a review',
  escalated: 'of a review that is not decided yet',
} as const satisfies Readonly<Record<NotificationData['step'], string>>

const failureTexts = {
  target_invalid: 'what is known of the person there cannot be used',
  gone: 'the address is no one’s any more',
  secret_missing: 'the secret that it needs is not there',
  secret_invalid: 'the secret that it needs cannot be used',
  url_blocked: 'the rules on addresses refuse it',
  unresolved: 'its host has no address',
  unreachable: 'its host cannot be reached',
  connection_lost: 'the connection was lost',
  timed_out: 'it did not answer in time',
  unauthorized: 'it does not know who sends',
  refused: 'it does not take this message',
  rate_limited: 'it takes no more messages for now',
  unavailable: 'it takes no messages for now',
  redirected: 'it answers from elsewhere',
  tls_failed: 'its certificate is not good',
  protocol_error: 'its answer cannot be read',
} as const satisfies Readonly<Record<ChannelFailureCode, string>>

export function channelText(channel: NotificationData['channel']): string {
  switch (channel) {
    case 'push':
      return 'the browser'
    case 'mail':
      return 'e-mail'
    default:
      return webhookChannels[channel].title
  }
}

export function channelFailureText(code: ChannelFailureCode): string {
  return failureTexts[code]
}

/** Such as ``notifies `ann` by e-mail of a review: sent``. */
export function notificationPhrase(data: NotificationData): string {
  const deputy = data.for === undefined ? '' : ` as deputy of ${quoted(data.for)}`
  const by = `by ${channelText(data.channel)} ${stepTexts[data.step]}`
  return `notifies ${quoted(data.person)}${deputy} ${by}: ${endingText(data)}`
}

function endingText(data: NotificationData): string {
  const tries = data.attempt === 1 ? '' : ` at attempt ${data.attempt}`
  switch (data.state) {
    case 'begun':
      return `begun${tries}`
    case 'sent':
      return `sent${tries}`
    case 'failed':
      return `failed${tries}, ${failureTexts[data.code]}`
  }
}
