// The key pairs by which NATS knows its users. A seed is a secret: it leaves here only to the one
// who made it or has it already, and no error repeats it.
import { createUser, fromPublic, fromSeed } from '@nats-io/nkeys'
import { Fault } from '#record/fault'

export interface UserKey {
  /** The private half, as its file has it. */
  readonly seed: string
  readonly publicKey: string
}

export function newUserKey(): UserKey {
  const pair = createUser()
  const seed = Buffer.from(pair.getSeed()).toString('ascii')
  return { seed, publicKey: pair.getPublicKey() }
}

/** The public half of a user's seed. Throws a Fault that does not say what the text was. */
export function userKeyOf(seed: string): UserKey {
  const text = seed.trim()
  try {
    const publicKey = fromSeed(Buffer.from(text, 'ascii')).getPublicKey()
    if (isUserKey(publicKey)) return { seed: text, publicKey }
  } catch {
    // The error of the package may repeat what it could not read.
  }
  throw new Fault('seed_invalid', 'it holds no nkey seed of a user (`SU…`)')
}

/** Whether the text is the public half of a user's key. */
export function isUserKey(text: string): boolean {
  if (!/^U[A-Z2-7]{55}$/.test(text)) return false
  try {
    fromPublic(text)
    return true
  } catch {
    return false
  }
}

/** Below this subject, and nowhere else, a user receives answers. */
export function inboxOf(publicKey: string): string {
  return `_INBOX_${publicKey}`
}
