// The names of facts: what a token is, how an identifier becomes one, and which parts each kind has.
// A name is bound at most once; everything else follows from that.
import { createHash } from 'node:crypto'

const tokenPattern = /^[A-Za-z0-9-][A-Za-z0-9_-]{0,63}$/
const namePattern = /^[A-Za-z0-9_-][A-Za-z0-9_-]{0,63}(\.[A-Za-z0-9_-][A-Za-z0-9_-]{0,63}){2,7}$/

/** The token of an identifier: itself if it is one, else `_` and base64url of 16 bytes of its SHA-256. */
export function token(identifier: string): string {
  if (tokenPattern.test(identifier)) return identifier
  const digest = createHash('sha256').update(identifier, 'utf8').digest()
  return `_${digest.subarray(0, 16).toString('base64url')}`
}

/** Whether the text may be the name of a fact: 3 to 8 tokens, `<realm>.<era>.<kind>…`. */
export function isName(text: string): boolean {
  return namePattern.test(text)
}
