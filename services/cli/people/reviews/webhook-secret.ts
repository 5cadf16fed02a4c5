// With what webhooks of reviews are signed: a secret in a file of the user's own.
import { readFile } from 'node:fs/promises'
import { secretBytesMin, signingSecret } from '#outreach/channels/webhook-signature'
import { usage } from '#cli/terminal/failure'

/** Of its first line. Throws a Fault `usage` where it cannot be read, or is too short. */
export async function webhookSecret(file: string): Promise<Uint8Array> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch {
    throw usage(`the webhook secret in \`${file}\` cannot be read`)
  }
  const secret = signingSecret(text.split(/\r?\n/, 1)[0] ?? '')
  if (secret !== null) return secret
  const how = `\`openssl rand -base64 32\` makes one`
  throw usage(`the webhook secret in \`${file}\` has fewer than ${secretBytesMin} bytes: ${how}`)
}
