// Signs what is posted to a webhook, as Standard Webhooks describes it: an HMAC over id, time and
// body, so that the receiver knows who sent it, and that it was sent just now.
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { usage } from '../terminal/failure.ts'

const prefix = 'whsec_'
const secretBytesMin = 24

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

/**
 * The secret in the first line of a file: `whsec_` and base64, or any other text as it is. Throws a
 * Fault `usage` for a file that cannot be read, and for a secret that is too short.
 */
export async function webhookSecret(file: string): Promise<Uint8Array> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch {
    throw usage(`the webhook secret in \`${file}\` cannot be read`)
  }
  const [line = ''] = text.split(/\r?\n/)
  const secret = line.startsWith(prefix)
    ? Buffer.from(line.slice(prefix.length), 'base64')
    : Buffer.from(line, 'utf8')
  if (secret.length >= secretBytesMin) return secret
  const how = `\`openssl rand -base64 32\` makes one`
  throw usage(`the webhook secret in \`${file}\` has fewer than ${secretBytesMin} bytes: ${how}`)
}
