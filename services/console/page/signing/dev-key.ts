// What signs in the page that `warrant dev` opens. It comes with the link from the terminal, and is
// kept in the memory of this page alone: a page that is loaded again has it no more.
import type { BrowserKey } from './browser-key.ts'
import { PageProblem } from '../shell/requests.ts'

let taken: BrowserKey | null = null

/** `seed` and `point` are the two halves of the key, each 32 bytes in base64url. */
export async function takeDevKey(person: string, seed: string, point: string): Promise<void> {
  const jwk = { kty: 'OKP', crv: 'Ed25519', d: seed, x: point }
  const imported = crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['sign'])
  const privateKey = await imported.catch(() => null)
  if (privateKey === null) throw new PageProblem('no_browser_keys')
  taken = { person, privateKey, publicKey: `ed25519:${point}` }
}

/** Throws a PageProblem where the link brought none for that person, or the page was reloaded. */
export function devKeyOf(person: string): BrowserKey {
  if (taken?.person === person) return taken
  throw new PageProblem('no_dev_key')
}
