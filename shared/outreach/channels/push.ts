// Web push (RFC 8030): a sealed message to the push service of a browser, which shows it. It opens
// the page and never decides. Only the known services of browsers are posted to.
import { createECDH, randomBytes } from 'node:crypto'
import { ChannelFailure, type Channel, type ChannelMessage, type LoadSecret } from '#ports/channels'
import { short } from '#record/quote'
import { secretOf } from './failures.ts'
import { isHostOf, posting, type PostingOptions } from './posting.ts'
import { plainBytesMax, pushSender, sealedPush, senderHeader } from './push-sealing.ts'

export interface PushOptions extends PostingOptions {
  readonly secret: LoadSecret
  /** The name of the secret with the private key: 32 bytes as base64url. */
  readonly key: string
  /** Whom the operator of a push service can ask: `mailto:…` or an https address. */
  readonly contact: string
}

/** Of Chrome and Edge on most systems, of Firefox, of Safari, of Edge on Windows. */
const browserServices: readonly string[] = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  'updates.push.services.mozilla.com',
  '*.push.services.mozilla.com',
  'web.push.apple.com',
  '*.push.apple.com',
  '*.notify.windows.com',
]

/** Whether a subscription at that address is of a known browser. */
export function isPushService(url: string): boolean {
  return isHostOf(url, browserServices)
}

/** Services keep nothing longer than this. */
const ttlSecondsMax = 28 * 86_400

export function pushChannel(options: PushOptions): Channel {
  const { secret, key, contact, privateHosts } = options
  const posts = posting(options)
  return {
    kind: 'push',
    async deliver({ target, message, signal }) {
      if (target.channel !== 'push') throw new ChannelFailure('target_invalid', false)
      const { url, keys } = target
      if (!isHostOf(url, browserServices, privateHosts))
        throw new ChannelFailure('url_blocked', false)
      if (signal.aborted) throw new ChannelFailure('timed_out', true)
      const sender = pushSender((await secretOf(secret, key)).trim())
      if (sender === null) throw new ChannelFailure('secret_invalid', false)
      const ecdh = createECDH('prime256v1')
      ecdh.generateKeys()
      const body = sealedPush(pushText(message), keys, { ecdh, salt: randomBytes(16) })
      if (body === null) throw new ChannelFailure('target_invalid', false)
      const { at: now, until, id: topic } = message
      const ttl = Math.min(Math.max(0, Math.ceil((until - now) / 1_000)), ttlSecondsMax)
      const headers = {
        authorization: senderHeader(sender, { url, contact, now }),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(ttl),
        urgency: 'high',
        // Of one topic a service keeps the last alone.
        topic,
      }
      await posts.post({ url, headers, body, signal })
    },
    async close() {
      posts.close()
    },
  }
}

const subjectCharactersMax = 200

/** What the page's worker shows; cut until it fits. */
function pushText({ id, subject, lines, link }: ChannelMessage): Uint8Array {
  const title = short(subject, subjectCharactersMax)
  const of = (body: string): Uint8Array =>
    Buffer.from(JSON.stringify({ id, title, body, link }), 'utf8')
  let body = lines.join('\n')
  for (let bytes = of(body); ; bytes = of(body)) {
    if (bytes.length <= plainBytesMax || body === '') return bytes
    body = body.slice(0, Math.floor(body.length / 2)).toWellFormed()
  }
}
