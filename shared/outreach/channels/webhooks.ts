// Incoming webhooks: one post of JSON, as the table of these channels has it, to an address that is
// itself the secret. Where the secret has a second line, each post is signed with that.
import { ChannelFailure, type Channel, type ChannelMessage, type LoadSecret } from '#ports/channels'
import {
  webhookChannels,
  type WebhookKind,
  type WebhookMessage,
} from '#schemas/outreach/webhook-channels'
import { secretOf } from './failures.ts'
import { isHostOf, posting, type PostingOptions } from './posting.ts'
import { signedHeaders, signingSecret } from './webhook-signature.ts'

export interface WebhookOptions extends PostingOptions {
  readonly secret: LoadSecret
}

export function webhookChannel(kind: WebhookKind, options: WebhookOptions): Channel {
  const { hosts, body } = webhookChannels[kind]
  const posts = posting(options)
  return {
    kind,
    async deliver({ target, message, signal }) {
      if (target.channel !== kind) throw new ChannelFailure('target_invalid', false)
      if (signal.aborted) throw new ChannelFailure('timed_out', true)
      const lines = (await secretOf(options.secret, target.secret)).trim().split(/\s*\n\s*/)
      const [url = '', key, ...others] = lines
      const signing = key === undefined ? null : signingSecret(key)
      const isSigned = signing !== null || key === undefined
      if (!isSigned || others.length > 0 || !isHostOf(url, hosts, options.privateHosts))
        throw new ChannelFailure('secret_invalid', false)
      const text = JSON.stringify(body(cutFor(kind, message)))
      const { id, at: now } = message
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'warrant',
        ...(signing !== null && signedHeaders(signing, { id, body: text, now })),
      }
      await posts.post({ url, headers, body: text, signal })
    },
    async close() {
      posts.close()
    },
  }
}

function cutFor(kind: WebhookKind, { subject, lines, link }: ChannelMessage): WebhookMessage {
  const { subjectCharactersMax, textCharactersMax, isOneText } = webhookChannels[kind]
  const texts = isOneText ? [lines.join('\n')] : lines
  return {
    subject: cut(subject, subjectCharactersMax),
    texts: texts.map((text) => cut(text, textCharactersMax)),
    link,
  }
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…`.toWellFormed() : text
}
