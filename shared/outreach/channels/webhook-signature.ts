// Signs what is posted to a webhook, as Standard Webhooks describes it: an HMAC over id, time and
// body, so that the receiver knows who sent it, and that it was sent just now.
import { createHmac } from 'node:crypto'

const prefix = 'whsec_'
export const secretBytesMin = 24

/** The headers of one attempt; `id` is the same in each, so that the receiver sees repetitions. */
export function signedHeaders(
  secret: Uint8Array | null,
  {
    id,
    body,
    now = Date.now(),
  }: { readonly id: string; readonly body: string; readonly now?: number },
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (secret === null) return headers
  const signed = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { ...headers, 'webhook-signature': `v1,${signed}` }
}

/** The secret in a line: `whsec_` and base64, or any other text as it is; null if it is short. */
export function signingSecret(line: string): Uint8Array | null {
  const secret = line.startsWith(prefix)
    ? Buffer.from(line.slice(prefix.length), 'base64')
    : Buffer.from(line, 'utf8')
  return secret.length >= secretBytesMin ? secret : null
}
